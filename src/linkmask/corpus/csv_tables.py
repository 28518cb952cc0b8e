"""Reads and writes CSV files: one document a row; columns without text are copied as they are."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import BinaryIO

from linkmask.config import Settings
from linkmask.corpus import fields
from linkmask.corpus.column_names import check_text
from linkmask.corpus.encodings import HEAD, Encoding, encoding_of, not_encoded
from linkmask.corpus.fields import Record, changed_fields, place_of, shape_of
from linkmask.corpus.files import WHOLE, File, Flaw, byte_limit
from linkmask.corpus.json_read import metadata_of
from linkmask.corpus.json_write import metadata_text
from linkmask.records import Document, Masked, SetAside

DELIMITERS = (",", ";", "\t", "|")
DECLARED = re.compile(r'(?i)"?sep=([^"\r\n])"?(?:\r\n|\r|\n)')
"""First line by which Excel is told the delimiter; it is no row."""


@dataclass(frozen=True)
class TableLayout:
    """How a file writes its rows: encoding, column names, delimiter, line end, what is quoted.

    `names` are the column names, each once: the second "Comment" of `header` is "Comment 2".
    `declared` is the line before the header that names the delimiter, if there is one.
    """

    encoding: Encoding
    header: tuple[str, ...]
    names: tuple[str, ...]
    delimiter: str
    end: str
    quote_all: bool
    declared: str = ""

    @cached_property
    def special(self) -> re.Pattern[str]:
        """What makes a cell need quotes."""
        return re.compile(f'[{re.escape(self.delimiter)}"\r\n]')

    def row(self, cells: list[str]) -> str:
        """Write one row; a lone empty cell is quoted, for a blank line is no row."""
        quoted = [
            '"' + cell.replace('"', '""') + '"' if self._quoted(cell) else cell for cell in cells
        ]
        return (self.delimiter.join(quoted) or '""') + self.end

    def _quoted(self, cell: str) -> bool:
        return self.quote_all or self.special.search(cell) is not None


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a CSV file, and what can't be one with its reason."""
    rows = records(file, settings)
    try:
        check_text(layout_of(file, settings).names, settings)
    except Flaw as flaw:
        rows = iter([(WHOLE, flaw)])
    return fields.documents(rows, file, settings)


