"""Fits a coarser value into its sentence, by the word before it.

A month takes another preposition than a day: "on 12 July" becomes "in July". The kind of a clinic
takes an article, as the name did not: "at Alpine Clinic" becomes "at a clinic" (English). It has a
capital where it opens a line or a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from linkmask import schema
from linkmask.records import Longs
from linkmask.redact.match import Columns
from linkmask.redact.techniques import DATED, KINDS
from linkmask.text.codes import SEPARATOR

FITTED = DATED | KINDS
"""Techniques whose words are fitted."""
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


def fit_all(
    text: str, spans: Columns, masks: Sequence[str], styles: Iterable[tuple[int, str]]
) -> tuple[Longs, list[str]]:
    """Return where the spans begin and what is written there, fitted.

    Args:
        spans: starts, ends and entities, sorted and disjoint.
        masks: what is written over each.
        styles: which of them are to be fitted, with their styles.
    """
    starts, ends, _ = spans
    begins, new = starts.copy(), list(masks)
    for place, style in styles:
        free = int(ends[place - 1]) if place else 0
        begins[place], new[place] = fit(text, free, int(starts[place]), masks[place], style)
    return begins, new


def fit(text: str, free: int, start: int, mask: str, style: str) -> tuple[int, str]:
    """Return where the span of a coarser value begins and what is written there, fitted.

    The span of a date grows over the preposition before it, if this is one of a day.

    Args:
        free: end of the span before this one.
        start: where the value begins.
        mask: what is written over it; a placeholder is left as it is.
        style: the style it is written in.
    """
    if mask.startswith("["):
        return start, mask
    if style in DATED:
        return _with_preposition(text, free, start, mask)
    before = text[max(free, start - REACH) : start]
    kind = _with_article(before, mask)
    return start, kind[:1].upper() + kind[1:] if _opens_sentence(text, start) else kind


def _opens_sentence(text: str, start: int) -> bool:
    """Tell whether a line, a sentence or one of several joined texts begins at `start`."""
    before = text[max(0, start - REACH) : start].rstrip(" \t")
    return not before or before[-1] in f"\n.!?{SEPARATOR}"


def _with_preposition(text: str, free: int, start: int, mask: str) -> tuple[int, str]:
    known = _prepositions()
    found = known.pattern.search(text, max(free, start - known.longest), start)
    if not found or _asked_for(text[max(free, found.start() - REACH) : found.start()]):
        return start, mask
    forms = known.instead[said := found[1].casefold()]
    if mask.isdigit():
        forms = schema.words("calendar")["before_year"].get(said, forms)
    form = forms[-1 if mask[0].casefold() in VOWELS else 0]
    if found[1][0].isupper():
        form = form.upper() if found[1].isupper() else form[:1].upper() + form[1:]
    return found.start(), form + mask


def _asked_for(before: str) -> bool:
    """Tell whether a preposition belongs to the word before it, as in "based on"; or is a time's.

    "9 am 12/03/2024" has no German preposition.
    """
    word = _WORD.search(before)
    return word is not None and (
        word[1].isdigit() or word[1].casefold() in _prepositions().asked_by
    )


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


def _with_article(before: str, mask: str) -> str:
    """Return the kind of a body with "a" or "an", where one has to stand behind a preposition."""
    words = schema.words("organizations")["article"]
    preposition = _WORD.search(before)
    if preposition is None or preposition[1] not in words["after"]:
        return mask
    first, *_, last = mask.split() * 2
    if not mask.islower() or last in words["none"]:
        return mask
    return f"{'an' if first[0] in 'aeiou' and first not in words['a'] else 'a'} {mask}"
