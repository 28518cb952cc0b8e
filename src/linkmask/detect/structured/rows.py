"""Reads the rows of tables: where the cells of a line stand, and of a row in brackets.

| Roth | Ada |      Roth;Ada      Roth  Ada      "Roth",Ada
(17, 'Roth', 'Ada'), (18, …)      [Roth, Ada, 1961-05-03]      Person("Roth", "Ada")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

from linkmask.schema import compiled

Cell = tuple[int, int]
"""Where a cell's value stands in the text."""
Row = tuple[int, int, list[Cell]]
"""Begin and end of a row in the text, and its cells."""
LONGEST = 1000
"""Characters of a line of a table, at most."""
LEAST_ROWS = 3
"""Rows of a table without a head, at least."""
GAP = "  "
PARTING = ("|", ";", "\t", GAP)
"""What parts the cells of a line."""
_CUT = re.compile(r"[|;\t]")
_BETWEEN_GAPS = re.compile(r"\S++(?: \S++)*+")
_CELL = compiled("rows_cell")
_OPENED = re.compile(r"[(\[]")
_ITEM = compiled("rows_item")
MOST_CELLS = 64
"""Cells of a row in brackets, at most."""
_LITERALS = ("quoted", "double", "called", "bare")


def tables(text: str) -> Iterator[list[list[Cell]]]:
    """Yield the rows of tables with no regard to a head, in linear time.

    They are lines with the same mark and the same number of cells, or rows in brackets with the
    same number of cells which the same text parts.
    """
    if text.count("\n") >= LEAST_ROWS - 1:
        yield from _tables_of_lines(text)
    yield from _tables_in_brackets(text)


def _tables_of_lines(text: str) -> Iterator[list[list[Cell]]]:
    lines, at = list[tuple[str, list[Cell]]](), 0
    for line in text.split("\n"):
        mark = mark_of(line) or ("," if "," in line and ", " not in line else "")
        cells: list[Cell] = []
        if mark and len(line) <= LONGEST:
            by_commas = mark == ","
            end = at + len(line)
            cells = cells_by_commas(text, at, end) if by_commas else cells_of(line, at, mark)
        lines.append((mark, cells))
        at += len(line) + 1
    for (_, width), rows in groupby(lines, key=lambda row: (row[0], len(row[1]))):
        table = [cells for _, cells in rows]
        if width > 1 and len(table) >= LEAST_ROWS:
            yield table


def _tables_in_brackets(text: str) -> Iterator[list[list[Cell]]]:
    pairs = pairwise(in_brackets(text, 0, len(text)))
    for (width, below, _), same in groupby(pairs, key=lambda pair: _parting(text, *pair)):
        table = [cells for pair in same for _, _, cells in pair]
        rows = [table[0], *table[1::2]]
        if width == below and len(rows) >= LEAST_ROWS:
            yield rows


def _parting(text: str, one: Row, other: Row) -> tuple[int, int, str]:
    """Return the number of cells of two rows, and the text that parts these, without its blanks."""
    between = text[one[1] : other[0]] if other[0] - one[1] < LONGEST else str(one[1])
    return len(one[2]), len(other[2]), "".join(between.split())


def mark_of(line: str) -> str:
    """Return what parts the cells of a line, "" if nothing does."""
    cut = _CUT.search(line)
    return cut[0] if cut else GAP if GAP in line.strip() else ""


def cells_by_commas(text: str, start: int, end: int) -> list[Cell]:
    """Return where the cells of a line stand that commas part, without their quotation marks."""
    spans = (
        cell.span("quoted" if cell["quoted"] is not None else "bare")
        for cell in _CELL.finditer(text[start:end])
    )
    return [(start + begin, start + stop) for begin, stop in spans]


def cells_of(line: str, at: int, mark: str) -> list[Cell]:
    """Return where the cells of a line stand that begins at `at`; outer bars part nothing."""
    if mark == GAP:
        spans = (cell.span() for cell in _BETWEEN_GAPS.finditer(line))
        return [(at + start, at + end) for start, end in spans]
    cells = []
    for part in line.split(mark):
        value = part.strip()
        start = at + len(part) - len(part.lstrip())
        cells.append((start, start + len(value)))
        at += len(part) + 1
    if mark == "|":
        cells = cells[line.lstrip()[:1] == "|" : len(cells) - (line.rstrip()[-1:] == "|")]
    return cells


def in_brackets(text: str, start: int, end: int) -> Iterator[Row]:
    """Yield begin, end and cells of each row in brackets: its literals, or the first of a call."""
    for opened in _OPENED.finditer(text, start, end):
        if opened.start() < start:
            continue
        cells, at = list[Cell](), opened.end()
        while len(cells) < MOST_CELLS and (item := _ITEM.match(text, at, end)):
            cells.append(_literal(item))
            at = item.end() + 1
            if not text.startswith(",", at - 1):
                break
        if len(cells) > 1 and text.startswith((")", "]"), at - 1):
            yield opened.start(), at, cells
            start = at


def _literal(item: re.Match[str]) -> Cell:
    """Return where a literal stands without its quotation marks, an empty span for none."""
    return next((item.span(name) for name in _LITERALS if item[name] is not None), (0, 0))