def records(file: File, settings: Settings) -> Iterator[tuple[int, Record | Flaw]]:
    """Yield (row from 0, record) of a CSV file, or why there is none."""
    name = settings.metadata_field
    for row, found in _rows(file, settings):
        if isinstance(found, Flaw):
            yield row, found
        else:
            held = {name: metadata_of(found[name])} if found.get(name) else {}
            yield row, Record({**found, **held}, found)


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each row."""
    for row, found in _rows(file, settings):
        if not isinstance(found, Flaw):
            yield found.get(settings.id_field) or place_of(file, row)


def _rows(file: File, settings: Settings) -> Iterator[tuple[int, dict[str, str] | Flaw]]:
    """Yield (row from 0, cells by column); blank lines are no rows, but count."""
    row = 0
    try:
        layout = layout_of(file, settings)
        csv.field_size_limit(max(csv.field_size_limit(), byte_limit(settings.max_characters)))
        with _text(file, layout.encoding) as text:
            if layout.declared:
                text.readline()
            reader = csv.reader(text, delimiter=layout.delimiter, strict=True)
            next(reader)
            while True:
                try:
                    cells = next(reader, None)
                except csv.Error:
                    yield row, Flaw("broken quoting: a quote is not closed, or not doubled")
                    row += 1
                    continue
                if cells is None:
                    return
                if cells:
                    yield row, _checked(cells, layout)
                row += 1
    except Flaw as flaw:
        yield row or WHOLE, flaw
    except UnicodeDecodeError:
        said = not_encoded(layout.encoding.codec) + "; the rest of the file is not read"
        yield row or WHOLE, Flaw(said)
    except OSError as error:
        yield row or WHOLE, Flaw(f"can't be read: {error.strerror}")


def _checked(cells: list[str], layout: TableLayout) -> dict[str, str] | Flaw:
    if len(cells) != len(layout.names):
        return Flaw(f"the row has {len(cells)} cells, the header {len(layout.names)}")
    if not all(map(_encodes, cells)):
        return Flaw(not_encoded("utf-8"))
    return dict(zip(layout.names, cells, strict=True))


def _encodes(cell: str) -> bool:
    """Tell whether a cell was UTF-8: a byte that was not came as a surrogate."""
    try:
        return cell.isascii() or bool(cell.encode())
    except UnicodeEncodeError:
        return False


def _text(file: File, encoding: Encoding) -> io.TextIOWrapper:
    """Open a file as text, line ends untouched; bytes that are not UTF-8 show as surrogates."""
    handle = file.open()
    handle.seek(len(encoding.mark))
    errors = "surrogateescape" if encoding.codec == "utf-8" else "strict"
    return io.TextIOWrapper(handle, encoding=encoding.codec, errors=errors, newline="")


def layout_of(file: File, settings: Settings) -> TableLayout:
    """Read off the layout: the delimiter is declared, or the header names the fields we know by it.

    Raises:
        Flaw: there is no header, or it names the column of id, text or metadata twice.
    """
    with file.open() as handle:
        encoding = encoding_of(handle.read(HEAD), settings.encoding)
    with _text(file, encoding) as text:
        try:
            lines = [line for _, line in zip(range(100), text, strict=False)]
        except UnicodeDecodeError:
            raise Flaw(not_encoded(encoding.codec)) from None
    declared = DECLARED.fullmatch(lines[0]) if lines else None
    lines = lines[1:] if declared else lines
    delimiters = declared.groups() if declared else DELIMITERS
    headers = {d: _header(lines, d) for d in delimiters}
    named = {*shape_of(settings).texts, settings.id_field, settings.metadata_field}
    delimiter = max(delimiters, key=lambda d: (len(named & {*headers[d]}), len(headers[d])))
    header = headers[delimiter]
    if not header:
        raise Flaw("no column: it has no header")
    if any(header.count(name) > 1 for name in named):
        raise Flaw("the header names a column twice: rename one")
    if any(not _encodes(name) for name in header):
        raise Flaw(not_encoded("utf-8"))
    first = lines[0]
    end = "\r\n" if first.endswith("\r\n") else "\r" if first.endswith("\r") else "\n"
    quoted = re.findall(r'"(?:[^"]|"")*"', first)
    names = _each_once(header)
    before = declared[0] if declared else ""
    return TableLayout(encoding, header, names, delimiter, end, len(quoted) == len(header), before)


def _each_once(header: tuple[str, ...]) -> tuple[str, ...]:
    """Return column names, numbered where one stands again, as in exports of ticket systems."""
    taken, names = set(header), dict[str, None]()
    numbers = defaultdict[str, Iterator[int]](lambda: count(2))
    for name in header:
        again = (one for n in numbers[name] if (one := f"{name} {n}") not in taken)
        names[next(again) if name in names else name] = None
    return tuple(names)


def _header(lines: list[str], delimiter: str) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader(lines, delimiter=delimiter, strict=True), ()))
    except csv.Error:
        return ()


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked rows in the layout of the file they came from."""
    name, layout = settings.metadata_field, layout_of(file, settings)
    out.write(layout.encoding.mark + layout.declared.encode(layout.encoding.codec))
    out.write(layout.row(list(layout.header)).encode(layout.encoding.codec))
    for masked in group:
        cells = dict(masked.original.record)
        cells |= changed_fields(masked, settings)
        if read := masked.original.metadata:
            text = masked.original.record[name]
            cells[name] = metadata_text(text, read, masked.written.metadata)
        out.write(layout.row(list(cells.values())).encode(layout.encoding.codec))
