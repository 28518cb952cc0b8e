"""A certificate says what attackers would find in a release, and whether a limit is met."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from linkmask.cli import main
from linkmask.errors import InputError
from linkmask.graph.linkage.features import ATTACKERS, LINKER, SENTENCE_MODEL
from linkmask.testbench.certificate import certify

SUBJECTS = (("heron", "reed"), ("quartz", "basalt"), ("saffron", "clove"), ("rudder", "keel"))


def release(folder: Path, texts: list[str]) -> Path:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """Two documents for each of four subjects, which only their own two name."""
    texts = [
        f"The {a} file of {b} Clinic was read by team {a} {b}." for a, b in SUBJECTS for _ in "12"
    ]
    return release(tmp_path / "linked", texts)


@pytest.fixture
def unlinked(tmp_path: Path) -> Path:
    return release(tmp_path / "unlinked", ["[NAME] was seen on [EVENT_DATE] and went home."] * 8)


def expected(found: dict[str, Any]) -> dict[str, float]:
    return {one["attacker"]: one["expected"] for one in found["attackers"]}


def test_documents_that_name_one_subject_are_expected_to_find_each_other(
    linked: Path, unlinked: Path
) -> None:
    apart, alike = certify(linked, 0.1), certify(unlinked, 0.1)
    assert expected(apart)["linker"] > expected(alike)["linker"] + 0.2
    assert apart["fewest"] < alike["fewest"]
    assert apart["documents"] == apart["over"] == 8
    assert certify(linked, 1.0)["over"] == 0


def test_every_attacker_is_asked_as_in_the_certificate_of_a_run(linked: Path) -> None:
    """Without the originals, no pair is said to be one person's by more than the linker's word."""
    found = certify(linked, 0.1)
    assert {*expected(found)} == {LINKER, *ATTACKERS} - {SENTENCE_MODEL}
    assert all(0 < sure <= expected(found)[LINKER] for sure in expected(found).values())
    assert max(one["over"] for one in found["attackers"]) <= found["over"]
    said = CliRunner().invoke(main, ["bench", "certify", str(linked), "--most", "1"]).output
    for name, sure in expected(found).items():
        assert f"{name} {sure:.2f} (" in said


def test_the_status_says_whether_the_limit_is_met(linked: Path) -> None:
    run = CliRunner().invoke
    assert run(main, ["bench", "certify", str(linked), "--most", "1"]).exit_code == 0
    over = run(main, ["bench", "certify", str(linked), "--most", "0.1", "--json"])
    assert over.exit_code == 2
    assert json.loads(over.stdout)["over"] == 8


def test_a_limit_may_be_stated_as_candidates_among_whom_each_is_hidden(unlinked: Path) -> None:
    """The stricter of two limits counts; without any it is 0.1."""
    fewest = certify(unlinked, 1.0)["fewest"]
    met, missed = int(fewest), int(fewest) + 1

    def limit(*options: object) -> tuple[int, float]:
        asked = ["bench", "certify", str(unlinked), "--json", *map(str, options)]
        made = CliRunner().invoke(main, asked)
        return made.exit_code, json.loads(made.stdout)["limit"]

    assert limit("--candidates", met) == (0, 1 / met)
    assert limit("--candidates", missed) == (2, 1 / missed)
    assert limit("--candidates", missed, "--most", 1) == (2, 1 / missed)
    assert limit()[1] == 0.1


def test_of_what_mask_wrote_only_the_documents_are_read(linked: Path, tmp_path: Path) -> None:
    """The report's summary and a policy's decisions are no documents of the release."""
    out = tmp_path / "masked"
    out.mkdir()
    linked.rename(out / "documents")
    (out / "summary.json").write_text('{"content": "heron"}', encoding="utf-8")
    (out / "decisions.jsonl").write_text('{"content": "reed"}\n{"type": 1}\n', encoding="utf-8")
    found = certify(out, 0.1)
    assert (found["documents"], found["not_read"]) == (8, 0)


def test_one_document_links_with_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two documents"):
        certify(release(tmp_path / "one", ["Alone."]), 0.1)


def test_what_says_that_a_pair_is_one_persons_is_told_the_rarest_first(
    linked: Path, tmp_path: Path
) -> None:
    pairs = certify(linked, 1.0, 4)["likeliest"]
    assert len(pairs) == 4
    for pair in pairs:
        names = SUBJECTS[int(pair["documents"][0][0]) // 2]
        terms = [one["term"] for one in pair["shared"]]
        assert set(terms[:2]) == set(names)
        assert {one["holders"] for one in pair["shared"][:2]} == {2}
        assert len(terms) <= 5
    said = CliRunner().invoke(
        main, ["bench", "certify", str(linked), "--most", "1", "--pairs", "1"]
    )
    assert "Both say: " in said.output
    assert "likeliest" not in certify(linked, 1.0)


def test_a_background_is_searched_in_place_of_the_other_documents(
    linked: Path, tmp_path: Path
) -> None:
    """Public texts about the subjects are found; as many about others are not."""
    told = [f"A note on the {a} and the {b}: {a} first." for a, b in SUBJECTS]
    texts = ["A note on the moon.", "A note on bread and on tea.", "A hill.", "A walk in May."]
    about, apart = release(tmp_path / "about", told), release(tmp_path / "apart", texts)
    found = certify(linked, 0.1, background=about)
    assert (found["documents"], found["public"]) == (8, 4)
    others = expected(certify(linked, 0.1, background=apart))
    for name in ("linker", "TF-IDF", "character n-grams"):
        assert expected(found)[name] > others[name] + 0.2
    asked = ["bench", "certify", str(linked), "--background", str(about), "--most", "1"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0
    assert "8 documents, 4 public texts: the public text" in done.output
    assert CliRunner().invoke(main, [*asked, "--pairs", "1"]).exit_code == 1


def test_public_texts_that_cannot_be_read_are_named_and_the_status_is_2(
    linked: Path, tmp_path: Path
) -> None:
    about = release(tmp_path / "about", ["A note on the moon.", "A walk in May."])
    (about / "broken.json").write_text("{", encoding="utf-8")
    asked = ["bench", "certify", str(linked), "--background", str(about), "--most", "1"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 2
    assert "Could not read 1 public text: broken" in done.output
    assert "probability above" not in done.output
    found = json.loads(CliRunner().invoke(main, [*asked, "--json"]).stdout)
    assert found["public"] == 2 and len(found["public_not_read"]) == 1
