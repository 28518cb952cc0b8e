"""Finds the characters of a PDF page that must be hidden, and the objects that show them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

from linkmask.corpus.readers.pdf.page_text import Box, laid_out, text_boxes

MARGIN = 0.7
"""Points by which what is painted over is larger than a character."""


Rectangle = tuple[float, float, float, float]
"""Left, bottom, right and top, in points."""


class Hidden(NamedTuple):
    """What is to be taken out of a page: rectangles, and text objects by their address.

    Of an object there is the rectangle around all that is hidden of it.
    """

    rectangles: list[Rectangle]
    objects: dict[int, Rectangle]


def hidden_in(page: Any, spans: Sequence[tuple[int, int]]) -> Hidden:
    """Find the characters of a page that stand in spans of its text."""
    hidden, textpage = Hidden([], {}), page.get_textpage()
    characters = _characters(textpage) if spans else []
    at = 0
    for piece in laid_out(list(text_boxes(textpage))) if spans else ():
        begin, at = at, at + len(piece if isinstance(piece, str) else piece.text)
        own = [(a - begin, b - begin) for a, b in spans if a < at and b > begin]
        if own and not isinstance(piece, str):
            _hide(textpage, piece, own, characters, hidden)
    textpage.close()
    return hidden


def _hide(
    textpage: Any,
    box: Box,
    spans: Sequence[tuple[int, int]],
    characters: Sequence[tuple[int, Rectangle]],
    hidden: Hidden,
) -> None:
    """Note the characters of a box in spans; all of them, where they can't be told one by one."""
    from pypdfium2 import raw

    inside = [one for one in characters if _stands_in(one[1], box)]
    places = [number for number, letter in enumerate(box.text) if not letter.isspace()]
    groups = [inside]
    if len(inside) == len(places):
        pairs = list(zip(inside, places, strict=True))
        groups = [[one for one, at in pairs if a <= at < b] for a, b in spans]
    else:
        hidden.rectangles.append(box[:4])
    for group in filter(None, groups):
        left, bottom, right, top = reduce(around, (rectangle for _, rectangle in group))
        whole = left - MARGIN, bottom - MARGIN, right + MARGIN, top + MARGIN
        hidden.rectangles.append(whole)
        for index, _ in group:
            shown_by = address_of(raw.FPDFText_GetTextObject(textpage, index))
            hidden.objects[shown_by] = around(whole, hidden.objects.get(shown_by, whole))


def around(one: Rectangle, other: Rectangle) -> Rectangle:
    """Return the smallest rectangle that holds two."""
    left, bottom = (min(pair) for pair in zip(one[:2], other[:2], strict=True))
    right, top = (max(pair) for pair in zip(one[2:], other[2:], strict=True))
    return left, bottom, right, top


def _stands_in(one: Rectangle, box: Box) -> bool:
    across, up = (one[0] + one[2]) / 2, (one[1] + one[3]) / 2
    return box.left <= across <= box.right and box.bottom <= up <= box.top


def _characters(textpage: Any) -> list[tuple[int, Rectangle]]:
    """Return the characters of a page that are no blanks: number, and all that each may cover."""
    from pypdfium2 import raw

    found = []
    for index in range(textpage.count_chars()):
        code = raw.FPDFText_GetUnicode(textpage, index)
        if not chr(code).isspace() and raw.FPDFText_IsGenerated(textpage, index) != 1:
            both = (textpage.get_charbox(index, loose=loose) for loose in (False, True))
            found.append((index, around(*both)))
    return found


def address_of(handle: Any) -> int:
    """Return the address of an object of PDFium, 0 for none."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0
