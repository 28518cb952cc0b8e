"""Values in ids and in names of files, which stay as they are: they are said, and not repeated."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from commandline import linkmask

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
    done = linkmask("mask", source, "-o", tmp_path / "o")
    assert (done.returncode, "names of 1 document" in done.stdout) == (2, True), done.stderr
    shown = done.stdout + done.stderr
    for file in ("report.html", "summary.json", "set-aside.jsonl"):
        shown += (tmp_path / "o" / file).read_text()
    assert not re.search("harker|7734512|482-19-3341", shown, re.IGNORECASE)
    seen = json.loads(linkmask("verify", tmp_path / "o", "--json").stdout)
    assert [(one["kind"], one["blocking"]) for one in seen] == [("name", False)]
    again = linkmask("mask", source, "-o", tmp_path / "o", "--overwrite", "--allow-unmet")
    assert again.returncode == 0


def test_names_that_name_nobody_and_names_in_an_archive_change_no_status(tmp_path: Path) -> None:
    """What an archive holds is named by a field, which is masked."""
    source = tmp_path / "in"
    source.mkdir()
    code = "15c0cdd5-9836-404c-76fb-b6edbc85e5de"
    for name in (f"{code}.txt", "2024-03-12.txt", "claim form_v2 final.md", "100969855004.txt"):
        (source / name).write_text("The claim was paid.\n")
    with zipfile.ZipFile(source / "letters.zip", "w") as archive:
        archive.writestr("Brandvold.txt", "Patient: Ottoline Brandvold. Mrs. Brandvold came.")
    done = linkmask("mask", source, "-o", tmp_path / "o")
    assert done.returncode == 0, done.stderr
