"""Texts as arrays of folded characters, and where each one came from.

Two spellings match when their folded forms are equal: case, accents (composed or not), the kind
of dash, apostrophe and digit do not count, and a run of white space is one space. `str.lower()`
would do neither: it changes the length of "İ", and then every later offset is wrong. Here each
character is folded by itself, and where that is not one to one the array of offsets says so.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from linkmask.records import Longs

Codes = NDArray[np.int32]

WORD = 1 << 21
"""Added to the code of a word character (`\\w`), so that one comparison tells words apart."""
SEPARATOR = "\uffff"
"""Not a character by definition of Unicode: what a match can't cross."""

_SPACE = 32
_UNKNOWN, _DROPPED, _LONGER = -1, -2, -3
_ALIKE = {"-": "‐‑‒–—−", "'": "‘’ʼ′`´", '"': "“”„«»″"}
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "œ": "oe", "æ": "ae"}
_SAME = {other: one for one, others in _ALIKE.items() for other in others} | _LETTERS


def _fold(character: str) -> str:
    """Fold one character to none (a combining accent), one, or a few."""
    if character.isspace():
        return " "
    if "\u0300" <= character <= "\u036f":
        return ""
    if character in _SAME:
        return _SAME[character]
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    bare = [c for c in unicodedata.normalize("NFD", character) if not "\u0300" <= c <= "\u036f"]
    folded = "".join(_SAME.get(c, c) for c in "".join(bare).casefold())
    return folded if is_word(folded[:1]) == is_word(character) else character


def is_word(character: str) -> bool:
    """Return whether `\\w` matches the character."""
    return character.isalnum() or character == "_"


def alike(character: str) -> str:
    """Return the punctuation that folds to the same as a character, itself among it."""
    one = _SAME.get(character, character)
    return one + _ALIKE.get(one, "")


class _Table:
    """Folds of the characters met so far, by code point; filled when a new one is met."""

    def __init__(self) -> None:
        self.codes = np.full(0x110000, _UNKNOWN, np.int32)
        self.longer = np.zeros((0, 4), np.int32)
        self.learn(range(128))

    def learn(self, points: Iterable[int]) -> None:
        for point in points:
            folded = [ord(c) + WORD * is_word(c) for c in _fold(chr(point))]
            if len(folded) == 1:
                self.codes[point] = folded[0]
            elif not folded:
                self.codes[point] = _DROPPED
            else:
                self.codes[point] = _LONGER - len(self.longer)
                row = np.zeros((1, 4), np.int32)
                row[0, 0], row[0, 1 : 1 + len(folded)] = len(folded), folded
                self.longer = np.concatenate([self.longer, row])


@cache
def _table() -> _Table:
    return _Table()


def fold(text: str) -> tuple[Codes, Longs | None]:
    """Return the folded text and the offset of each folded character in `text`.

    The offsets end with one more, the length of the text; `None` means that they are 0, 1, 2, ….
    A character folded to several has its offset several times.
    """
    table = _table()
    raw = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
    codes = table.codes[raw]
    if not text.isascii() and (codes == _UNKNOWN).any():
        table.learn(np.unique(raw[codes == _UNKNOWN]).tolist())
        codes = table.codes[raw]
    space = codes == _SPACE
    repeated = space[1:] & space[:-1]
    if not repeated.any() and (text.isascii() or not (codes < 0).any()):
        return codes, None
    return _stretch(codes, repeated, table.longer)


def _stretch(codes: Codes, repeated: NDArray[np.bool_], longer: Codes) -> tuple[Codes, Longs]:
    """Drop what folds to nothing, write out what folds to several, and keep the offsets."""
    counts = np.ones(len(codes), np.int64)
    counts[1:][repeated] = 0
    counts[codes == _DROPPED] = 0
    several = codes <= _LONGER
    counts[several] = longer[_LONGER - codes[several], 0]
    offsets = np.repeat(np.arange(len(codes)), counts)
    folded = codes[offsets]
    at = np.flatnonzero(folded <= _LONGER)
    nth = at - np.searchsorted(offsets, offsets[at])
    folded[at] = longer[_LONGER - folded[at], 1 + nth]
    return folded, np.append(offsets, len(codes))
