"""CSV files: one document a row, columns named by the settings, the rest copied as it is."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO

from linkmask.config import Settings
from linkmask.corpus.files import (
    HEAD,
    Encoding,
    File,
    Flaw,
    aside,
    byte_limit,
    encoding_of,
    no_text,
    not_encoded,
)
from linkmask.corpus.jsons import metadata_of
from linkmask.corpus.jsonstyle import metadata_text
from linkmask.records import Document, Masked, Origin, SetAside

DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True)
class Layout:
    """How a file writes its rows: encoding, column names, delimiter, line end, what is quoted."""

    encoding: Encoding
    header: tuple[str, ...]
    delimiter: str
    end: str
    quote_all: bool

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
    for row, found in _rows(file, settings):
        place = f"{file.name}:{row + 1}"
        if isinstance(found, Flaw):
            yield aside(file.name, str(found), row, place)
            continue
        given = found.get(settings.id_field) or place
        try:
            content = found[settings.text_field]
            if len(content) > settings.max_characters:
                raise Flaw("longer than max_characters: raise it, or split the text")
            held = found.get(settings.metadata_field, "")
            metadata = metadata_of(held, settings.metadata_field)
        except Flaw as flaw:
            yield aside(file.name, str(flaw), row, given)
        else:
            yield Document(given, content, metadata, Origin(file.name, row), found)


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each row."""
    for row, found in _rows(file, settings):
        if not isinstance(found, Flaw):
            yield found.get(settings.id_field) or f"{file.name}:{row + 1}"


def _rows(file: File, settings: Settings) -> Iterator[tuple[int, dict[str, str] | Flaw]]:
    """Yield (row from 0, cells by column); blank lines are no rows, but count."""
    row = 0
    try:
        layout = layout_of(file, settings)
        csv.field_size_limit(max(csv.field_size_limit(), byte_limit(settings.max_characters)))
        with _text(file, layout.encoding) as text:
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
        yield row, flaw
    except UnicodeDecodeError:
        yield row, Flaw(not_encoded(layout.encoding.codec) + "; the rest of the file is not read")
    except OSError as error:
        yield row, Flaw(f"can't be read: {error.strerror}")


def _checked(cells: list[str], layout: Layout) -> dict[str, str] | Flaw:
    if len(cells) != len(layout.header):
        return Flaw(f"the row has {len(cells)} cells, the header {len(layout.header)}")
    if not all(map(_encodes, cells)):
        return Flaw(not_encoded("utf-8"))
    return dict(zip(layout.header, cells, strict=True))


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


def layout_of(file: File, settings: Settings) -> Layout:
    """Read off the layout: the delimiter is the one by which the header names the text column.

    Raises:
        Flaw: there is no header with a text column, or it names a column twice.
    """
    with file.open() as handle:
        encoding = encoding_of(handle.read(HEAD))
    with _text(file, encoding) as text:
        try:
            lines = [line for _, line in zip(range(100), text, strict=False)]
        except UnicodeDecodeError:
            raise Flaw(not_encoded(encoding.codec)) from None
    headers = {d: _header(lines, d) for d in DELIMITERS}
    able = [d for d in DELIMITERS if settings.text_field in headers[d]]
    if not able:
        raise Flaw(no_text(f"column {settings.text_field!r}"))
    delimiter = max(able, key=lambda d: len(headers[d]))
    header = headers[delimiter]
    if len(set(header)) != len(header):
        raise Flaw("the header names a column twice: rename one")
    if any(not _encodes(name) for name in header):
        raise Flaw(not_encoded("utf-8"))
    first = lines[0]
    end = "\r\n" if first.endswith("\r\n") else "\r" if first.endswith("\r") else "\n"
    quoted = re.findall(r'"(?:[^"]|"")*"', first)
    return Layout(encoding, header, delimiter, end, len(quoted) == len(header))


def _header(lines: list[str], delimiter: str) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader(lines, delimiter=delimiter, strict=True), ()))
    except csv.Error:
        return ()


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked rows in the layout of the file they came from."""
    layout = layout_of(file, settings)
    out.write(layout.encoding.mark)
    out.write(layout.row(list(layout.header)).encode(layout.encoding.codec))
    for masked in group:
        cells = dict(masked.original.record)
        cells[settings.text_field] = masked.content
        if cells.get(settings.metadata_field):
            cells[settings.metadata_field] = metadata_text(cells[settings.metadata_field], masked)
        out.write(layout.row(list(cells.values())).encode(layout.encoding.codec))
