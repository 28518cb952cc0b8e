"""Finds words whose letters are set apart: "B r a n d", "B-r-a-n-d", "B. R. A. N. D."."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from linkmask.text.view import view_after_edits

_GAP = r"(?: {1,3}|[-._·*,] {0,2})"
_REST = re.compile(rf"(?<![^\W_]{{2}})(?<=[^\W_])({_GAP})[^\W_](?:\1[^\W_](?![^\W_]))+")
"""What is behind the first letter of such a word: it is found faster from a gap. All gaps of a
word are the same; another one ends it."""
_GAPS = re.compile(rf"{_GAP}(?=[^\W_])")
LONGEST = 200
"""Characters of such a word, at most: a longer run is a table of figures."""
NEAR = 4
"""Characters between two such words, at most, that are read as one text."""


def spelled_words(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield start and end of each word of three letters or more that are set apart alike.

    `start` and `end`: the part of the text that is searched.
    """
    for rest in _REST.finditer(text, start, len(text) if end is None else end):
        if rest.end() - rest.start() < LONGEST:
            yield rest.start() - 1, rest.end()


def gaps_in_words(
    text: str, words: Iterable[tuple[int, int]], before_capitals: bool
) -> Iterator[tuple[int, int, str]]:
    """Yield what to leave out of a text to read its spelled words, as edits of it.

    Args:
        text: the text.
        words: start and end of the words, in order.
        before_capitals: whether the gap before a capital and a small letter is left out, too:
            "M c R o t h"; else it is a space: "A d a R o t h", "a R o t h".
    """
    for start, end in words:
        for gap in _GAPS.finditer(text, start + 1, end):
            at = gap.end()
            following = _GAPS.match(text, at + 1, end)
            title = text[at].isupper() and following and text[following.end()].islower()
            yield *gap.span(), " " if title and not before_capitals else ""


def spelled_parts(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield start and end of each spelled word, neighbours as one: "J-o-h-n R-o-t-h"."""
    words = list(spelled_words(text, start, end))
    breaks = [n for n in range(1, len(words)) if words[n][0] - words[n - 1][1] > NEAR]
    for first, last in pairwise([0, *breaks, len(words)] if words else []):
        yield words[first][0], words[last - 1][1]


def spelled_texts(text: str) -> Iterator[str]:
    """Yield what spelled words say, neighbours as one text, in capitals: letter case says nothing.

    Each is read with and without a space before its capitals.
    """
    for start, end in spelled_parts(text):
        near = text[start:end]
        readings = (gaps_in_words(near, spelled_words(near), way) for way in (False, True))
        yield from {view_after_edits(near, reading).text.upper() for reading in readings}
