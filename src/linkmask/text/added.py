"""Finds what a reader of files added to a text: labels before values, and ends of lines in lists.

It stands nowhere in the file, so nothing can be masked there, and no value goes on behind it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence

MARK = ": "
"""What ends a label, such as `birth date: ` of an XML file."""
CELL = " | "
"""What parts the cells of a row."""
_LINE, _ENDS = re.compile(r"[^\n]+"), re.compile(r"\n+")
_SAYS = re.compile(r"[^\W_]")

Span = tuple[int, int]


def label_spans(text: str, labels: Collection[str], start: int = 0) -> tuple[list[Span], set[Span]]:
    """Return the spans of labels from `start` on, and those of lines that are a label's name."""
    spans, names = list[Span](), set[Span]()
    for first, end in _cells(text, start) if labels else ():
        mark = text.find(MARK, first, end)
        if mark < 0:
            if f"{text[first:end]}{MARK}" in labels:
                names.add((first, end))
        elif text[first : mark + len(MARK)] in labels:
            spans.append((first, mark + len(MARK)))
    return spans, names


def line_ends(text: str) -> list[Span]:
    """Return the spans of line ends."""
    return [found.span() for found in _ENDS.finditer(text)]


def outside(text: str, start: int, end: int, added: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of `[start, end)` that say something outside of sorted, disjoint spans."""
    at = start
    for number in range(max(0, bisect_right(added, (start, start)) - 1), len(added)):
        first, last = added[number]
        if first >= end:
            break
        if last > at:
            yield from _trimmed(text, at, first, (start, end))
            at = last
    yield from _trimmed(text, at, end, (start, end))


def _trimmed(text: str, start: int, end: int, whole: Span) -> Iterator[Span]:
    """Yield a part without blanks and punctuation at its edges; the whole stays as it is."""
    if (start, end) == whole:
        yield whole
    elif start < end and (says := _SAYS.search(text, start, end)):
        yield says.start(), start + len(text[start:end].rstrip())


def _cells(text: str, start: int) -> Iterator[Span]:
    """Yield the spans of lines, and of each cell in a line of several."""
    for line in _LINE.finditer(text, start):
        first, last = line.span()
        while (end := text.find(CELL, first, last)) >= 0:
            yield first, end
            first = end + len(CELL)
        yield first, last
