"""Writes a date given in its one form (`dates`) as people write it."""

from __future__ import annotations

import re

from linkmask import schema

QUARTER_FORMS = (
    "Q{q} {y}", "Q{q}/{y}", "{y} Q{q}", "{y}-Q{q}", "{nth} quarter of {y}", "{nth} quarter {y}",
    "T{q} {y}", "{q}. Quartal {y}", "{q}e trimestre {y}",
)  # fmt: skip


def date_spellings(value: str, day_first: bool | None = None) -> list[str]:
    """Return the common ways of writing a date given in its one form, most common first.

    Ways that could be read as another date are left out: 04/03/2024 only if `day_first` is known.
    """
    if match := re.fullmatch(r"(\d{4}|-)-(\d{2})-(\d{2})", value):
        year = None if match[1] == "-" else int(match[1])
        return _days(year, int(match[2]), int(match[3]), day_first)
    if match := re.fullmatch(r"(\d{4})-(\d{2})", value):
        return _months(int(match[1]), int(match[2]))
    if match := re.fullmatch(r"(\d{4})-Q([1-4])", value):
        nth = ("first", "second", "third", "fourth")[int(match[2]) - 1]
        return [way.format(y=match[1], q=match[2], nth=nth) for way in QUARTER_FORMS]
    if match := re.fullmatch(r"(\d{4})-([a-z]+)", value):
        spellings = schema.words("calendar")["seasons"].get(match[2], [])
        return [f"{word} {match[1]}" for word in spellings] + [
            f"{word} of {match[1]}" for word in spellings[:1]
        ]
    return []


def _names(month: int) -> dict[str, list[str]]:
    return {lang: rows[month - 1] for lang, rows in schema.words("calendar")["months"].items()}


def _days(year: int | None, month: int, day: int, day_first: bool | None) -> list[str]:
    names = _names(month)
    end = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in (11, 12, 13) else 0, "th")
    tail = "" if year is None else f" {year}"
    comma = "" if year is None else f", {year}"
    ways: list[str] = []
    for name in names["en"]:
        ways += [f"{name} {day}{comma}", f"{day} {name}{tail}", f"{name} {day}{end}{comma}"]
    ways += [f"{day}{end} of {names['en'][0]}{tail}"]
    for language, (way, more) in schema.words("calendar")["written"].items():
        written = "1er" if day == 1 and language == "fr" else day
        whole = way if year is None else way + more
        ways += [whole.format(day=written, month=name, year=year) for name in names[language]]
    if year is None:
        return ways
    ways += [f"{year}-{month:02}-{day:02}", f"{year}/{month:02}/{day:02}"]
    ways += [f"{year}{month:02}{day:02}"] if 1900 <= year < 2100 else []
    ways += [
        f"{day:02}.{month:02}.{year}",
        f"{day}.{month}.{year}",
        f"{day:02}.{month:02}.{year % 100:02}",
    ]
    orders = [True, False] if day > 12 or day == month else [] if day_first is None else [day_first]
    for first in orders:
        a, b = (day, month) if first else (month, day)
        ways += [f"{a:02}/{b:02}/{year}", f"{a}/{b}/{year}", f"{a:02}/{b:02}/{year % 100:02}"]
        ways += [f"{a:02}-{b:02}-{year}"]
    return ways


def _months(year: int, month: int) -> list[str]:
    ways = [f"{name} {year}" for spellings in _names(month).values() for name in spellings]
    ways += [f"{_names(month)['en'][0]} of {year}", f"{month:02}/{year}", f"{month}/{year}"]
    return ways
