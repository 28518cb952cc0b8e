"""Keeps what is computed of each word, by the word."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

NO_WORD = 80
"""Characters: a text this long is no word, and would only fill the memory."""
REMEMBERED = 1 << 18
"""Number of words whose results are kept, in about 40 MB. Where a corpus has more different words,
the result of a word is computed anew as often as it is met."""

T = TypeVar("T")


class WordCache(dict[str, T]):
    """The result of each word seen so far: a dictionary answers twice as fast as `lru_cache`.

    A text too long for a word has the result of the empty word, which is computed each time. When
    too many results are kept, all are dropped.
    """

    def __init__(self, make: Callable[[str], T]) -> None:
        self.make = make

    def __missing__(self, word: str) -> T:
        if len(word) >= NO_WORD:
            return self.make("")
        if len(self) >= REMEMBERED:
            self.clear()
        self[word] = made = self.make(word)
        return made
