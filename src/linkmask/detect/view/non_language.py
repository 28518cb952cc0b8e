"""Finds stretches that are not language: base64, hexadecimal, sequences, one very long word.

Lexicon, tagger and labels do not read them. They are searched only for values whose form shows
without context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask.schema import types_of

LEAST = 160
"""Smallest number of characters of a stretch; a single digest, key or token is a value."""
LETTERS = 40
"""Letters up to which a word may be one; German and chemistry have such."""
SHAPED = types_of("email", "phone", "account", "card", "national", "url", "network")
"""Types whose values have a form that shows without words around it."""

_RUN = re.compile(r"[A-Za-z0-9+/=_-]{60,}+")
"""A run without words: a line of base64 in a mail has 76, a signed one 64."""
_LINE_END = re.compile(r"[\s>]{1,8}")
"""A line end, also one that reads as a blank because the lines were taken for wrapped prose."""
_PART = re.compile(r"[^\W_]++")

Stretch = tuple[int, int, bool]
"""Begin and end, and whether it is language."""


def stretches(text: str) -> Iterator[Stretch]:
    """Yield the stretches of a text in order and without gaps, in linear time."""
    at = 0
    for start, end in _encoded(text):
        if at < start:
            yield at, start, True
        yield start, end, False
        at = end
    if at < len(text) or not text:
        yield at, len(text), True


def _encoded(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of lines without words that follow one another, if they are long together."""
    start = end = 0
    for run in _RUN.finditer(text):
        if not _wordless(run[0]):
            continue
        if not _LINE_END.fullmatch(text, end, run.start()):
            if end - start >= LEAST:
                yield start, end
            start = run.start()
        end = run.end()
    if end - start >= LEAST:
        yield start, end


def _wordless(run: str) -> bool:
    """Is less than half of a run made of words, in small letters, in capitals or with one?"""
    words = sum(len(part) for part in _PART.findall(run) if _word(part))
    return 2 * words < len(run)


def _word(part: str) -> bool:
    return len(part) <= LETTERS and part.isalpha() and (part[1:].islower() or part.isupper())
