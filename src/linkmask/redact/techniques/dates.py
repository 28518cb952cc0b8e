"""Generalizes dates to the month, the quarter or the year, in the words of the language.

The functions read the normalized form (`2024-03-15`, `2024-03`, `--03-15` without a year,
`2023-Q4`, `2023-11-15/2023-11-30`), so every notation of a date gives the same result. They return
None if the result would say as much as before, or if the value has none of these forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from linkmask import schema
from linkmask.text.letters import without_accents

_ISO = re.compile(
    r"(?P<year>\d{4}|-)(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>\d\d))?|-(?P<part>Q[1-4]|H[12]|[a-z]+))?"
)
_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_QUARTER = {"en": "Q{} {}", "fr": "T{} {}", "de": "Q{} {}"}
_FIRST_YEAR = 1938
"""Born earlier, a person is 90 or older by the end of 2027. Moved on with releases, never by the
clock: the same input gives the same output."""


def month(original: str, value: str, language: str) -> str | None:
    """`12 March 2024` → `March 2024`, `12.03.2024` → `2024-03`: words stay words."""
    month_language = _month_language(original, language)
    return _each(value, lambda when: _month(when, month_language, language))


def quarter(original: str, value: str, language: str) -> str | None:
    """`12 March 2024` → `Q1 2024`."""
    return _each(value, lambda when: _quarter(when, language))


def year(original: str, value: str, language: str) -> str | None:
    """`12 March 2024` → `2024`; years that tell an age of 90 or more are not left."""
    return _each(value, _year)


def may_name_day(value: str) -> bool:
    """Tell whether a date may be exact, though no technique can write it.

    Such a date is in a year that is not left, or in a form that is not read: a year beside two
    numbers, or digits enough for a day, a month and two of a year.
    """
    ends = _ends(value)
    if all(ends):
        return any(end["day"] for end in ends if end)
    rest, years = _YEAR.subn("", value)
    numbers = re.findall(r"\d+", rest)
    return sum(map(len, numbers)) >= 5 or bool(years and len(numbers) >= 2)


def _each(value: str, written: Callable[[re.Match[str]], str | None]) -> str | None:
    """Write both ends of a range, once where they read the same."""
    ends = _ends(value)
    parts = [written(end) if end else None for end in ends]
    dates = [part for part in parts if part is not None]
    return "–".join(dict.fromkeys(dates)) if len(dates) == len(ends) <= 2 else None


def _ends(value: str) -> list[re.Match[str] | None]:
    return [_ISO.fullmatch(end) for end in value.removeprefix("~").split("/")]


def _month(when: re.Match[str], month_language: str | None, language: str) -> str | None:
    if not when["month"]:
        return _quarter(when, language)
    year = _year(when)
    if year and month_language is None:
        return f"{year}-{when['month']}"
    rows = schema.words("calendar")["months"]
    spoken = month_language or language
    name = rows.get(spoken, rows["en"])[int(when["month"]) - 1][0]
    if when["year"] == "-" or not year:
        return name if when["year"] == "-" else None
    _, more = schema.words("calendar")["written"].get(spoken, ("", " {year}"))
    return f"{name}{more.format(year=year)}"


def _month_language(original: str, language: str) -> str | None:
    """Return the language that a date names its month in; None where it is all digits.

    One date stands in documents of several languages; the document's own wins where it fits. Of
    others, a capital tells "Mai" from "mai", and "de" the Spanish from the Italian "marzo". Short
    forms ("14 feb") are written without a capital in any language.
    """
    spelled = set(re.findall(r"[^\W\d_]{3,}", original))
    words = set(map(_folded, spelled))
    months, rows = _months(), schema.words("calendar")["months"]
    written, has_de = schema.words("calendar")["written"], " de " in original

    def differs(one: str) -> tuple[bool, bool]:
        joined = " de " in written.get(one, ("",))[0]
        whole = any(_folded(row[0]) in words for row in rows[one])
        capital = whole and not any(spelled.intersection(row) for row in rows[one])
        return capital, joined != has_de

    fitting = [one for one in (language, *months) if words & months.get(one, set())]
    return min(fitting, key=differs, default=None)


@cache
def _months() -> dict[str, set[str]]:
    """Return all spellings of months by language."""
    rows = schema.words("calendar")["months"]
    return {one: {_folded(word) for row in rows[one] for word in row} for one in rows}


def _folded(word: str) -> str:
    return without_accents(word.casefold(), "NFKD")


def _quarter(when: re.Match[str], language: str) -> str | None:
    year = _year(when)
    if year is None or (when["part"] and when["part"][0] != "Q"):
        return year
    if when["part"]:
        number = int(when["part"][1])
    elif when["month"]:
        number = (int(when["month"]) + 2) // 3
    else:
        return year
    return _QUARTER.get(language, _QUARTER["en"]).format(number, year)


def _year(when: re.Match[str]) -> str | None:
    year = when["year"]
    return year if year != "-" and int(year) >= _FIRST_YEAR else None
