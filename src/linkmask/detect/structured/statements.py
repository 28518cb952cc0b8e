"""Recognizes values in SQL statements by the columns that these name.

    INSERT INTO person (given_name, surname) VALUES ('Jane', 'Roe'), …      a row, as in a table

The columns may also be those of CREATE TABLE, and the rows those of a COPY. The grammar is that of
ISO/IEC 9075-2 and, for COPY, of PostgreSQL. `fields` reads what a statement compares or sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.structured.fields import OF_THINGS
from linkmask.detect.structured.label_types import HUMP
from linkmask.detect.structured.messages import parted
from linkmask.detect.structured.rows import Cell, in_brackets
from linkmask.detect.structured.tables import types_of_columns, values_of_rows
from linkmask.schema import compiled

_IDENTIFIER = re.compile(r"[^\W\d]\w{0,60}")
_CREATE = compiled("statements_create")
_INSERT = compiled("statements_insert")
_TAB = re.compile("\t")


def find(text: str, scope: Scope) -> Iterator[Candidate]:
    """Yield the values of columns that hold direct identifiers, in linear time."""
    small = text.lower() if "'" in text or "stdin" in text else ""
    if "values" in small or "stdin" in small:
        created = {_name(one["table"]): one for one in _CREATE.finditer(text)}
        for insert in _INSERT.finditer(text):
            columns = _columns(insert["columns"])
            if not columns and (table := created.get(_name(insert["table"]))):
                columns = [part.split()[0] for part in _split(table["columns"]) if part.split()]
            reader = _copied if insert["copied"] else _tuples
            read = reader(text, insert.end())
            yield from _rows(text, columns, [row for row in read if len(row) == len(columns)])


def _name(table: str) -> str:
    return table.strip('`"[]').rpartition(".")[2].strip('`"[]').lower()


def _columns(listed: str | None) -> list[str]:
    return [part.strip(' \t\r\n`"[]') for part in listed.split(",")] if listed else []


def _split(columns: str) -> list[str]:
    """Split the definitions of columns at the commas that stand in no brackets."""
    return re.sub(r"\([^()]*\)", "", columns).replace("`", "").replace('"', "").split(",")


def _tuples(text: str, at: int) -> Iterator[list[Cell]]:
    """Yield the rows of VALUES, which commas part."""
    for start, end, cells in in_brackets(text, at, len(text)):
        if text[at:start].strip(" \t\r\n,"):
            return
        yield cells
        at = end


def _copied(text: str, at: int) -> Iterator[list[Cell]]:
    """Yield the rows of a COPY, a line each with tabs between the values, up to "\\."."""
    while at < len(text) and not text.startswith("\\.", at):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield list(parted(_TAB, text, at, end))
        at = end + 1


def _rows(text: str, columns: Sequence[str], rows: list[list[Cell]]) -> Iterator[Candidate]:
    heads = types_of_columns(list(map(_as_head, columns)))
    if not all(columns[number].lower() in OF_THINGS for number in heads):
        yield from values_of_rows(text, heads, rows, ruled=True)


def _as_head(column: str) -> str:
    """Return the name of a column as the words of a head, "" if it is none."""
    return HUMP.sub(" ", column).replace("_", " ") if _IDENTIFIER.fullmatch(column) else ""
