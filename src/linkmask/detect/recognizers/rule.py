"""Defines a row of the pattern tables, and the notations that keep an expression fast.

A row is tried only near literals that its values always contain (`near`, see prefilter.py). An
expression begins with a plain character set, because `re` skips to it fast. A condition on the
preceding character is therefore tested after the first character: `[0-9](?<!\\w.)` in place of
`(?<!\\w)[0-9]`. Every repetition is bounded or possessive, so time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from linkmask.detect.candidates import Candidate
from linkmask.text.letters import without_accents

Verdict = tuple[str, float] | None
"""Type and score that a judge gives a match, or None where it is a near-miss."""

Widen = Callable[[str, int, int], tuple[int, int]]
"""From the text and a value's span to the span of what it is part of, which holds it."""

Judge = Callable[[str, int, int], Verdict]
"""From the text and the span `[start, end)` of the value to a verdict."""


class Searched(NamedTuple):
    """A text, its shape (`prefilter`), a byte per character (1 if a find has it), and the finds."""

    text: str
    outline: str
    taken: bytearray
    found: list[Candidate]


Scan = Callable[[re.Pattern[str], Searched, int, int], Iterator[re.Match[str]]]
"""From a row's expression, a text and a stretch of it to the matches in there, in order.

Those of which a part is taken may be left out.
"""

GUARD = 16
"""A match this close to the end of a stretch may have been cut by it, and is left out."""

NO_DIGIT = (-1, -1)
"""A piece counts whether a digit stands near it or not."""


@dataclass(frozen=True)
class Rule:
    """One row: the expression, what it finds and how sure that is, and where it applies.

    Attributes:
        pattern: the expression. Its group `v`, where it has one, is the value; the rest is context.
        score: the confidence in [0, 1].
        judge: checks sums and context, and may overrule type and score.
        widen: returns the span with what belongs to the value around it; it is taken if no other
            rule has taken that.
        near: pieces of the text's shape. A match holds one of them, or has one within `reach`
            characters before or behind it. Empty: the row is tried everywhere.
        digit: a piece counts only where a digit stands in it, or at most so many characters before
            or behind it.
        whole: a piece counts only where no letter continues it.
        scan: finds the matches in a stretch of text, where a search for the expression is not
            enough.
        countries, languages: separated by blanks; empty means all.
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


compile_once = cache(re.compile)
"""Compiles an expression of a row; `re` itself remembers fewer expressions than there are rows."""

NO_LETTER = r"(?![^\W\d_])"
"""The end of a word."""
CUT_SHORT = 4
"""Letters of a word that is cut short, at most: "sept."."""

# ── parts of expressions ────────────────────────────────────────────────────────────────────────


def words(spellings: Iterable[str], point: bool = False) -> str:
    """Return an expression for any of the words, in any case, beginning with a character set.

    Accents may be missing; blanks and hyphens within a word are one another. `point`: a full stop
    may follow, but none that ends a sentence, and none behind a word that is written out: a longer
    one that begins with another of the words ("February", beside "Feb").
    """
    forms = {form.lower() for word in spellings for form in (word, without_accents(word))}
    whole = {form for form in forms if point and _is_written_out(form, forms)}
    heads = "".join(re.escape(letter + letter.upper()) for letter in sorted({f[0] for f in forms}))
    stop = r"(?:\.(?!\s{1,2}[A-ZÀ-Þ]|\s*$))?" if point else ""
    branches = []
    for letter in sorted({form[0] for form in forms}):
        own = {form for form in forms if form[0] == letter}
        ways = ((own & whole, ""), (own - whole, stop))
        bodies = (f"(?i:{_tails(some)}){end}" for some, end in ways if some)
        branches.append(f"(?<=[{letter}{letter.upper()}])(?:{'|'.join(bodies)})")
    return rf"[{heads}](?<![^\W\d_].)(?:{'|'.join(branches)}){NO_LETTER}"


def _is_written_out(word: str, words: Iterable[str]) -> bool:
    return len(word) > CUT_SHORT and any(
        len(word) > len(other) > 2 and word.startswith(other) for other in words
    )


def _tails(words: Iterable[str]) -> str:
    """Return an expression for what follows the first letter of some words, longest first."""
    tails = sorted({word[1:] for word in words}, key=lambda tail: (-len(tail), tail))
    return "|".join(re.sub(r"(\\ |\\-)", "[ -]", re.escape(tail)) for tail in tails)


def pieces(spellings: Iterable[str]) -> tuple[str, ...]:
    """Return the shapes that `words` of the same spellings are found by: their first words."""
    forms = (form for word in spellings for form in (word, without_accents(word)))
    return tuple(sorted({re.split("[ -]", form.lower())[0] for form in forms}))


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
