"""Orders the text of a PDF page as a person reads it, from what pdfium finds."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

COLUMN = 25
"""Characters that the lines of a column of text have on average; labels of a form have fewer."""
LINES = 6
"""Lines that a column of text has at least."""


class Box(NamedTuple):
    """A piece of a page's text and where it stands, in points from the lower left corner."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


def text_boxes(textpage: Any) -> Iterator[Box]:
    """Yield the pieces of a page's text in the order of the file.

    What one text object shows is a run. Runs that follow one another in a line, a blank apart at
    most, are one piece.
    """
    text, runs = textpage.get_text_range(), _runs(textpage)
    if len(text) != textpage.count_chars() or len(runs) != textpage.count_rects():
        yield from _bounded_boxes(textpage)
        return
    before: Box | None = None
    stop = 0
    for index, (begin, end) in enumerate(runs):
        piece = text[begin:end]
        if not piece.strip():
            continue
        left, bottom, right, top = textpage.get_rect(index)
        box = Box(left, bottom, right, top, _clean(piece))
        between = text[stop:begin] + piece[: len(piece) - len(piece.lstrip())]
        stop = end - len(piece) + len(piece.rstrip())
        if before is not None and _follows(before, box, between):
            before = _joined(before, box, " " if between else "")
            continue
        if before is not None:
            yield before
        before = box
    if before is not None:
        yield before


def _runs(textpage: Any) -> list[tuple[int, int]]:
    """Return the characters `[start, end)` that each text object shows, in the order of the file.

    pdfium has a rectangle for each of them. An end is looked for in growing steps, then by halves.
    """
    from pypdfium2 import raw

    count, page = textpage.count_chars(), textpage.raw

    def shown_by(index: int) -> int:
        handle = raw.FPDFText_GetTextObject(page, index)
        return ctypes.addressof(handle.contents) if handle else 0

    runs: list[tuple[int, int]] = []
    last = start = 0
    while start < count:
        one, low, step = shown_by(start), start, 1
        if not one:  # a blank or line end that pdfium put there
            start += 1
            continue
        while low + step < count and shown_by(low + step) == one:
            low, step = low + step, 2 * step
        end = min(low + step, count)
        while end - low > 1:
            middle = (low + end) // 2
            low, end = (middle, end) if shown_by(middle) == one else (low, middle)
        if one == last:
            runs[-1] = runs[-1][0], end
        else:
            runs.append((start, end))
        start, last = end, one
    return runs


def _follows(before: Box, box: Box, between: str) -> bool:
    """Tell whether a piece goes on in the line of another."""
    high = max(before.top - before.bottom, box.top - box.bottom)
    apart = box.left - before.right
    level = before.bottom < box.top and box.bottom < before.top
    return level and -high / 2 < apart < 2 * high and not set(between) & set("\r\n")


def _joined(one: Box, other: Box, between: str) -> Box:
    left, bottom = min(one.left, other.left), min(one.bottom, other.bottom)
    right, top = max(one.right, other.right), max(one.top, other.top)
    return Box(left, bottom, right, top, one.text + between + other.text)


def _clean(text: str) -> str:
    return " ".join(text.replace("\ufffe", "-").replace("\x02", "-").split())


def _bounded_boxes(textpage: Any) -> Iterator[Box]:
    """Yield the pieces of a page whose characters can't be told apart by number."""
    for index in range(textpage.count_rects()):
        left, bottom, right, top = textpage.get_rect(index)
        if text := _clean(textpage.get_text_bounded(left, bottom, right, top)):
            yield Box(left, bottom, right, top, text)


def text_in_reading_order(boxes: Sequence[Box]) -> str:
    """Return the text of a page as it is read: its lines from above, each from the left.

    Columns of prose are read one after the other. What stands in one line far apart, as a label and
    its value do, is parted by two blanks.
    """
    return "".join(piece if isinstance(piece, str) else piece.text for piece in laid_out(boxes))


def laid_out(boxes: Sequence[Box]) -> list[Box | str]:
    """Return the pieces of a page in reading order, and what stands between them."""
    gutter = _gutter(boxes)
    rows = _rows(boxes) if gutter is None else _rows_of_columns(boxes, gutter)
    pieces: list[Box | str] = []
    for row in rows:
        pieces += ["\n"] if pieces else []
        pieces += _parted(row)
    return pieces


def _rows_of_columns(boxes: Sequence[Box], gutter: float) -> list[list[Box]]:
    columns = [b for b in boxes if b.right <= gutter], [b for b in boxes if b.left >= gutter]
    across = [b for b in boxes if b.left < gutter < b.right]
    highest = max(box.top for column in columns for box in column)
    above = [box for box in across if box.bottom >= highest]
    below = [box for box in across if box.bottom < highest]
    return [row for part in (above, *columns, below) for row in _rows(part)]


def _gutter(boxes: Sequence[Box]) -> float | None:
    """Return where two columns of prose are parted, None where there is one."""
    if len(boxes) < 2 * LINES:
        return None
    low, high = min(b.left for b in boxes), max(b.right for b in boxes)
    for share in (0.5, 0.48, 0.52, 0.45, 0.55, 0.4, 0.6):
        gutter = low + share * (high - low)
        sides = [b for b in boxes if b.right <= gutter], [b for b in boxes if b.left >= gutter]
        across = len(boxes) - len(sides[0]) - len(sides[1])
        if across <= len(boxes) / 10 and all(map(_is_prose, sides)):
            return gutter
    return None


def _is_prose(boxes: Sequence[Box]) -> bool:
    rows = _rows(boxes)
    length = sum(
        len(piece if isinstance(piece, str) else piece.text)
        for row in rows
        for piece in _parted(row)
    )
    return len(rows) >= LINES and length >= COLUMN * len(rows)


def _rows(boxes: Sequence[Box]) -> list[list[Box]]:
    """Return the lines that pieces of text form, each from the left."""
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: (-(box.top + box.bottom), box.left)):
        middle = (box.top + box.bottom) / 2
        if rows and rows[-1][0].bottom < middle < rows[-1][0].top:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row) for row in rows]


def _parted(row: list[Box]) -> Iterator[Box | str]:
    """Yield the pieces of a line, and the blanks between those that stand apart."""
    yield row[0]
    for before, box in pairwise(row):
        gap, high = box.left - before.right, box.top - box.bottom
        if gap >= high / 8:
            yield " " if gap < 2 * high else "  "
        yield box
