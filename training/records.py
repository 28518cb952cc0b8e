"""Fields of records as the detector reads them: each one alone, behind its key.

The detector reads a record field by field: "role: assistant" (`detect.view.readings`). A text of
our own that is JSON or a table is therefore also learned from field by field. Otherwise, a single
word behind a key would look like an answer in a form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from linkmask.detect.view.readings import WHOLE, label_of

Spans = list[tuple[int, int, str]]
"""Start, end and label of what is marked in a text."""

_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"(\s*:)?')
DELIMITERS = (",", ";")
COLUMNS = 3
"""Columns of a table, at least."""


def fields(text: str, spans: Sequence[tuple[int, int, str]]) -> Iterator[tuple[str, Spans]]:
    """Yield each short field of a record or a table's row, with its spans: "grade: B".

    Of a table, rows that have as many delimiters as the first line are read. A text that is neither
    has no fields.
    """
    for key, start, end in _json(text) if text[:1] in {"{", "["} else _table(text):
        label = f"{label_of('metadata/' + key)}: "
        if 0 < end - start <= WHOLE:
            moved = len(label) - start
            inside = [(a + moved, z + moved, kind) for a, z, kind in spans if start <= a < z <= end]
            yield label + text[start:end], inside


def _json(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the key of each string and where its value stands; those of a list have its key."""
    key = ""
    for string in _STRING.finditer(text):
        if string[2]:
            key = string[1]
        elif key:
            yield key, *string.span(1)


def _table(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the head of each cell and where the cell stands."""
    first, *lines = text.split("\n")
    mark = max(DELIMITERS, key=first.count)
    heads = first.split(mark)
    if len(heads) < COLUMNS or f"{mark} " in first:
        return
    at = len(first) + 1
    for line in lines:
        cells = line.split(mark)
        for head, cell in zip(heads, cells, strict=False) if len(cells) == len(heads) else ():
            yield head, at, at + len(cell)
            at += len(cell) + 1
        at = at if len(cells) == len(heads) else at + len(line) + 1
