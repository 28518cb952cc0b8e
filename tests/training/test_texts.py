"""Our own annotated texts are read exactly as written, or not at all."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from training import texts  # noqa: E402

HEAD = "=== a-1 lang=en kind=letter layout=prose\n"


def test_marks_are_taken_out_and_point_at_their_surface(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text(
        HEAD + "\nDear {{Dana\nRuiz|NAME|P|dana ruiz}},\nsee {{9 May|EVENT_DATE|N}}.\n\n", "utf-8"
    )
    (one,) = texts.read(path)
    assert one.text == "Dear Dana\nRuiz,\nsee 9 May."
    assert [(one.text[m.start : m.end], m.type, m.whose, m.normalized) for m in one.marks] == [
        ("Dana\nRuiz", "NAME", "P", "dana ruiz"),
        ("9 May", "EVENT_DATE", "N", "9 May"),
    ]


PLAIN = st.text(st.characters(exclude_characters="{}|=", exclude_categories=["Cs"]))
SURFACE = PLAIN.filter(lambda s: s and s == s.strip())


@settings(max_examples=50)
@given(st.lists(st.tuples(PLAIN, SURFACE)), PLAIN)
def test_what_is_marked_is_what_is_read(pairs: list[tuple[str, str]], rest: str) -> None:
    body = "".join(f"{before}{{{{{value}|AGE|O}}}}" for before, value in pairs) + rest
    text, marks = texts.parse(body)
    assert text == "".join(before + value for before, value in pairs) + rest
    assert [text[m.start : m.end] for m in marks] == [value for _, value in pairs]


@pytest.mark.parametrize(
    "body",
    [
        "{{x|NAME}}",
        "{{x|NOBODY|P}}",
        "{{x|NAME|Q}}",
        "{{|NAME|P}}",
        "{{ x|NAME|P}}",
        "a {{ b",
        "}}",
    ],
)
def test_what_is_no_mark_is_refused(body: str) -> None:
    with pytest.raises(texts.FormatError):
        texts.parse(body)


@pytest.mark.parametrize(
    "content", ["early\n" + HEAD, HEAD + HEAD, HEAD.replace("en", "xx"), "=== a-1 lang=en\n"]
)
def test_a_wrong_head_is_refused_with_its_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.txt"
    path.write_text(content, "utf-8")
    with pytest.raises(texts.FormatError, match=r"t\.txt:\d"):
        texts.read(path)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "training" / "texts").glob("*.txt")), ids=lambda p: p.name
)
def test_every_file_of_ours_can_be_read(path: Path) -> None:
    assert texts.read(path)
