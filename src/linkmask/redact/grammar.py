"""Fits a coarser value into its sentence, by the word before it.

A month takes another preposition than a day: "on 12 July" becomes "in July". The kind of a clinic
takes an article, as the name did not: "at Alpine Clinic" becomes "at a clinic" (English). It has a
capital where it opens a line or a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from linkmask import schema
from linkmask.records import Longs
from linkmask.redact.match import Columns
from linkmask.redact.techniques import DATED, KINDS
from linkmask.text.sentences import takes_capital

FITTED = DATED | KINDS
"""Techniques whose words are fitted."""
VOWELS = "aeiouyàâéèêîôû"
_WORD = re.compile(r"(\w+) ?\Z")
_FIRST_WORD = re.compile(r"[^\W\d_]{3,}")
_NEXT_WORD = re.compile(r"[ \t]+([\w'’-]+)")
_VERBAL = ("ed", "ly", "ing")
_DAYS = re.compile(r"(?<!\d)\d{1,2}(?!\d)\w*\.?(?: ?[-–—] ?| \w{1,7}(?: \w{2,3})? )\d{1,2}(?!\d)")
"""Two days, and what stands between them: "3–5", "3rd to 5", "dem 3. und dem 5"."""
REACH = 24
"""Characters in which the word before a preposition, and that behind a date, is looked for."""


class _Prepositions(NamedTuple):
    """The rows of `prepositions.toml`.

    pattern: finds any of them at the end of a text. rows: by preposition and language, the table
    of forms that it has in this language.
    """

    pattern: re.Pattern[str]
    longest: int
    rows: Mapping[str, Mapping[str, Mapping[str, Any]]]


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
        span = int(starts[place]), int(ends[place])
        begins[place], new[place] = fit(text, free, *span, masks[place], style)
    return begins, new


def fit(text: str, free: int, start: int, end: int, mask: str, style: str) -> tuple[int, str]:
    """Return where the span of a coarser value begins and what is written there, fitted.

    The span of a date grows over the preposition before it, if this is one of a day and both say
    when something was. "Depends on 3 July" and "the 3 July visit" do not.

    Args:
        free: end of the span before this one.
        start, end: where the value stands.
        mask: what is written over it; a placeholder is left as it is.
        style: the style it is written in.
    """
    if mask.startswith("["):
        return start, mask
    if style in DATED:
        return _with_preposition(text, free, start, end, mask)
    before = text[max(free, start - REACH) : start]
    kind = _with_article(before, mask)
    return start, kind[:1].upper() + kind[1:] if takes_capital(text, start) else kind


def _with_preposition(text: str, free: int, start: int, end: int, mask: str) -> tuple[int, str]:
    """Return the span and words of a date with its preposition, if this says when something was.

    The preposition has to be one of the language that the month is named in. A date of digits has
    those on whose form all languages agree.
    """
    prepositions = _prepositions()
    found = prepositions.pattern.search(text, max(free, start - prepositions.longest), start)
    if not found:
        return start, mask
    before, preposition = text[max(free, found.start() - REACH) : found.start()], found[1]
    if preposition.isupper() and before.endswith(", "):  # a state: "Toronto, ON"
        return start, mask
    spoken, is_range = _languages_of(mask), "–" in mask or _two_days(text[start:end], mask)
    if spoken is None and is_range:
        return start, mask
    opens = preposition[0].isupper() and takes_capital(text, found.start())
    made = {
        _written(mask, forms, is_range)
        for language, forms in prepositions.rows[preposition.casefold()].items()
        if (spoken is None or language in spoken)
        and not _asked_for(before, language)
        and (opens or not _before_noun(text[end : end + REACH], language))
    }
    if len(made) != 1 or (new := made.pop()) is None:
        return start, mask
    form, mask = new
    if preposition[0].isupper():
        form = form.upper() if preposition.isupper() else form[:1].upper() + form[1:]
    return found.start(), form + mask


def _written(mask: str, forms: Mapping[str, Any], is_range: bool) -> tuple[str, str] | None:
    """Return what stands before a month, a year or a range, and how this is written."""
    if is_range:
        row = forms.get("before_range")
        if row is None:
            return None
        first, *second = mask.split("–")
        return (row["months"], row.get("and", "–").join((first, *second))) if second else (
            row["month"], mask
        )  # fmt: skip
    row = forms.get("before_month")
    if mask.isdigit():
        row = forms.get("before_year", row)
    return None if row is None else (row[-1 if mask[0].casefold() in VOWELS else 0], mask)


def _languages_of(mask: str) -> frozenset[str] | None:
    """Return the languages that write a month so; None where it is a number or a quarter."""
    word = _FIRST_WORD.match(mask)
    if word is None:
        return None
    named, written = _named_months().get(word[0].casefold()), schema.words("calendar")["written"]
    of, year = mask[word.end() :].startswith(" de "), mask[word.end() :]
    return named and frozenset(
        one for one in named if not year or of == written.get(one, ("", ""))[1].startswith(" de ")
    )


def _two_days(original: str, mask: str) -> bool:
    """Tell whether a value whose month is written holds two days: "3 to 5 May"."""
    return not mask[0].isdigit() and _DAYS.search(original) is not None


def _asked_for(before: str, language: str) -> bool:
    """Tell whether a preposition belongs to the word before it, as in "based on"; or is a time's.

    "9 am 12/03/2024" has no German preposition.
    """
    found = _WORD.search(before)
    if found is None:
        return False
    word, asked_by = found[1].casefold(), _table()[language].get("asked_by", ())
    return word.isdigit() or any(
        word.startswith(one[:-1]) if one.endswith("-") else word == one for one in asked_by
    )


def _before_noun(after: str, language: str) -> bool:
    """Tell whether a day may belong to a noun behind it: "due on 3 July 2024 visit"."""
    follows, word = _table()[language].get("follows"), _NEXT_WORD.match(after)
    if follows is None or word is None or word[1].istitle() or word[1][0].isdigit():
        return False
    return word[1].casefold() not in follows and not word[1].endswith(_VERBAL)


@cache
def _named_months() -> Mapping[str, frozenset[str]]:
    months = schema.words("calendar")["months"]
    named: dict[str, set[str]] = {}
    for language, rows in months.items():
        for name, *_ in rows:
            named.setdefault(name.casefold(), set()).add(language)
    return {name: frozenset(languages) for name, languages in named.items()}


def _table() -> Mapping[str, Any]:
    return schema.words("prepositions")


@cache
def _prepositions() -> _Prepositions:
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    for language, forms in _table().items():
        for kind in ("before_month", "before_year", "before_range"):
            for preposition, form in forms.get(kind, {}).items():
                rows.setdefault(preposition, {}).setdefault(language, {})[kind] = form
    either = "|".join(map(re.escape, sorted(rows, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w'’-])({either}) \Z", re.IGNORECASE)
    return _Prepositions(pattern, max(map(len, rows)) + 1, rows)


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
