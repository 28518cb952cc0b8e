"""Values in ids and in names of files, which stay as they are: they are said, and not repeated."""

import json
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linkmask import commands
from linkmask.cli import main
from linkmask.config import Settings


def linkmask(*words: object) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, [*map(str, words)])


ID_AND_NAME = {
    "an id of the corpus": ("a.csv", "id,content\n7734512,Patient: Ada Pruitt. MRN 7734512\n"),
    "a file's name alone": ("Letter to Jonathan Harker.txt", "The claim was paid.\n"),
    "a number alone": ("482-19-3341.txt", "The claim was paid.\n"),
}


@pytest.mark.parametrize("case", ID_AND_NAME)
def test_a_value_in_an_id_or_a_file_name_is_no_green_verdict(case: str, tmp_path: Path) -> None:
    """Ids and names of files stay as they are, so a value in them is said, but not repeated."""
    name, text = ID_AND_NAME[case]
    source = tmp_path / "in"
    source.mkdir()
    (source / name).write_text(text)
    done = linkmask("mask", source, "--workers", 1, "-o", tmp_path / "o")
    assert (done.exit_code, "names of 1 document" in done.stdout) == (2, True), done.stderr
    shown = done.stdout + done.stderr
    for file in ("report.html", "summary.json", "set-aside.jsonl"):
        shown += (tmp_path / "o" / file).read_text()
    assert not re.search("harker|7734512|482-19-3341", shown, re.IGNORECASE)
    seen = json.loads(linkmask("verify", tmp_path / "o", "--json").stdout)
    assert [(one["kind"], one["blocking"]) for one in seen] == [("name", False)]
    again = linkmask(
        "mask", source, "--workers", 1, "-o", tmp_path / "o", "--overwrite", "--allow-unmet"
    )
    assert again.exit_code == 0


def test_names_that_name_nobody_and_names_in_an_archive_change_no_status(tmp_path: Path) -> None:
    """What an archive holds is named by a field, which is masked."""
    source = tmp_path / "in"
    source.mkdir()
    code = "15c0cdd5-9836-404c-76fb-b6edbc85e5de"
    for name in (f"{code}.txt", "2024-03-12.txt", "claim form_v2 final.md", "100969855004.txt"):
        (source / name).write_text("The claim was paid.\n")
    with zipfile.ZipFile(source / "letters.zip", "w") as archive:
        archive.writestr("Brandvold.txt", "Patient: Ottoline Brandvold. Mrs. Brandvold came.")
    done = linkmask("mask", source, "--workers", 1, "-o", tmp_path / "o")
    assert done.exit_code == 0, done.stderr


def test_what_is_set_aside_and_the_input_itself_are_not_called_by_a_value(tmp_path: Path) -> None:
    """Reports say which file of the input it is, in order of name."""
    source, out = tmp_path / "Ottoline Brandvold", tmp_path / "out"
    source.mkdir()
    (source / "claim.txt").write_text("Patient: Ottoline Brandvold. Mrs. Brandvold came.")
    (source / "Brandvold.json").write_text("{broken")
    (source / "Jonathan Harker.jpg").write_bytes(b"picture")
    (source / "scan.jpg").write_bytes(b"picture")
    with zipfile.ZipFile(source / "z.zip", "w") as archive:
        archive.writestr("Jonathan Harker.png", b"picture")
        archive.writestr("a.txt", "Nothing to say.")
    commands.mask_files(source, out, Settings(workers=1))
    aside = [json.loads(line)["file"] for line in (out / "set-aside.jsonl").open()]
    unnamed = [f"file {number} of the input by name, which holds a value" for number in (1, 2)]
    assert aside == [*unnamed, "scan.jpg", "z.zip"]
    told = [(out / name).read_text() for name in ("set-aside.jsonl", "summary.json", "report.html")]
    assert not re.search("brandvold|ottoline|harker", "".join(told), re.IGNORECASE)


def test_a_scan_which_masks_nothing_calls_the_input_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("Patient: Ottoline Brandvold.")
    audit = commands.scan_files(tmp_path / "in.txt", tmp_path / "run", Settings(workers=1))
    assert audit.input["name"] == "in.txt"


def test_verify_calls_a_document_whose_id_holds_a_value_by_its_number(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    row = {"id": "Brandvold", "content": "Patient: Ottoline Brandvold. Mrs. Brandvold came."}
    source.write_text(json.dumps(row) + "\n")
    commands.mask_files(source, out, Settings(workers=1))
    (out / "documents" / "in.jsonl").write_text(source.read_text())
    found = commands.verify_files(out)
    assert {one.document for one in found if one.blocking} == {"document 1"}
    assert "randvold" not in str(found)


def test_the_whole_folder_of_examples_is_released(tmp_path: Path) -> None:
    """It also holds files of many documents, lists of links and a page about them."""
    source = Path(__file__).parents[2] / "examples" / "insurance"
    done = linkmask("mask", source, "--workers", 1, "-o", tmp_path / "o")
    assert (done.exit_code, (tmp_path / "o" / "set-aside.jsonl").read_text()) == (0, ""), (
        done.stderr
    )
