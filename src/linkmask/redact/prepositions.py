"""Writes the preposition that a month takes where a day stood: "on 12 July" becomes "in July"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from linkmask import schema
from linkmask.records import Longs
from linkmask.redact.match import Columns

VOWELS = "aeiouyàâéèêîôû"
_WORD = re.compile(r"(\w+) ?\Z")
REACH = 24
"""Characters in which the word before a preposition is looked for."""


class _Prepositions(NamedTuple):
    """Those before a day, what they become, and the words that ask for them.

    Of all languages at once: in a corpus of several, a date has the language of its first document.
    """

    pattern: re.Pattern[str]
    longest: int
    instead: Mapping[str, Sequence[str]]
    asked_by: frozenset[str]


def with_prepositions(
    text: str, spans: Columns, masks: Sequence[str], dated: Iterable[int]
) -> tuple[Longs, list[str]]:
    """Return where the spans begin and what is written there, with prepositions for months.

    Args:
        spans: starts, ends and entities, sorted and disjoint.
        masks: what is written over each.
        dated: which of them are dates that are written coarser.
    """
    starts, ends, _ = spans
    begins, new = starts.copy(), list(masks)
    for place in dated:
        free = int(ends[place - 1]) if place else 0
        begins[place], new[place] = with_preposition(text, free, int(starts[place]), masks[place])
    return begins, new


def with_preposition(text: str, free: int, start: int, mask: str) -> tuple[int, str]:
    """Return where the span of a date begins and what is written there, with its preposition.

    The span grows over the preposition before it, if this is one of a day.

    Args:
        free: end of the span before this one.
        start: where the date begins.
        mask: what is written over the date; a placeholder is left as it is.
    """
    known = _prepositions()
    found = known.pattern.search(text, max(free, start - known.longest), start)
    if not found or mask.startswith("["):
        return start, mask
    if _asked_for(text[max(free, found.start() - REACH) : found.start()]):
        return start, mask
    return found.start(), _before(found[1], mask)


def _asked_for(before: str) -> bool:
    """Tell whether a preposition belongs to the word before it, as in "based on"; or is a time's.

    "9 am 12/03/2024" has no German preposition.
    """
    word = _WORD.search(before)
    return word is not None and (
        word[1].isdigit() or word[1].casefold() in _prepositions().asked_by
    )


def _before(preposition: str, mask: str) -> str:
    """Return a mask behind the preposition that takes the place of another one."""
    forms = _prepositions().instead[preposition.casefold()]
    form = forms[-1 if mask[0].casefold() in VOWELS else 0]
    if preposition[0].isupper():
        form = form.upper() if preposition.isupper() else form[:1].upper() + form[1:]
    return form + mask


@cache
def _prepositions() -> _Prepositions:
    table = schema.words("calendar")["before_month"]
    rows = {before: forms for known in table.values() for before, forms in known.items()}
    either = "|".join(map(re.escape, sorted(rows, key=len, reverse=True)))
    return _Prepositions(
        re.compile(rf"(?<![\w'’-])({either}) \Z", re.IGNORECASE),
        max(map(len, rows)) + 1,
        rows,
        frozenset(schema.words("calendar")["before_day"]["asked_by"]),
    )
