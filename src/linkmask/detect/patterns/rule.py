"""Defines a row of the pattern tables, and the notations that keep an expression fast.

A row is tried only near literals that its values always contain (`near`, see prefilter.py). An
expression begins with a plain character set, because `re` skips to it fast. A condition on the
preceding character is therefore tested after the first character: `[0-9](?<!\\w.)` in place of
`(?<!\\w)[0-9]`. Every repetition is bounded or possessive, so time is linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from linkmask.detect.candidates import Candidate

Verdict = tuple[str, float] | None
"""Type and score that a judge gives a match, or None where it is a near-miss."""

Widen = Callable[[str, int, int], tuple[int, int]]
"""From the text and a value's span to the span of what it is part of, which holds it."""

Judge = Callable[[str, int, int], Verdict]
"""From the text and the span `[start, end)` of the value to a verdict."""


class Searched(NamedTuple):
    """A text, its shape (near.py), a byte per character (1 where it is taken), the finds."""

    text: str
    outline: str
    taken: bytearray
    found: list[Candidate]


Scan = Callable[[re.Pattern[str], Searched, int, int], Iterator[re.Match[str]]]
"""From a row's expression, a text and a stretch of it to the matches in there, in order.

Those of which a part is taken may be left out.
"""

NO_DIGIT = (-1, -1)
"""A piece counts whether a digit stands near it or not."""


@dataclass(frozen=True)
class Rule:
    """One row: the expression, what it finds and how sure that is, and where it applies.

    `pattern`'s group `v`, where it has one, is the value; what is around it is context. `score` in
    [0, 1]; `judge` may check sums and context and overrule type and score; `widen` may take in what
    belongs to the value around it, where no other rule has taken it. `near`: pieces of the
    text's shape, one of which a match holds, or has within `reach` characters before or after;
    empty: everywhere. A piece counts only where a digit stands in it, or at most `digit` characters
    before or behind it, and, if `whole`, where no letter continues it. `scan` finds the matches in
    a stretch where not just the expression is searched for. `countries`, `languages`: blank
    separated, empty is all.
    """

    name: str
    type: str
    pattern: str
    score: float = 0.9
    judge: Judge | None = None
    widen: Widen | None = None
    near: tuple[str, ...] = ()
    reach: tuple[int, int] = (64, 96)
    digit: tuple[int, int] = NO_DIGIT
    whole: bool = False
    scan: Scan | None = None
    countries: str = ""
    languages: str = ""


# ── parts of expressions ────────────────────────────────────────────────────────────────────────


def words(spellings: Iterable[str], point: bool = False) -> str:
    """Return an expression for any of the words, in any case, beginning with a character set.

    Accents may be missing; blanks and hyphens within a word are one another. `point`: a full stop
    may follow, but none that ends a sentence.
    """
    by_letter: dict[str, set[str]] = {}
    for word in spellings:
        for form in (word, without_accents(word)):
            by_letter.setdefault(form[0].lower(), set()).add(form[1:].lower())
    heads = "".join(re.escape(letter + letter.upper()) for letter in sorted(by_letter))
    branches = []
    for letter in sorted(by_letter):
        tails = sorted(by_letter[letter], key=lambda tail: (-len(tail), tail))
        body = "|".join(re.sub(r"(\\ |\\-)", "[ -]", re.escape(tail)) for tail in tails)
        branches.append(f"(?<=[{letter}{letter.upper()}])(?i:{body})")
    stop = r"(?:\.(?!\s{1,2}[A-ZÀ-Þ]|\s*$))?" if point else ""
    return rf"[{heads}](?<![^\W\d_].)(?:{'|'.join(branches)}){stop}(?![^\W\d_])"


def pieces(spellings: Iterable[str]) -> tuple[str, ...]:
    """Return the shapes that `words` of the same spellings are found by: their first words."""
    forms = (form for word in spellings for form in (word, without_accents(word)))
    return tuple(sorted({re.split("[ -]", form.lower())[0] for form in forms}))


def without_accents(word: str) -> str:
    """Return the word without accents."""
    split = unicodedata.normalize("NFD", word)
    return "".join(c for c in split if not unicodedata.combining(c))


# ── what stands around ──────────────────────────────────────────────────────────────────────────


def before(text: str, start: int, size: int = 48) -> str:
    """Return what stands before a span, at most `size` characters of it."""
    return text[max(0, start - size) : start]


def after(text: str, end: int, size: int = 24) -> str:
    """Return what stands after a span, at most `size` characters of it."""
    return text[end : end + size]


def digits(value: str) -> str:
    """Return the ASCII digits of a value."""
    return "".join(_DIGITS.findall(value))


_DIGITS = re.compile("[0-9]+")
