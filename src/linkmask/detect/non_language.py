"""Finds stretches that are not language: base64, hexadecimal, sequences, one very long word.

Nothing in them is a word to the lexicon, the tagger or a label. They are searched only for values
whose shape shows without context; rows of single bytes are not, as any digits in them look so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

RUN = 60
"""Characters of a run, at least: a line of base64 in a mail has 76, a signed one 64."""
LEAST = 160
"""Characters of a stretch, at least: a single digest, a key or a token is a value like others."""
LETTERS = 40
"""Letters up to which a word may be one; German and chemistry have such."""
SHAPED = frozenset("EMAIL PHONE_NUMBER IBAN CREDIT_CARD NATIONAL_ID URL IP_ADDRESS".split())
"""Types whose values have a form that shows without words around it."""

BYTES = 16
"""Bytes of a row, at least: "4a 6f 0d", as hexadecimal dumps have it."""

_BYTE = r"[0-9A-Fa-f]{2}(?!\w)"
_RUN = re.compile(
    rf"(?P<encoded>[A-Za-z0-9+/=_-]{{{RUN},}}+)"
    rf"|(?<!\w)(?P<bytes>{_BYTE}(?: {_BYTE}){{{BYTES - 1},}}+)"
)
_BETWEEN = re.compile(r"[\s>]{1,8}")
"""A line end, also one that reads as a blank because the lines were taken for wrapped prose."""
_PART = re.compile(r"[^\W_]++")

Kind = Literal["language", "encoded", "bytes"]
Stretch = tuple[int, int, Kind]
"""Begin and end, and what it may be."""


def stretches(text: str) -> Iterator[Stretch]:
    """Yield the stretches of a text in order and without gaps, in linear time."""
    at = 0
    for start, end, kind in _joined(_runs(text), text):
        if end - start < LEAST:
            continue
        if at < start:
            yield at, start, "language"
        yield start, end, kind
        at = end
    if at < len(text) or not text:
        yield at, len(text), "language"


def _runs(text: str) -> Iterator[Stretch]:
    """Yield the runs without words."""
    for run in _RUN.finditer(text):
        if run["bytes"]:
            if _dumped(run["bytes"]):
                yield run.start(), run.end(), "bytes"
        elif _wordless(run[0]):
            yield run.start(), run.end(), "encoded"


def _joined(runs: Iterator[Stretch], text: str) -> Iterator[Stretch]:
    """Yield runs of one kind that stand line below line as one."""
    last: Stretch | None = None
    for start, end, kind in runs:
        if last and last[2] == kind and _BETWEEN.fullmatch(text, last[1], start):
            last = last[0], end, kind
            continue
        if last:
            yield last
        last = start, end, kind
    if last:
        yield last


def _dumped(row: str) -> bool:
    """Does a row of pairs hold letters and digits as bytes do, and not numbers or words alone?"""
    pairs = row.split()
    lettered = sum(not pair.isdecimal() for pair in pairs)
    numbered = sum(not pair.isalpha() for pair in pairs)
    return 4 * min(lettered, numbered) >= len(pairs)


def _wordless(run: str) -> bool:
    """Is less than half of a run made of words, in small letters, in capitals or with one?"""
    words = sum(len(part) for part in _PART.findall(run) if _word(part))
    return 2 * words < len(run)


def _word(part: str) -> bool:
    return len(part) <= LETTERS and part.isalpha() and (part[1:].islower() or part.isupper())
