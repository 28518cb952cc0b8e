"""Looks up how common a word is as a given name, as a surname, and as a word that is no name.

The names are of many countries, the words of subtitles in seven languages. The table
(`listed_names.npz`, made by `training/gazetteer.py`) contains neither: it has the low 30 bits of
the CRC-32 of each key, sorted, as gaps, and a byte of facts beside each. An unknown word collides
with a listed one once in some 1,700 times.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

FILE = Path(__file__).with_name("data") / "listed_names.npz"
BITS = (1 << 30) - 1
"""Bits of a key's number: with fewer, more words collide; with more, gaps exceed 16 bits."""
COMMON, USUAL, RARE = 1, 2, 3
"""How common a listed name or word is. 0 is none of the kind."""
SURNAME, EVERYDAY, MET, WORD = 2, 4, 5, 6
"""Where in the byte the step of a surname begins, the bits of an everyday word and of a word that
stands in the texts of the word clusters, and where the step of a word begins.
"""


class NameTable(NamedTuple):
    """The numbers of names and words, sorted, and the facts of each."""

    numbers: array[int]
    facts: bytes


class ListedName(NamedTuple):
    """How common a word is as a given name and as a surname (0: not at all), whether it is an
    everyday word as well, whether the texts of the word clusters have it, as a name or not, and how
    common it is in subtitles, which speak of things more than of persons by name.
    """

    given: int
    surname: int
    everyday: bool
    met: bool
    word: int


NOT_LISTED = ListedName(0, 0, False, False, 0)
ALL = tuple(
    ListedName(
        byte & 3,
        byte >> SURNAME & 3,
        bool(byte >> EVERYDAY & 1),
        bool(byte >> MET & 1),
        byte >> WORD,
    )
    for byte in range(256)
)
"""What each byte of facts says."""


def number(key: str) -> int:
    """Return the number of a name by its key (`word_key`)."""
    return crc32(key.encode("utf-8", "replace")) & BITS


def listed(key: str) -> ListedName:
    """Return what is listed of a word by its key (`word_key`). Takes about a microsecond."""
    table, wanted = shipped(), number(key)
    at = bisect_left(table.numbers, wanted)
    if at == len(table.numbers) or table.numbers[at] != wanted:
        return NOT_LISTED
    return ALL[table.facts[at]]


def read(path: Path) -> NameTable:
    """Read a table."""
    with np.load(path, allow_pickle=False) as stored:
        numbers = np.cumsum(stored["gaps"], dtype=np.uint32)
        return NameTable(array("I", numbers.astype(np.uintc).tobytes()), stored["facts"].tobytes())


def write(path: Path, facts: dict[int, int]) -> None:
    """Write a table of facts by names' numbers.

    Raises:
        ValueError: two neighbours are too far apart, because the names are too few.
    """
    numbers = np.array(sorted(facts), np.int64)
    gaps = np.diff(numbers, prepend=0)
    if gaps.max() > np.iinfo(np.uint16).max:
        raise ValueError("too few names: a gap between two of them exceeds 16 bits")
    each = np.array([facts[one] for one in numbers.tolist()], np.uint8)
    np.savez_compressed(path, gaps=gaps.astype(np.uint16), facts=each)


@cache
def shipped() -> NameTable:
    """Return the table of the package, read once."""
    return read(FILE)
