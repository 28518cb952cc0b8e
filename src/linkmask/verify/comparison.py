"""Folds texts for the search for masked values, and tells whole words, apart from the redactor."""

from __future__ import annotations

import re
import unicodedata

from linkmask.text.character_kinds import ALPHANUMERIC, KIND, POINTS
from linkmask.text.characters import (
    ACCENT_CLASS,
    APOSTROPHES,
    DASHES,
    HIDDEN_CLASS,
    PRIMES,
    QUOTES,
)
from linkmask.text.view import text_unescaped


def fold_for_comparison(text: str) -> str:
    """Fold a text for comparison: ignore case, accents and width of spaces; _ is a space.

    Escapes are compared as the characters that they stand for: `%20` is a space, too.
    """
    return fold_but_case(text).casefold()


def fold_but_case(text: str) -> str:
    """Fold a text as `fold_for_comparison` does, save for case."""
    text = text_unescaped(text)
    if not text.isascii():
        text = _NOT_READ.sub("", unicodedata.normalize("NFD", text)).translate(_ALIKE)
    return " ".join(text.replace("_", " ").split())


_NOT_READ = re.compile(f"[{ACCENT_CLASS}{HIDDEN_CLASS}]")


_ALIKE = str.maketrans(
    {
        **dict.fromkeys(DASHES, "-"),
        **dict.fromkeys(APOSTROPHES + PRIMES, "'"),
        **dict.fromkeys(QUOTES, '"'),
    }
)


def is_whole_word(text: str, start: int, end: int) -> bool:
    """Return whether a span is whole words and no part of 52.5 or the like (formulas.md §10.1)."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if (KIND[before] | KIND[after]) & ALPHANUMERIC:
        return False
    if before in POINTS and text[start].isdigit() and start > 1 and text[start - 2].isdigit():
        return False
    return not (after in POINTS and text[end - 1].isdigit() and text[end + 1 : end + 2].isdigit())
