"""Cuts out of candidates what a reader added between values: line ends, and labels before them,
such as `birth date: ` of an XML file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve import LEARNED

MARK = ": "
"""What ends a label."""
CELL = " | "
"""What parts the cells of a row."""
_LINE, _ENDS = re.compile(r"[^\n]+"), re.compile(r"\n+")
_SAYS = re.compile(r"[^\W_]")


def beside_labels(
    text: str, labels: Collection[str], start: int, found: list[Candidate]
) -> list[Candidate]:
    """Return the candidates without labels where lines and cells begin, from `start` on.

    A label stands nowhere in the file, so that nothing there could be masked; it is searched as a
    key of the input. A candidate that reaches over one becomes two. In a line that is a label's
    name and nothing else ("patient_name"), the model finds nothing: it reads sentences.
    """
    if not labels or not found:
        return found
    spans, names = _spans(text, labels, start)
    starts, beside = [first for first, _ in spans], list[Candidate]()
    for one in found:
        if one.detector == LEARNED and (one.start, one.end) in names:
            continue
        at = one.start
        for number in range(max(0, bisect_right(starts, at) - 1), len(spans)):
            first, end = spans[number]
            if first >= one.end:
                break
            if end > at:
                beside += _part(text, one, at, first)
                at = end
        beside += _part(text, one, at, one.end)
    return beside


def within_lines(text: str, found: list[Candidate]) -> list[Candidate]:
    """Return the candidates of a text that has a value a line, each within one line."""
    within = list[Candidate]()
    for one in found:
        at = one.start
        for end in _ENDS.finditer(text, at, one.end):
            within += _part(text, one, at, end.start())
            at = end.end()
        within += _part(text, one, at, one.end)
    return within


def _spans(
    text: str, labels: Collection[str], start: int
) -> tuple[list[tuple[int, int]], set[tuple[int, int]]]:
    """Return the spans of labels, and those of lines that are a label's name."""
    spans, names = list[tuple[int, int]](), set[tuple[int, int]]()
    for first, end in _cells(text, start):
        mark = text.find(MARK, first, end)
        if mark < 0:
            if f"{text[first:end]}{MARK}" in labels:
                names.add((first, end))
        elif text[first : mark + len(MARK)] in labels:
            spans.append((first, mark + len(MARK)))
    return spans, names


def _cells(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of lines, and of each cell in a line of several."""
    for line in _LINE.finditer(text, start):
        first, last = line.span()
        while (end := text.find(CELL, first, last)) >= 0:
            yield first, end
            first = end + len(CELL)
        yield first, last


def _part(text: str, one: Candidate, start: int, end: int) -> Iterator[Candidate]:
    """Yield what a candidate holds within `[start, end)`, if that says anything."""
    if (start, end) == (one.start, one.end):
        yield one
    elif start < end and (says := _SAYS.search(text, start, end)):
        yield one._replace(start=says.start(), end=start + len(text[start:end].rstrip()))
