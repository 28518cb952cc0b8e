"""Folds texts into arrays of character codes, with a map back to the original characters.

Two spellings match if their folded forms are equal: case, accents (composed or not), the kind of
dash, apostrophe and digit, and hidden characters are ignored, and a run of white space is one
space. An underscore is a space, too: `_Jane Doe_` is in italics, and scan_jane_doe.pdf names her.
`str.lower()` would change the length of "İ" and thus shift every later offset. So each character is
folded by itself, through a table that the search reads as it goes, and an array of offsets is kept
where that is not one to one. The search itself handles runs of white space.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkmask.records import Longs
from linkmask.text.characters import APOSTROPHES, DASHES, HIDDEN, LETTERS, PRIMES, QUOTES

Codes = NDArray[np.int32]

WORD = 1 << 21
"""Number added to the code of a letter or digit, so that one comparison recognizes it."""
SEPARATOR = "\0"
"""Character between joined texts. No form contains it, so no match crosses it."""

_UNKNOWN, _DROPPED, _LONGER = -1, -2, -3
_ROOM = 1 << 16
"""Characters that fold to several: fewer than 13,000, with room for two threads that meet one."""
_ALIKE = {"-": DASHES, "'": APOSTROPHES + PRIMES, '"': QUOTES}
_HIDDEN = frozenset(HIDDEN)
_SAME = {other: one for one, others in _ALIKE.items() for other in others} | LETTERS


def _fold(character: str) -> str:
    """Fold one character to none (an accent, or hidden), one, or a few that fold to themselves."""
    if character.isspace() or character == "_":
        return " "
    if "\u0300" <= character <= "\u036f" or character in _HIDDEN:
        return ""
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    if character in _SAME:
        return _SAME[character]
    bare = [c for c in unicodedata.normalize("NFD", character) if not "\u0300" <= c <= "\u036f"]
    folded = "".join(bare).casefold()
    if folded != character:
        folded = "".join(map(_fold, folded))
    return folded if is_word(folded[:1]) == is_word(character) else character


def is_word(character: str) -> bool:
    """Return whether a character is part of a word: a letter or a digit."""
    return character.isalnum()


class _Folds(dict[int, str]):
    """What each character met so far folds to, by code point."""

    def __missing__(self, point: int) -> str:
        self[point] = _fold(chr(point))
        return self[point]


_folds = _Folds()
_ASCII = bytes(ord(_fold(chr(point))) for point in range(128)) + bytes(128)
"""The character that each of ASCII folds to, which is ASCII, too."""


def fold_characters(text: str) -> str:
    """Return a text folded, each character by itself."""
    if text.isascii():  # of short texts, a third of the time
        return text.encode().translate(_ASCII).decode()
    return text.translate(_folds)


def is_dropped(character: str) -> bool:
    """Return whether the search skips a character."""
    return character != "" and _folds[ord(character)] == ""


def punctuation_alike(character: str) -> str:
    """Return the punctuation that folds to the same as a character, itself among it."""
    one = _SAME.get(character, character)
    return one + _ALIKE.get(one, "")


class FoldedCodes(NamedTuple):
    """A text as the search reads it: `codes[characters[i]]` is its i-th folded character.

    `offsets[i]` is where it stood in the text, and one more ends them: the length of the text;
    `None` means 0, 1, 2, …. A character folded to several has its offset several times.
    """

    characters: NDArray[Any]
    codes: Codes
    offsets: Longs | None


class _Table:
    """Folds of the characters met so far, by code point; filled when a new one is met.

    Threads share it: what a character folds to is written before its code says where that is, and
    each place is given out once.
    """

    def __init__(self) -> None:
        self.codes = np.full(0x110000, _UNKNOWN, np.int32)
        self.longer = np.zeros((_ROOM, 4), np.int32)
        self._places = count()
        self.learn(range(128))

    def learn(self, points: Iterable[int]) -> None:
        for point in points:
            folded = [ord(c) for c in _fold(chr(point))]
            if len(folded) == 1:
                self.codes[point] = folded[0] + WORD * is_word(chr(folded[0]))
                continue
            self.learn(c for c in folded if self.codes[c] == _UNKNOWN)
            if folded:
                place = next(self._places)
                self.longer[place] = [len(folded), *folded, *[0] * (3 - len(folded))]
                self.codes[point] = _LONGER - place
            else:
                self.codes[point] = _DROPPED


@cache
def _table() -> _Table:
    return _Table()


def points_of(text: str, wide: bool | None = None) -> NDArray[Any]:
    """Return the code points of a text, in a byte each where that will do, else in four."""
    if not text.isascii() if wide is None else wide:
        return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
    return np.frombuffer(text.encode("ascii"), np.uint8)


def text_from(points: NDArray[Any]) -> str:
    """Return the text that has these code points."""
    wide = points.dtype != np.uint8
    coding = ("utf-32-le", "surrogatepass") if wide else ("ascii",)
    return str(points.view(np.uint8).data, *coding)


def fold(text: str) -> FoldedCodes:
    """Return a text ready to be searched."""
    table, raw = _table(), points_of(text)
    if raw.dtype == np.uint8:
        return FoldedCodes(raw, table.codes, None)
    codes = table.codes[raw]
    if (codes == _UNKNOWN).any():
        table.learn(np.unique(raw[codes == _UNKNOWN]).tolist())
        codes = table.codes[raw]
    if (codes >= 0).all():
        return FoldedCodes(raw, table.codes, None)
    return FoldedCodes(*_stretch(raw, codes, table))


def folded_codes(text: str) -> Codes:
    """Return the folded characters of a form that is searched for; its white space stays."""
    characters, codes, _ = fold(text)
    result: Codes = codes[characters]
    return result


def _stretch(raw: NDArray[Any], codes: Codes, table: _Table) -> tuple[NDArray[Any], Codes, Longs]:
    """Return the folded characters and the offset of each; one may fold to none or to several."""
    counts = np.ones(len(codes), np.int64)
    counts[codes == _DROPPED] = 0
    several = codes <= _LONGER
    counts[several] = table.longer[_LONGER - codes[several], 0]
    offsets = np.repeat(np.arange(len(codes)), counts)
    characters = raw[offsets]
    at = np.flatnonzero(codes[offsets] <= _LONGER)
    nth = at - np.searchsorted(offsets, offsets[at])
    characters[at] = table.longer[_LONGER - codes[offsets[at]], 1 + nth]
    return characters, table.codes, np.append(offsets, len(codes))
