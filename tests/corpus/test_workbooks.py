"""Excel workbooks: real files in, masked files out."""

from __future__ import annotations

import datetime
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment

from corpus_items import items, reason
from linkmask.cli import main
from linkmask.commands import mask_files
from linkmask.config import Settings
from linkmask.records import Document

NOTE = "Called about the knee surgery in Basel on 3 May 2024 with Ms. Kallio."
CLAIMS = [
    ["Customer no", "Name", "Born", "Phone", "Amount", "Note"],
    ["KD-2231", "Odalys Brandvold", datetime.date(1980, 5, 3), "+41 79 555 01 22", 120.5, NOTE],
    ["KD-2232", "Teemu Kallio", datetime.datetime(1975, 11, 21), None, 7, "=not a formula"],
]
MORE = [[], ["name", "SSN"], ["Wenda Ashgrove", "078-05-1120"], [], ["Runa Falk"]]
SECRETS = ("Brandvold", "Odalys", "Kallio", "Ashgrove", "Falk", "555", "078", "1980")


def workbook(path: Path, *sheets: list[list[Any]]) -> Path:
    """Write a workbook with sheets of rows, a comment and properties."""
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"Brandvold {number}")
        for row in rows:
            sheet.append(row)
        for cells in sheet.iter_rows():
            for cell in cells:
                if cell.data_type == "f":
                    cell.data_type = "s"
        sheet["A1"].comment = Comment("Odalys is my neighbour", "Wenda Ashgrove")
    book.properties.creator = "Odalys Brandvold"
    book.save(path)
    return path


def rows_of(path: Path) -> list[list[list[Any]]]:
    """Return the values of each row of each sheet."""
    return [[list(row) for row in sheet.values] for sheet in load_workbook(path)]


def test_each_row_of_each_sheet_is_a_document(tmp_path: Path) -> None:
    """Dates become text, blank rows are none, a short row has empty cells."""
    workbook(tmp_path / "a.xlsx", CLAIMS, MORE)
    found = items(tmp_path)
    assert [one.id for one in found] == [f"a.xlsx:{n}" for n in (1, 2, 3, 4)]
    assert all(isinstance(one, Document) for one in found)
    first, *_, last = found
    assert first.others["Born"] == "1980-05-03 00:00:00" and first.others["Amount"] == 120.5
    assert dict(last.others) == {"name": "Runa Falk", "SSN": None}


def test_a_masked_workbook_holds_values_of_its_rows_alone(tmp_path: Path) -> None:
    """No name is left in any part of it; numbers stay numbers, texts like formulas stay texts."""
    source = workbook(tmp_path / "a.xlsx", CLAIMS, MORE)
    before = source.read_bytes()
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["mask", str(source), "-o", str(out), "--workers", "1"])
    assert done.exit_code == 0, done.output
    first, second = rows_of(out / "documents" / "a.xlsx")
    assert first[0] == CLAIMS[0] and second[0] == MORE[1]
    assert [row[4] for row in first[1:]] == [120.5, 7]
    assert first[2][5] == "=not a formula" and first[1][1] == "[NAME]"
    with zipfile.ZipFile(out / "documents" / "a.xlsx") as package:
        parts = b"".join(map(package.read, package.namelist())).decode()
    assert not [one for one in SECRETS if one in parts]
    assert source.read_bytes() == before


def test_a_row_that_is_set_aside_is_not_written(tmp_path: Path) -> None:
    """The other rows of its workbook are."""
    long = "word " * 6_400
    workbook(tmp_path / "a.xlsx", [["id", "note"], [1, "short"], [2, long], [3, "last"]])
    out = tmp_path / "out"
    command = ["mask", str(tmp_path / "a.xlsx"), "-o", str(out), "--workers", "1"]
    done = CliRunner().invoke(main, [*command, "--set", "max_characters=20000"])
    assert done.exit_code == 2, done.output
    aside = [json.loads(line) for line in (out / "set-aside.jsonl").read_text().splitlines()]
    assert [one["id"] for one in aside] == ["a.xlsx:2"]
    assert rows_of(out / "documents" / "a.xlsx") == [[["id", "note"], [1, "short"], [3, "last"]]]


def declares(path: Path) -> None:
    """Put an entity into a part of a workbook."""
    whole = path.with_suffix(".tmp")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(whole, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("sheet1.xml"):
                data = b'<!DOCTYPE a [<!ENTITY b "c">]>' + data
            new.writestr(name, data)
    whole.replace(path)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["id", "note", "note"], [1, "a", "b"]], "names a column twice"),
        ([["id", "note"], [1, "a", "b"]], "more cells than the first row"),
        ([["Odalys Brandvold", "Basel"], ["Teemu Kallio", "Bern"]], "no column has a name"),
    ],
)
def test_a_sheet_that_is_no_table_is_set_aside(
    tmp_path: Path, rows: list[list[Any]], said: str
) -> None:
    workbook(tmp_path / "a.xlsx", rows)
    assert said in reason(tmp_path)


def test_a_file_that_is_no_workbook_is_set_aside(tmp_path: Path) -> None:
    """So is one that is cut off, and one that declares entities."""
    path = tmp_path / "a.xlsx"
    path.write_text("Zebulon Quist")
    assert "not a ZIP file" in reason(tmp_path)
    whole = workbook(path, CLAIMS).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "not a ZIP file" in reason(tmp_path)
    workbook(path, CLAIMS)
    declares(path)
    assert "not an Excel workbook" in reason(tmp_path)


def test_the_sheets_before_one_that_is_no_table_are_released(tmp_path: Path) -> None:
    """They were set aside, too, as what was written could not be read back."""
    (tmp_path / "in").mkdir()
    workbook(tmp_path / "in" / "a.xlsx", CLAIMS, [["Odalys"], ["Odalys Brandvold"]], MORE)
    out = tmp_path / "out"
    mask_files(tmp_path / "in", out, Settings(workers=1, detector="rules"))
    (written,) = rows_of(out / "documents" / "a.xlsx")
    assert [row[0] for row in written] == ["Customer no", *(row[0] for row in written[1:])]
    assert len(written) == len(CLAIMS) and "Brandvold" not in str(written)
    (listed,) = map(json.loads, (out / "set-aside.jsonl").read_text().splitlines())
    assert listed["reason"].endswith("sheet 2 and those after it are not read")
