"""docs/contributing.md: the files that it names for a change are all that the change takes.

Each change is made on a copy of the package, which then masks a text.
"""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import linkmask
from package_changes import CHANGES

PACKAGE = Path(linkmask.__file__).parent

PAGE = Path(__file__).parents[1] / "docs" / "contributing.md"


@cache
def rows() -> dict[str, tuple[set[str], set[str]]]:
    """Return the files of code that the page names for each change, and the folders."""
    found = {}
    table = PAGE.read_text(encoding="utf-8").partition("| To add | Code |")[2].partition("\n\n")[0]
    for change, code in re.findall(r"^\| ([^|]+) \| ([^|]+) \|", table, re.MULTILINE):
        names = re.findall(r"`([\w/.]+)`", code)
        files = {name for name in names if name.endswith((".py", ".jinja"))}
        folders = {name.rstrip("/") for name in names if name.endswith("/")}
        parents = {str(Path(name).parent) for name in files}
        found[change.partition(", such as")[0]] = files, folders | parents
    return found


def test_each_change_that_is_made_has_a_row_and_the_page_says_how_many_there_are() -> None:
    assert CHANGES.keys() <= rows().keys()
    assert len(CHANGES) == 12
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert "makes these changes, twelve in all," in page


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_takes_at_most_three_files_of_code(name: str, tmp_path: Path) -> None:
    edits, program, printed = CHANGES[name]
    copy = tmp_path / "linkmask"
    shutil.copytree(PACKAGE, copy)
    for file, old, new in edits:
        before = (copy / file).read_text(encoding="utf-8") if (copy / file).exists() else ""
        assert old in before, f"{file} has changed: mend this test"
        after = before.replace(old, new, 1) if old else before + new
        (copy / file).parent.mkdir(exist_ok=True)
        (copy / file).write_text(after, encoding="utf-8")
    code = {file for file, _, _ in edits if file.endswith((".py", ".jinja"))}
    new = {str(Path(file).parent) for file in code if not (PACKAGE / file).parent.exists()}
    units = new | {file for file in code if str(Path(file).parent) not in new}
    assert len(units) <= 3
    files, folders = rows()[name]
    for unit in units:
        if (PACKAGE / unit).exists():
            assert unit in files, f"{unit} is not named in the row of {name}"
        else:
            assert str(Path(unit).parent) in folders, f"the row of {name} names no folder of {unit}"
    assert run(tmp_path, program) == printed


def run(base: Path, program: str) -> str:
    """Return what a program prints by the copy of the package in a folder."""
    places = {"PYTHONPATH": str(base), "XDG_CACHE_HOME": str(base / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, env=os.environ | places,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return done.stdout.strip()


WITHOUT_PDF = """
import pathlib, linkmask
from linkmask.commands import mask_files
source = pathlib.Path(linkmask.__file__).parents[1] / "in"
source.mkdir()
(source / "a.txt").write_text("Reply to (906) 555-0143.")
(source / "b.pdf").write_bytes(b"%PDF-1.7")
for redacted in (False, True):
    out = source.with_name(f"out{redacted}")
    chosen = {"detector": "patterns", "redacted_pdf": redacted}
    settings = linkmask.load(overrides=chosen, environment={})
    try:
        mask_files(source, out, settings)
        print([path.name for path in (out / "documents").iterdir()])
    except linkmask.LinkmaskError as error:
        print(error)
"""


def test_pdf_is_taken_out_with_its_folder_and_its_row(tmp_path: Path) -> None:
    """The setting `redacted_pdf` is then refused."""
    copy = tmp_path / "linkmask"
    shutil.copytree(PACKAGE, copy)
    shutil.rmtree(copy / "corpus/readers/pdf")
    kinds = copy / "corpus/file_kinds.py"
    row = re.compile(r' {8}FileKind\(\n {12}"pdf", .*?\n {8}\),\n', re.DOTALL)
    text, taken_out = row.subn("", kinds.read_text(encoding="utf-8"))
    assert taken_out == 1
    kinds.write_text(text, encoding="utf-8")
    refused = "redacted_pdf: no kind of file that is read can be written redacted"
    assert run(tmp_path, WITHOUT_PDF) == f"['a.txt']\n{refused}"
