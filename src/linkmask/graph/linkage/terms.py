"""What a text says to somebody who links texts: terms by kind, read without a detector.

A term's kind says how it is compared. `word`, `gram` (n-grams of letters) and, where a table of
meanings is given, `sense` and `field` tell the topic; `phrase` (two words in a row) what is said of
it; `name` (capitalised words), `code` (letters or marks with digits), `date` and `month` are values
that two texts may share. What masking writes is taken out, but for a pseudonym, which stands for
one value wherever it occurs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from linkmask import schema
from linkmask.graph import dates
from linkmask.text.letters import plain_letters

Meaning = Callable[[str], Sequence[str]]
"""Gives the classes of words used alike that a folded word is in, finest first; () if unknown."""

KINDS = ("word", "gram", "phrase", "sense", "field", "name", "code", "date", "month")
"""Kinds of term."""
GRAM = 4
"""Letters of an n-gram; a blank stands for either end of a word."""

WORD = re.compile(r"\w+(?:[-.'’/@:]\w+)*")
_MONTH = r"[^\W\d_]{3,9}\.?"
DATE = re.compile(
    rf"\b(?:\d{{4}}-\d\d(?:-\d\d)?|\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)? {_MONTH} \d{{4}}"
    rf"|{_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)\b"
)
"""What may be a date; `dates.read` says whether it is one."""
PSEUDONYM = re.compile(r"\[[A-Z_]+_(?:[0-9a-f]{8}){1,2}\]")


class DocumentTerms(NamedTuple):
    """The terms of one text.

    `counts`: how often each occurs, by kind. `days`: its full dates as day numbers (1 is
    0001-01-01).
    """

    counts: Mapping[str, Counter[str]]
    days: tuple[int, ...]


def read(text: str, meaning: Meaning | None = None) -> DocumentTerms:
    """Return the terms of a text."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    counts["code"].update(PSEUDONYM.findall(text))
    text = _placeholders().sub(" ", text)
    found = [iso for match in DATE.finditer(text) if (iso := dates.read(match.group()))]
    counts["date"].update(found)
    counts["month"].update(iso[:7] for iso in found)
    before = ""
    for match in WORD.finditer(text):
        written = match.group()
        folded = plain_letters(written).casefold()
        counts["word"][folded] += 1
        counts["phrase"][f"{before} {folded}"] += 1
        before = folded
        if any(letter.isdigit() for letter in written):
            counts["code"][folded] += 1
            continue
        if written[0].isupper() and not _opens(text, match.start()):
            counts["name"][folded] += 1
        counts["gram"].update(grams(folded))
        for kind, group in zip(
            ("sense", "field"), meaning(folded) if meaning else (), strict=False
        ):
            counts[kind][group] += 1
    return DocumentTerms(counts, tuple(sorted({day for iso in found if (day := _day(iso))})))


def grams(word: str) -> list[str]:
    """Return a word's n-grams of letters, a blank at both ends: `" cat"`, `"cat "`."""
    padded = f" {word} "
    return [padded[at : at + GRAM] for at in range(max(1, len(padded) - GRAM + 1))]


@cache
def _placeholders() -> re.Pattern[str]:
    return schema.placeholders(schema.load("insurance").types)


def _opens(text: str, start: int) -> bool:
    """Tell whether a word opens a sentence or a line, where a capital says nothing."""
    lead = text[max(0, start - 3) : start].rstrip(" \"'“(")
    return not lead or lead[-1] in ".!?:\n•-"


def _day(iso: str) -> int:
    """Return the day number of a full date, 0 for what is none."""
    try:
        return date.fromisoformat(iso).toordinal()
    except ValueError:
        return 0
