"""Yields the texts that a text holds in Base64, backwards, unseen, or with its letters set apart.

A document in which the check finds a masked value so is set aside. Only letters that are set apart
are masked in place (`spelled_words`).
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterator

from linkmask.text.spelled_words import spelled_texts

SHORTEST = 12
"""Signs of Base64, at least: a shorter run is likelier a word."""
LONGEST = 100_000
"""Signs of Base64, at most: a longer run is a file, which a text does not hold as such."""

_BASE64 = re.compile(rf"(?<![\w+/-])[A-Za-z0-9+/_-]{{{SHORTEST},{LONGEST}}}+={{0,2}}(?![\w+/=-])")
_USUAL_SIGNS = str.maketrans("-_", "+/")
_REVERSED = re.compile(r"[\u202e\u2067\u202b]([^\u202c\u2069\n]+)")
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
"""Unseen twins of the signs of ASCII, which programs and language models read."""


def hidden_texts(text: str) -> Iterator[str]:
    """Yield the texts that a text holds in Base64, backwards, unseen, or with letters set apart."""
    return (hidden for _, hidden in hidden_ways(text))


def hidden_ways(text: str) -> Iterator[tuple[str, str]]:
    """Yield the same texts, each after how the text holds it, in a phrase of a sentence."""
    for run in _BASE64.finditer(text):
        if decoded := _from_base64(run[0].rstrip("=")):
            yield "in Base64", decoded
    yield from (("with letters set apart", one) for one in spelled_texts(text))
    if not text.isascii():
        yield from (("backwards", run[1][::-1]) for run in _REVERSED.finditer(text))
        for run in _TAGS.finditer(text):
            yield "in unseen characters", "".join(chr(ord(one) - 0xE0000) for one in run[0])


def _from_base64(run: str) -> str:
    """Return the text that Base64 spells, in either alphabet; empty where it spells none."""
    padded = (run + "=" * (-len(run) % 4)).translate(_USUAL_SIGNS)
    try:
        return _printed(a2b_base64(padded, strict_mode=True).decode())
    except ValueError:
        return ""


def _printed(decoded: str) -> str:
    return decoded if all(sign.isprintable() or sign.isspace() for sign in decoded) else ""
