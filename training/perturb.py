"""Copies of a text as hasty writers, scanners and programs leave it.

Every character keeps its place, so that marks stand where they stood.
"""

from __future__ import annotations

import re
import unicodedata
from random import Random

_READ_AS = {
    "0": "O",
    "O": "0",
    "1": "l",
    "l": "1",
    "I": "1",
    "S": "5",
    "5": "S",
    "B": "8",
    "8": "B",
}
_BLANK = re.compile(r"(?<=\S) (?=\S)")
_NAME = re.compile(r"\b[A-ZÀ-Þ](?=[a-zà-ÿ])")


def capitals(text: str, r: Random) -> str:
    """All in capitals."""
    return "".join(c.upper() if len(c.upper()) == 1 else c for c in text)


def small(text: str, r: Random) -> str:
    """Without any capital."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def careless(text: str, r: Random) -> str:
    """Words that begin with a capital mostly without."""
    return _NAME.sub(lambda m: m[0].lower() if r.random() < 0.7 else m[0], text)


def bare(text: str, r: Random) -> str:
    """Without accents."""
    return "".join(unicodedata.normalize("NFD", c)[0] for c in text)


def scanned(text: str, r: Random) -> str:
    """Now and then 0 for O, 1 for l, and so on."""
    return "".join(_READ_AS[c] if c in _READ_AS and r.random() < 0.12 else c for c in text)


def broken(text: str, r: Random) -> str:
    """With line ends where blanks were, also within names."""
    return _BLANK.sub(lambda m: "\n" if r.random() < 0.15 else " ", text)


WAYS = (capitals, small, careless, bare, scanned, broken)


def perturbed(text: str, seed: str) -> str:
    """Return the text in one of these ways, the same for the same seed; it stays as long."""
    r = Random(seed)
    return r.choice(WAYS)(text, r)
