"""Finds many spellings in a text as whole words, exactly, with a few bytes for each spelling.

A text is split into words and what stands between them. A spelling is found where the same row of
both stands, so its hash is looked up at each word. An automaton of the letters of all spellings
would take many times the memory.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from linkmask.runs.arrays import TextArray, text_arrays
from linkmask.verify.comparison import is_whole_word

_WORD = re.compile(r"([^\W_]+)")
"""Letters and digits, as many as stand together."""
_FACTOR = 0x9E3779B97F4A7C15
_LAST = (1 << 64) - 1


class _Numbers(dict[str, int]):
    """The number of each piece of a spelling, from 1 on."""

    def __missing__(self, piece: str) -> int:
        self[piece] = number = len(self) + 1
        return number


class SpellingIndex:
    """Finds spellings by a hash of their words and of the characters between the words.

    Args:
        texts: the spellings, folded, each once.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts: Sequence[str] = TextArray(*text_arrays(texts))
        self._number = _Numbers()
        self._without_words: list[int] = []
        rows: dict[int, tuple[array[int], array[int]]] = {}
        for spelling, text in enumerate(texts):
            pieces = _WORD.split(text)[1:-1]
            if not pieces:
                self._without_words.append(spelling)
                continue
            row = 0
            for piece in pieces:
                row = (row * _FACTOR + self._number[piece]) & _LAST
            hashes, spellings = rows.setdefault(len(pieces), (array("Q"), array("i")))
            hashes.append(row)
            spellings.append(spelling)
        self._rows: dict[int, tuple[Any, Any]] = {}
        for length in sorted(rows):
            both = [np.asarray(one) for one in rows.pop(length)]
            order = np.argsort(both[0], kind="stable")
            self._rows[length] = both[0][order], both[1][order]

    def __len__(self) -> int:
        return len(self._texts)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the number and the start of each spelling that stands in a folded text."""
        pieces = _WORD.split(text)
        starts: Any = None
        for length, at, first, last in self._alike(pieces):
            if starts is None:
                starts = np.cumsum([0, *map(len, pieces)])
            _, spellings = self._rows[length]
            for spelling in spellings[first:last].tolist():
                own = self._texts[spelling]
                begin = int(starts[at]) - _lead(own)
                end = begin + len(own)
                if begin >= 0 and text.startswith(own, begin) and is_whole_word(text, begin, end):
                    yield spelling, begin
        for spelling in self._without_words:
            own = re.escape(self._texts[spelling])
            for place in re.finditer(f"(?={own})", text):
                begin = place.start()
                if is_whole_word(text, begin, begin + len(self._texts[spelling])):
                    yield spelling, begin

    def _alike(self, pieces: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        """Yield where pieces of a text have the hash of spellings: their length, and where it is.

        Then first and last of these spellings in their row.
        """
        size = len(pieces)
        known = np.fromiter(map(self._number.get, pieces, repeat(0)), np.uint64, size)
        at = np.flatnonzero(known[1::2]) * 2 + 1  # words are every other piece
        row = known[at]
        reached = 1
        for length, (hashes, _) in self._rows.items():
            while reached < length:
                inside = at + reached < size
                at, row = at[inside], row[inside]
                further = known[at + reached]
                met = further > 0
                at = at[met]
                row = row[met] * np.uint64(_FACTOR) + further[met]
                reached += 1
            if not len(at):
                return
            first = np.searchsorted(hashes, row)
            last = np.searchsorted(hashes, row, "right")
            for n in np.flatnonzero(last > first).tolist():
                yield length, int(at[n]), int(first[n]), int(last[n])


def _lead(spelling: str) -> int:
    """Return how many characters stand before the first word of a spelling."""
    found = _WORD.search(spelling)
    return found.start() if found else 0
