"""What is not language is searched for what has a form of its own, and left alone by the rest."""

import pytest

import linkmask
from linkmask.config import Settings
from linkmask.detect.non_language import stretches
from shapes import SHAPES


def encoded(text: str) -> list[str]:
    assert "".join(text[a:b] for a, b, _ in stretches(text)) == text
    return [text[a:b] for a, b, kind in stretches(text) if kind != "language"]


@pytest.mark.parametrize(
    "name",
    [
        "base64 in a line", "base64 in a mail", "hexadecimal", "a sequence of bases",
        "one letter", "one digit", "letters and digits", "hexadecimal dump",
    ],
)  # fmt: skip
def test_what_is_encoded_is_one_stretch_in_which_nothing_is_found(name: str) -> None:
    record = SHAPES[name](4000)
    (stretch,) = encoded(record["content"])
    assert len(stretch) > 3000
    scan = linkmask.scan([record], Settings(workers=1))
    begin = record["content"].index(stretch)
    mentions = list(scan.job.run.mentions())
    assert "john brandvold" in {mention.value for mention in mentions}
    inside = range(begin, begin + len(stretch))
    assert [m.type for m in mentions if m.start in inside or m.end - 1 in inside] == []


def test_an_identifier_with_a_form_is_found_beside_and_between_encoded_lines() -> None:
    line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODlhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ej\n"
    block = line * 4
    for value in ("zelko.finch@example.org", "DE89 3704 0044 0532 0130 00"):
        scan = linkmask.scan([block + value + "\n" + block], Settings(workers=1))
        assert value in {mention.original for mention in scan.job.run.mentions()}


@pytest.mark.parametrize(
    "text",
    [
        "ottoline-brandvold-appeal-denied-after-review-of-the-file-" * 4,
        "/srv/share/patients/Brandvold_Ottoline/Springfield/letters/" * 4,
        '{"name":"Ottoline","surname":"Brandvold","born":"1971-05-04"},' * 5,
        "NM1*IL*1*ROTH*ANNA*M***MI*0088213~N3*14 CANAL ST~" * 5,
        "Patient ID: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "06 12 34 56 78 01 98 76 54 32 04 11 22 33 44 07 55 44 33 22 " * 4,
        "de la cad ad be fa de ab de la cad ad be fa de ab de fa be ad " * 4,
        "Key: 43 51 43 a1 b5 fc 8b b7 0a 3a a9 b1 0f 66 73 a8",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "",
    ],
)
def test_words_that_no_blank_parts_are_language_still(text: str) -> None:
    """Slugs, paths, JSON, messages, rows of telephone numbers, small words, a digest or a key with
    its label: all may name somebody."""
    assert encoded(text) == []
