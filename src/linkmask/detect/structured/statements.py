"""Recognizes values in SQL statements by the columns that these name.

    INSERT INTO person (given_name, surname) VALUES ('Jane', 'Roe'), …      a row, as in a table
    UPDATE person SET surname = 'Roe' WHERE given_name IN ('Jane', 'Ann')   a label and its value

The columns of a table may also be those of its CREATE TABLE, and the rows those of a COPY. The
grammar is that of ISO/IEC 9075-2 and, for COPY, of PostgreSQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.structured.fields import OF_THINGS
from linkmask.detect.structured.label_types import HUMP
from linkmask.detect.structured.messages import parted
from linkmask.detect.structured.rows import Cell, in_brackets
from linkmask.detect.structured.tables import (
    USER,
    column_type,
    fits_column,
    types_of_columns,
    values_of_rows,
)
from linkmask.detect.structured.user_names import user_in
from linkmask.schema import compiled

_IDENTIFIER = re.compile(r"[^\W\d]\w{0,60}")
_CREATE = compiled("statements_create")
_INSERT = compiled("statements_insert")
_STATEMENT = re.compile(r"(?i)\b(?:where|set|select|using)\b")
_COMPARED = compiled("statements_compared")
_ALIASED = compiled("statements_aliased")
_TAB = re.compile("\t")
_VALUE = re.compile(r"'%?(?P<value>[^'\n%]{1,120})%?'")


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
    if small and _STATEMENT.search(text):
        for pattern in (_COMPARED, _ALIASED):
            for pair in pattern.finditer(text):
                yield from _compared(text, pair)


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


def _compared(text: str, pair: re.Match[str]) -> Iterator[Candidate]:
    """Yield the values with which a statement compares a column, or that it gives it."""
    kind = "" if pair["key"].lower() in OF_THINGS else column_type(_as_head(pair["key"]))
    for value in _VALUE.finditer(text, *pair.span("values")) if kind else ():
        if kind == USER:
            yield from user_in(text, *value.span("value"))
        elif fits_column(value["value"], kind, alone=True):
            yield Candidate(*value.span("value"), kind, "tables", "column", 0.85)


def _as_head(column: str) -> str:
    """Return the name of a column as the words of a head, "" if it is none."""
    return HUMP.sub(" ", column).replace("_", " ") if _IDENTIFIER.fullmatch(column) else ""
