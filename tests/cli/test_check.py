"""`linkmask check`: whether documents are within their limits as they are."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from commandline import DOCUMENTS, digests, process
from linkmask import cli
from linkmask.commands import check_files, mask_files
from linkmask.config import Settings, load

HARMLESS = "The meeting starts at ten. Please bring the minutes of the last one."
PERSON = "Claim of Ottoline Brandvold, born 30 June 1977, phone 906-555-0143."


def check(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(cli.main, ["check", *map(str, arguments)])
    return done.exit_code, done.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "minutes.txt").write_text(HARMLESS)
    return tmp_path / "in"


def test_documents_within_their_limits_end_with_status_0(folder: Path) -> None:
    status, said = check(folder)
    assert status == 0
    assert "1 document: all within the limits" in said


def test_a_document_over_a_limit_is_named_without_its_values_and_ends_with_status_2(
    folder: Path,
) -> None:
    (folder / "claim.txt").write_text(PERSON)
    status, said = check(folder)
    assert status == 2
    assert "claim.txt: " in said
    assert "direct identifier" in said
    assert "minutes.txt" not in said
    assert not any(word in said for word in ("Brandvold", "Ottoline", "0143", "1977"))


def test_what_mask_wrote_is_within_its_limits_and_what_it_read_is_not(tmp_path: Path) -> None:
    """Rare words are left: of a value in which one is masked, `check` reads what is left."""
    mask_files(DOCUMENTS, tmp_path / "out", Settings(workers=1, rare_terms=0))
    assert check(tmp_path / "out" / "documents")[0] == 0
    assert check(DOCUMENTS)[0] == 2


def test_check_detects_by_itself_and_takes_no_file_of_mentions(folder: Path) -> None:
    status, said = check(folder, "--mentions", folder / "minutes.txt")
    assert status == 1
    assert "No such option" in said


def test_the_limits_are_those_of_the_settings(folder: Path) -> None:
    (folder / "claim.txt").write_text(PERSON)
    limits = "--set", "floor=", "--theta-doc"
    assert check(folder, *limits, 1)[0] == 0
    assert check(folder, *limits, 0.1)[0] == 2


def test_documents_that_are_under_the_limit_alone_may_be_over_it_together() -> None:
    found = check_files(DOCUMENTS, load(overrides={"floor": "", "generalize": {}}, environment={}))
    linked = [one for one in found.over if one.risk < found.theta_doc]
    assert len(linked) >= 2
    assert all(one.chains and not one.identifiers for one in linked)


def test_a_document_that_cannot_be_read_is_not_within_its_limits(folder: Path) -> None:
    (folder / "broken.json").write_text("{")
    status, said = check(folder)
    assert status == 2
    assert "set aside" in said


def test_a_file_whose_name_holds_a_value_is_not_named(folder: Path) -> None:
    (folder / "Ottoline_Brandvold.txt").write_text(PERSON)
    status, said = check(folder)
    assert status == 2
    assert "Brandvold" not in said
    assert "its name holds a value" in said


@pytest.mark.parametrize("name", ["Ottoline_Brandvold", "MRN 4482913"])
def test_a_file_that_is_named_after_a_person_is_not_within_its_limits(
    folder: Path, name: str
) -> None:
    """The value stands in no text, and is not printed either."""
    (folder / f"{name}.txt").write_text(HARMLESS)
    status, said = check(folder)
    assert status == 2
    assert "1 document with a person in the file name or the id" in said
    assert "Brandvold" not in said and "4482913" not in said


def test_rows_of_a_table_are_told_apart_by_number(tmp_path: Path) -> None:
    rows = [{"id": f"{n}", "content": text} for n, text in enumerate((HARMLESS, PERSON))]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    status, said = check(tmp_path / "in.jsonl", "--json", "--quiet")
    found = json.loads(said[: said.rindex("}") + 1])
    assert status == 2
    assert [one["name"] for one in found["over"]] == ["in.jsonl, row 2"]


def test_nothing_is_written_and_nothing_kept(folder: Path, tmp_path: Path) -> None:
    (folder / "claim.txt").write_text(PERSON)
    before = digests(tmp_path)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = process("check", folder, TMPDIR=str(temporary))
    assert done.returncode == 2, done.stderr
    assert digests(tmp_path) == before
    assert list(temporary.iterdir()) == []


def test_wrong_input_ends_with_status_1(tmp_path: Path) -> None:
    assert check(tmp_path / "missing")[0] == 1


def test_what_masking_only_generalizes_by_rule_is_left_to_the_limits(folder: Path) -> None:
    (folder / "visit.txt").write_text("The electrician was seen for asthma on March 12, 2024.")
    limits = "--theta-doc", 1, "--set"
    assert check(folder, *limits, "floor=NAME")[0] == 0
    assert check(folder, *limits, "floor=EVENT_DATE")[0] == 2
