"""Makes surrogate dates: the entity sets by how much year, month and day move, in any notation."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from functools import cache

from linkmask import schema
from linkmask.redact.placeholders import Target
from linkmask.redact.surrogates.draw import Draw, Render

_TOKEN = re.compile(r"(?P<digits>\d+)(?P<suffix>st|nd|rd|th|er|re)?(?!\w)|\d+|[^\W\d_]+")


@cache
def _months() -> dict[str, dict[str, tuple[int, int]]]:
    """Return, for each month's name, its month and which of its spellings it is, by language."""
    months: dict[str, dict[str, tuple[int, int]]] = {}
    for language, rows in schema.words("calendar")["months"].items():
        for month, spellings in enumerate(rows, 1):
            for which, spelling in enumerate(spellings):
                months.setdefault(spelling.casefold(), {})[language] = month, which
    return months


@cache
def _weekdays() -> frozenset[str]:
    return frozenset(
        word.casefold() for row in schema.words("calendar")["weekdays"].values() for word in row
    )


def _month_language(original: str, name: str, language: str) -> str:
    """Return the language of a month's name: "21. Mai" is German, "mai" French, "May" English."""
    languages = _months()[name.casefold()]
    if "de" in languages and re.search(r"\d\.\s", original):
        return "de"
    if language in languages:
        return language
    return min(languages, key=lambda one: ((one == "de") != name[0].isupper(), one))


def date(target: Target, draw: Draw, language: str) -> Render:
    """A date moved by up to three years, to another month and day, in the original's form."""
    years = draw.number("years", 1, 3) * (1 if draw.number("sign", 0, 1) else -1)
    steps = {"month": draw.number("month", 1, 11), "day": draw.number("day", 1, 27)}
    month = _month_of(target)

    def moved(role: str, value: int) -> int:
        if role == "year":
            return value + years
        size = 12 if role == "month" else 28
        return (value - 1 + steps[role]) % size + 1

    def render(original: str) -> str:
        return _rewritten(original, month, language, moved)

    return render


def on_day(original: str, value: str, day: datetime.date, language: str) -> str | None:
    """Write another day in the form of a date; None where the date is not one whole day.

    `value`: the normalized date, YYYY-MM-DD.
    """
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return None
    parts = {"year": day.year, "month": day.month, "day": day.day}
    return _rewritten(original, int(value[5:7]), language, lambda role, _: parts[role])


def _rewritten(original: str, month: int, language: str, moved: Callable[[str, int], int]) -> str:
    """Write a date with each part moved. `month`: the month if it is known, else 0.

    A weekday before the date is left out: the original's would be wrong beside another day.
    """
    original = _without_weekday(original)
    tokens = list(_TOKEN.finditer(original))
    parts, at = [], 0
    small = [int(t[0]) for t in tokens if t[0].isdigit() and len(t[0]) <= 2]
    day_first = len(small) > 1 and _day_first(small, month, original, language)
    # 04/17/1962 has two digits throughout, 4/17/1962 and 17 May 1962 have as many as it takes.
    wide = len(tokens) > 1 and all(t[0].isdigit() and len(t[0]) > 1 for t in tokens)
    for token, role in zip(tokens, _roles(original, tokens, day_first), strict=True):
        parts += [original[at : token.start()], _written(token, role, moved, language, wide)]
        at = token.end()
    return "".join([*parts, original[at:]])


def _without_weekday(original: str) -> str:
    """`Tue, May 3, 2024` → `May 3, 2024`. A month's name stays, "mar" in `mar 3, 2024`, too."""
    names = [t for t in _TOKEN.finditer(original) if not t[0][0].isdigit()]
    months = [t for t in names if t[0].casefold() in _months()]
    if not names or names[0][0].casefold() not in _weekdays() or months == names[:1]:
        return original
    rest = original[names[0].end() :]
    return rest[next(_TOKEN.finditer(rest)).start() :] if _TOKEN.search(rest) else original


def _written(
    token: re.Match[str], role: str, moved: Callable[[str, int], int], language: str, wide: bool
) -> str:
    """Write a token of a date anew, in its own form. `wide`: with two digits at least."""
    old = token[0]
    if role == "name":
        language = _month_language(token.string, old, language)
        month, which = _months()[old.casefold()][language]
        spellings = schema.words("calendar")["months"][language][moved("month", month) - 1]
        new = str(spellings[min(which, len(spellings) - 1)])
        return new.upper() if old.isupper() else new.lower() if old.islower() else new
    if not role:
        return old
    digits, suffix = token["digits"] or old, token["suffix"] or ""
    value = moved(role, int(digits))
    if role == "year" and len(digits) == 2:
        value %= 100
    width = len(digits) if wide or digits[0] == "0" or role == "year" else 1
    return f"{value:0{width}}" + (
        _suffix(value) if suffix in ("st", "nd", "rd", "th") else suffix if value == 1 else ""
    )


def _suffix(value: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10 if value // 10 != 1 else 0, "th")


def _roles(original: str, tokens: list[re.Match[str]], day_first: bool) -> Iterator[str]:
    """Say of each token what it is: year, month, day, the name of a month, or nothing of these."""
    named = any(token[0].casefold() in _months() for token in tokens)
    small = [t for t in tokens if t[0][0].isdigit() and len(t["digits"] or t[0]) <= 2]
    long = [t for t in tokens if t[0].isdigit() and len(t[0]) == 4]
    order = ["day", "month"] if day_first else ["month", "day"]
    if named:
        order = ["day"] * len(small)
        if not long and len(small) > 1:
            order[-1] = "year"
    elif long and small and long[0].start() < small[0].start():
        order = ["month", "day"]
    elif len(small) == 1 and long:
        order = ["month"]
    elif len(small) == 3 and not long:
        order.append("year")
    roles = dict(zip((t.start() for t in small), order, strict=False))
    for token in tokens:
        if token[0].casefold() in _months():
            yield "name"
        elif token in long:
            yield "year"
        else:
            yield roles.get(token.start(), "")


def _month_of(target: Target) -> int:
    """Return the month of a date that is also known in ISO form, else 0."""
    spellings = (*target.surfaces, *target.forms)
    found = next((m for s in spellings if (m := re.search(r"\d{4}-(\d\d)-\d\d", s))), None)
    return int(found[1]) if found else 0


def _day_first(numbers: list[int], month: int, original: str, language: str) -> bool:
    """Tell whether 03/04/2024 is in April: by its numbers, by what is known, by custom."""
    first, second = numbers[:2]
    if first > 12 or second > 12:
        return first > 12
    if month and first != second:
        return second == month
    return language != "en" or re.search(r"\d\.\d", original) is not None
