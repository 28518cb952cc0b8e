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
from linkmask.detect.structured.label_types import HUMP
from linkmask.detect.structured.messages import parted
from linkmask.detect.structured.tables import USER, Cell, column_type, fits_column, values_of_rows
from linkmask.detect.structured.user_names import user_in
from linkmask.schema import compiled

NAMES_OF_THINGS = frozenset({"name", "nom", "nombre", "nome", "naam", "title", "city", "country"})
"""Columns of things, too: they count beside a column that things do not have."""
_IDENTIFIER = re.compile(r"[^\W\d]\w{0,60}")
_CREATE = compiled("statements_create")
_INSERT = compiled("statements_insert")
_TOKEN = compiled("statements_token")
_LITERALS = ("quoted", "double", "number")
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
    """Yield the rows of VALUES: where each of their literals stands, an empty span for others."""
    row: list[Cell] = []
    depth, cell, closed = 0, (at, at), False
    for token in _TOKEN.finditer(text, at):
        mark = token["mark"]
        if mark == "(":
            depth += 1
            row, cell = ([], (at, at)) if depth == 1 else (row, cell)
        elif mark in (",", ")") and depth == 1:
            row.append(cell)
            cell = (at, at)
        elif depth == 1 and not mark and cell == (at, at):
            literal = next((name for name in _LITERALS if token[name] is not None), "")
            cell = token.span(literal) if literal else cell
        if mark == ")":
            depth -= 1
            closed = depth == 0
            if closed:
                yield row
        elif closed and depth == 0:
            if mark != ",":
                return
            closed = False


def _copied(text: str, at: int) -> Iterator[list[Cell]]:
    """Yield the rows of a COPY, a line each with tabs between the values, up to "\\."."""
    while at < len(text) and not text.startswith("\\.", at):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield list(parted(_TAB, text, at, end))
        at = end + 1


def _rows(text: str, columns: Sequence[str], rows: list[list[Cell]]) -> Iterator[Candidate]:
    heads = {number: kind for number, name in enumerate(columns) if (kind := _type_of_column(name))}
    if not all(columns[number].lower() in NAMES_OF_THINGS for number in heads):
        yield from values_of_rows(text, heads, rows, ruled=True)


def _compared(text: str, pair: re.Match[str]) -> Iterator[Candidate]:
    """Yield the values with which a statement compares a column, or that it gives it."""
    kind = "" if pair["key"].lower() in NAMES_OF_THINGS else _type_of_column(pair["key"])
    for value in _VALUE.finditer(text, *pair.span("values")) if kind else ():
        if kind == USER:
            yield from user_in(text, *value.span("value"))
        elif fits_column(value["value"], kind, alone=True):
            yield Candidate(*value.span("value"), kind, "tables", "column", 0.85)


def _type_of_column(column: str) -> str:
    words = HUMP.sub(" ", column).replace("_", " ")
    return column_type(words) if _IDENTIFIER.fullmatch(column) else ""
