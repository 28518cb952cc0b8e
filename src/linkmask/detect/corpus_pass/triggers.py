"""Tells which spellings are too common to stand alone, and which context each of these needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from linkmask.detect.corpus_pass.statistics import ValueStatistics
from linkmask.detect.lexicon.name_words import is_common_word, vocabulary_covers
from linkmask.schema import compiled, expression, types_of
from linkmask.schema import words as read_words
from linkmask.text.fold import folded_value
from linkmask.text.sentences import follows_end

PERSONS = types_of("person")
AGES = types_of("age")
"""Types of which one number, however it is spelled, has one in the corpus."""
NEVER = "never"
DIGITS = 5
"""Digits from which on a number is looked for by itself, also where a word touches it."""
LONG = 5
"""Letters up to which a lone word (Will, Grant, pain) is too common to be trusted."""
_AGE_TRIGGER = compiled("triggers_age_before")
_YEARS_TRIGGER = compiled("triggers_years")


_MONTHS = frozenset(
    folded_value(name)
    for months in read_words("calendar")["months"].values()
    for month in months
    for name in month
)
"""All spellings of months, folded."""
_COMMON = frozenset(word for words in read_words("common").values() for word in words.split())
"""Everyday words: NO may be a gas in one document and a word in others."""


def trigger_for(surface: str, one: ValueStatistics) -> str:
    """Return the context a spelling needs: "" for none, a name in `TRIGGERS`, or `NEVER`."""
    phrase = " " in surface and surface[0].isalpha() and surface[-1].isalpha()
    letters = surface if phrase else re.sub(r"[\W_]+", "", surface)  # that takes ten times as long
    if len(letters) < 2 or surface in _MONTHS:
        return NEVER
    if letters.isdecimal() and len(letters) < DIGITS:
        return "age" if one.type in AGES else NEVER
    if one.type in SINGLE_WORDS and surface in _COMMON:
        return NEVER
    if letters.isalpha() and " " not in surface:
        if one.surfaces.get(surface, all(one.surfaces.values())):
            return "capital" if one.type in PERSONS and len(letters) > LONG else "inside"
        distinctive = one.type in SINGLE_WORDS and one.score >= SURE and len(letters) > LONG
        return "" if distinctive else NEVER
    return ""


SINGLE_WORDS = types_of("clinical")
"""Types of which one long lower-case word ("glioblastoma") is searched for."""
SURE = 0.7
"""A lone word with a lower score than this is not searched for elsewhere."""


def _stands_as_age(text: str, start: int, end: int) -> bool:
    before, after = text[max(start - 20, 0) : start], text[end : end + 12]
    return bool(_AGE_TRIGGER.search(before) or _YEARS_TRIGGER.match(after))


_PLACED = compiled("triggers_placed")
_PART = re.compile(expression("vocabulary_part"))


def _stands_as_clinic(text: str, start: int, end: int) -> bool:
    """Tell whether capitals stand where a clinic's name does: "at PVH", "PVH eye department"."""
    before, after = text[max(start - 12, 0) : start], text[end : end + 60]
    return text[start:end].isupper() and bool(_PLACED.search(before) or _PART.match(after))


def _stands_as_name(text: str, start: int, end: int) -> bool:
    """Tell whether words have a capital, or no vocabulary has them and it has those around."""
    small = [word for word in text[start:end].split() if not word[0].isupper()]
    return not small or (
        not any(map(is_common_word, small)) and vocabulary_covers(text, start, end)
    )


TRIGGERS: Mapping[str, Callable[[str, int, int], bool]] = {
    "age": _stands_as_age,
    "capital": _stands_as_name,
    "initials": lambda text, start, end: text[start:end].isupper(),
    "placed": _stands_as_clinic,
    "inside": lambda text, start, end: text[start].isupper() and not follows_end(text, start),
    NEVER: lambda text, start, end: False,
}
"""Name of a trigger → does it stand at the span `[start, end)` of the text?"""
