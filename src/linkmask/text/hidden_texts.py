"""Yields the texts that a text holds in Base64, backwards, unseen, or with its letters set apart.

None is masked in place: a document in which the check finds a masked value so is set aside.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterator

SHORTEST = 12
"""Signs of Base64, at least: a shorter run is likelier a word."""
LONGEST = 100_000
"""Signs of Base64, at most: a longer run is a file, which a text does not hold as such."""

_BASE64 = re.compile(rf"(?<![\w+/-])[A-Za-z0-9+/_-]{{{SHORTEST},{LONGEST}}}+={{0,2}}(?![\w+/=-])")
_USUAL_SIGNS = str.maketrans("-_", "+/")
_REVERSED = re.compile(r"[\u202e\u2067\u202b]([^\u202c\u2069\n]+)")
_SPACED = re.compile(r" {1,3}\w(?: {1,3}\w(?!\w)){2,200}+")
_MARKED = re.compile(r"[-._·*]\w(?:[-._·* ]\w(?!\w)){2,200}+")
"""Letters, each behind a blank or a mark: they begin so, because that is found faster."""
_GAPS = re.compile(" {2,}")
_MARKS = re.compile("[-._·*]")
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
"""Unseen twins of the signs of ASCII, which programs and language models read."""


def hidden_texts(text: str) -> Iterator[str]:
    """Yield the texts that a text holds in Base64, backwards, unseen, or with letters set apart."""
    for run in _BASE64.finditer(text):
        if decoded := _from_base64(run[0].rstrip("=")):
            yield decoded
    for run in _SPACED.finditer(text):
        yield " ".join(word.replace(" ", "") for word in _GAPS.split(_first_and(run)))
    for run in _MARKED.finditer(text):
        yield _MARKS.sub("", _first_and(run))
    if not text.isascii():
        yield from (run[1][::-1] for run in _REVERSED.finditer(text))
        yield from (
            "".join(chr(ord(one) - 0xE0000) for one in run[0]) for run in _TAGS.finditer(text)
        )


def _first_and(run: re.Match[str]) -> str:
    """Return letters that are set apart with the one before them: "J o h n", "J-o-h-n R-o-t-h"."""
    alone = re.search(r"(?<!\w)\w\Z", run.string[max(run.start() - 2, 0) : run.start()])
    return (alone[0] if alone else "") + run[0]


def _from_base64(run: str) -> str:
    """Return the text that Base64 spells, in either alphabet; empty where it spells none."""
    padded = (run + "=" * (-len(run) % 4)).translate(_USUAL_SIGNS)
    try:
        return _printed(a2b_base64(padded, strict_mode=True).decode())
    except ValueError:
        return ""


def _printed(decoded: str) -> str:
    return decoded if all(sign.isprintable() or sign.isspace() for sign in decoded) else ""
