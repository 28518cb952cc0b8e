"""Reads and writes Excel workbooks (.xlsx): one document a row of a sheet.

The first row of a sheet that is not empty names its columns. A workbook is written anew, with the
values of its rows alone: formulas become the values that they were last computed to, and comments,
pictures, styles, properties and the names of sheets are not written.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

from linkmask.config import Settings
from linkmask.corpus import fields
from linkmask.corpus.column_names import check_text
from linkmask.corpus.document_files import limits_of
from linkmask.corpus.fields import Record, as_json_value, changed_fields, place_of
from linkmask.corpus.files import WHOLE, File, Flaw, byte_limit
from linkmask.corpus.readers.package import zip_entries
from linkmask.records import Document, Masked, SetAside

DECLARED = b"<!DOCTYPE", b"<!ENTITY"
"""What no part of a workbook declares; entities could unfold to any size."""
MISSING = 'Excel workbooks need an extra: pip install "linkmask[documents]"'
DAMAGED = "not an Excel workbook, or a damaged one"
PLAIN = (str, int, float, datetime.date, datetime.time, datetime.timedelta)
"""Types of values that a cell may hold; others are formulas without a value."""


class SheetRow(NamedTuple):
    """A row: its number in the workbook from 0, its sheet's number, and its cells by column.

    The row that names the columns of a sheet has the number −1.
    """

    number: int
    sheet: int
    cells: dict[str, Any]


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a workbook, and what can't be one with its reason."""
    return fields.documents(records(file, settings), file, settings)


def records(file: File, settings: Settings) -> Iterator[tuple[int, Record | Flaw]]:
    """Yield (row from 0, record) of a workbook, or why there is none."""
    row = 0
    try:
        for found in _rows(file, settings):
            if found.number < 0:
                if flaw := _header_flaw(found, settings):
                    raise Flaw(f"{flaw}; sheet {found.sheet + 1} and those after it are not read")
                continue
            row = found.number + 1
            yield found.number, _record(found)
    except Flaw as flaw:
        yield row or WHOLE, flaw


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each row."""
    for row, found in records(file, settings):
        if isinstance(found, Record):
            given = found.values.get(settings.id_field)
            yield place_of(file, row) if given in (None, "") else str(given)


def _header_flaw(row: SheetRow, settings: Settings) -> Flaw | None:
    """Return why the columns of a sheet can't be told by its first row, None where they can."""
    try:
        check_text([*row.cells], settings)
    except Flaw as flaw:
        return flaw
    return None


def _record(row: SheetRow) -> Record | Flaw:
    try:
        return Record({name: as_json_value(cell) for name, cell in row.cells.items()}, row.cells)
    except Flaw as flaw:
        return flaw


def _rows(file: File, settings: Settings) -> Iterator[SheetRow]:
    """Yield the rows of all sheets that hold anything, each after the row that names its columns.

    Raises:
        Flaw: the file is no workbook, is damaged or too large, or a sheet names a column twice.
    """
    number = 0
    with _opened(file, settings) as book:
        for sheet, name in enumerate(book.sheetnames):
            if not hasattr(book[name], "iter_rows"):
                continue  # a chart has no cells
            header: list[str] = []
            for cells in _filled(book[name]):
                if not header:
                    header = _columns(cells)
                    yield SheetRow(-1, sheet, dict.fromkeys(header))
                    continue
                if len(cells) > len(header):
                    raise Flaw(f"a row of sheet {sheet + 1} has more cells than the first row")
                more: list[Any] = [None] * (len(header) - len(cells))
                yield SheetRow(number, sheet, dict(zip(header, [*cells, *more], strict=True)))
                number += 1


def _columns(cells: Sequence[Any]) -> list[str]:
    """Return the names of columns; one without a name is called by its letters in the sheet."""
    from openpyxl.utils import get_column_letter

    names = [
        f"column {get_column_letter(at)}" if cell is None else str(as_json_value(cell))
        for at, cell in enumerate(cells, 1)
    ]
    if len(set(names)) != len(names):
        raise Flaw("a sheet names a column twice: rename one")
    return names


def _filled(sheet: Any) -> Iterator[list[Any]]:
    """Yield the values of each row that has any, up to the last of them."""
    from openpyxl.utils.exceptions import InvalidFileException

    sheet.reset_dimensions()
    try:
        for row in sheet.iter_rows(values_only=True):
            cells = list(row)
            while cells and cells[-1] in (None, ""):
                cells.pop()
            if cells:
                yield [cell if isinstance(cell, PLAIN) else None for cell in cells]
    except (InvalidFileException, ValueError, TypeError, LookupError, SyntaxError, OSError):
        raise Flaw(f"{DAMAGED}: the rest of it is not read") from None


class _opened:  # noqa: N801 - used as a function
    """Opens a workbook for reading, and closes it."""

    def __init__(self, file: File, settings: Settings) -> None:
        try:
            from openpyxl import load_workbook
        except ModuleNotFoundError:
            raise Flaw(MISSING) from None
        data = file.read(byte_limit(settings.max_characters))
        for _, part in zip_entries(data, limits_of(settings)):
            if any(mark in part for mark in DECLARED):
                raise Flaw(DAMAGED)
        try:
            self.book = load_workbook(
                io.BytesIO(data), read_only=True, data_only=True, keep_links=False
            )
        except Exception:  # a damaged file is told by more kinds of error than are documented
            raise Flaw(DAMAGED) from None

    def __enter__(self) -> Any:
        return self.book

    def __exit__(self, *_: object) -> None:
        self.book.close()


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked rows to sheets of a new workbook, numbered as those of the file.

    Sheets that are not read are not written.

    Raises:
        Flaw: the file is not the one that was read.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet: Any = None
    ahead = next(group, None)
    for row in _rows(file, settings):
        if row.number < 0:
            if _header_flaw(row, settings):
                break  # nothing is read from here on
            sheet = book.create_sheet(f"Sheet {row.sheet + 1}")
            sheet.append([_text_cell(sheet, name) for name in row.cells])
        elif ahead is not None and ahead.origin.row == row.number:
            cells = {**row.cells, **changed_fields(ahead, settings)}
            sheet.append([_text_cell(sheet, cell) for cell in cells.values()])
            ahead = next(group, None)
    if ahead is not None:
        raise Flaw("it has fewer rows than were read")
    packed = io.BytesIO()
    book.save(packed)
    out.write(packed.getvalue())


def _text_cell(sheet: Any, value: Any) -> Any:
    """Return a cell for a value: a text that begins like a formula stays a text."""
    from openpyxl.cell import WriteOnlyCell

    if not isinstance(value, str):
        return value
    cell = WriteOnlyCell(sheet)
    cell._value, cell.data_type = value, "s"  # the setter would guess a formula
    return cell
