"""Reads written dates and periods into one form; `date_spellings` writes that form as people do.

The form is ISO 8601's: 2024-03-15, 2024-03, 2024, --03-15 (no year), a range with a slash
(2023-11-15/2023-11-30), and 2023-Q4, 2023-H1, 2023-spring, --Q2 for parts of a year; "early", "mid"
or "late" stands before.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from linkmask import schema
from linkmask.text.letters import plain_letters

PIVOT = 30
"""Years of two digits up to this one are of the 2000s; fixed, so that results stay the same."""


class WrittenDate(NamedTuple):
    """The parts of a written date; None for those that it lacks. `part`: Q1 to Q4, H1, a season."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    part: str = ""
    about: str = ""

    def iso(self) -> str:
        """Return the one form of this date."""
        lead = f"{self.about} " if self.about else ""
        year = "-" if self.year is None else f"{self.year:04}"
        if self.part:
            return f"{lead}{year}-{self.part}"
        month = "" if self.month is None else f"-{self.month:02}"
        return lead + year + month + ("" if self.day is None else f"-{self.day:02}")


@cache
def _vocabulary() -> dict[str, tuple[str, int | str]]:
    """Return what each folded word of the calendar stands for: (kind, number or name)."""
    calendar = schema.words("calendar")
    table: dict[str, tuple[str, int | str]] = {}
    for rows in calendar["months"].values():
        for number, spellings in enumerate(rows, 1):
            table.update((plain_letters(word), ("month", number)) for word in spellings)
    for kind, name in (("season", "seasons"), ("about", "parts"), ("ordinal", "ordinals")):
        for value, spellings in calendar[name].items():
            for word in spellings:
                table.setdefault(plain_letters(word), (kind, value))
    return table


_TOKEN = re.compile(
    r"['’]?[0-9]+(?:st|nd|rd|th|er|re|e|eme)?(?![a-z0-9])|[0-9]+"
    r"|(?:start|beginning|middle|end) of(?= )|[a-z]+"
)
_FILLER = {
    "of", "the", "de", "du", "le", "la", "l", "d", "den", "der", "des", "im", "in", "am", "an",
    "on", "day", "fiscal", "jahres", "annee", "year", "el", "del", "di", "van",
}  # fmt: skip
_BETWEEN = re.compile(
    r"\s*[–—]\s*|\s+-\s+|\s+(?:to|through|thru|until|and|au|a|et|bis|und)\s+|(?<=[\w.])\s*[-/]\s*(?=\w)"
)
_DATE = re.compile(r"(\d{1,4})\s*([-/.| ])\s*(\d{1,2})(?:\s*\2\s*(\d{1,4}))?\.?(?:t[\d:.z+-]*)?$")
_COMPACT = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
"""A date as registers and HL7 write it: 19800312."""
_END = (
    r"(?:(?:early|mid|late) )?(?:[0-9]{4}|-(?=-))(?:-(?:Q[1-4]|H[12]|FY|spring|summer|autumn|winter"
    r"|(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?))?"
)
_OWN = re.compile(f"{_END}(?:/{_END})?")
"""The one form itself."""
_LEAD = re.compile(r"[a-z]{2,20}(?:-[a-z]{2,10})?[ :.,]+")
_TIME = re.compile(r" \d{1,2}:\d\d(?::\d\d)?(?: [a-z]{2,5}| [+-]\d{4})?(?= \d{4}$)")
"""A time between day and year: "May 4 10:21:33 2021"."""
_BOXED = re.compile(r"\d(?: \d){7}$")


def read(surface: str, day_first: bool = False) -> str | None:
    """Return the one form of a written date, or None where it can't be read.

    One word before a day is passed over, as in "Seen 2 April 2024": it must not hide the day.
    `day_first` decides 03/04/2024 and 03-04-2024; with points the day is first anyway.
    """
    if _OWN.fullmatch(surface):
        return surface
    text = _TIME.sub("", plain_letters(surface).strip(" ,."))
    whole = _single(text, day_first)
    if whole:
        return whole.iso()
    for cut in _BETWEEN.finditer(text):
        left, right = text[: cut.start()], text[cut.end() :]
        if both := _range(left, right, day_first):
            return f"{both[0].iso()}/{both[1].iso()}"
    if lead := _LEAD.match(text):
        behind = _single(text[lead.end() :], day_first)
        return behind.iso() if behind and behind.day else None
    return None


def _range(left: str, right: str, day_first: bool) -> tuple[WrittenDate, WrittenDate] | None:
    """Read both ends of a range; an end takes missing parts from the other."""
    end = _single(right, day_first) or _range_end(right)
    start = _single(left, day_first) or _range_end(left)
    if start and start.year and start.iso() == f"{start.year}" and re.fullmatch(r"\d\d", right):
        end = WrittenDate(int(right))
    if not start or not end or not (start.month or end.month or start.part or start.year):
        return None
    if start.day and end.month is None:
        end = end._replace(month=start.month, day=end.day)
    if end.day and start.month is None and not start.part:
        start = start._replace(month=end.month)
    if start.month and start.day and end.day is None and end.month is None:
        return None
    year = start.year if start.year is not None else end.year
    if end.year is not None and end.year < 100 and start.year:
        end = end._replace(year=start.year // 100 * 100 + end.year)
    return start._replace(year=year), end._replace(year=end.year if end.year is not None else year)


def _range_end(text: str) -> WrittenDate | None:
    """Read an end of a range that is a day, or two digits of a year, alone."""
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|er|\.)?(?:,? (\d{4}))?", text.strip())
    if not match or not 1 <= int(match[1]) <= 31:
        return None
    return WrittenDate(day=int(match[1]), year=int(match[2]) if match[2] else None)


def _single(text: str, day_first: bool) -> WrittenDate | None:
    text = text.strip(" ,.")
    if _BOXED.match(text):
        bare = text.replace(" ", "")
        text = f"{bare[:2]}/{bare[2:4]}/{bare[4:]}"
        day_first = True
    if match := _COMPACT.fullmatch(text):
        return WrittenDate(int(match[1]), int(match[2]), int(match[3]))
    if match := _DATE.match(text):
        return _numeric(match, day_first)
    return _in_words(text)


def _numeric(match: re.Match[str], day_first: bool) -> WrittenDate | None:
    first, mark, second, third = match[1], match[2], match[3], match[4]
    a, b = int(first), int(second)
    if len(first) == 4:
        if not 1 <= b <= 12 or (third and not 1 <= int(third) <= 31):
            return None
        return WrittenDate(a, b, int(third) if third else None)
    if third is None:
        return _two(a, b, mark, day_first)
    day, month = (a, b) if day_first or (mark != "/" and mark != "-") else (b, a)
    if month > 12:
        day, month = month, day
    if not (1 <= month <= 12 and 1 <= day <= 31) or len(third) == 3:
        return None
    return WrittenDate(full_year(third), month, day)


def _two(a: int, b: int, mark: str, day_first: bool) -> WrittenDate | None:
    """Read day and month without a year."""
    day, month = (a, b) if day_first or mark == "." else (b, a)
    if month > 12:
        day, month = month, day
    return (
        WrittenDate(None, month, day)
        if mark in "/." and 1 <= month <= 12 and 1 <= day <= 31
        else None
    )


def full_year(written: str) -> int:
    """Return the year that four or two digits mean."""
    number = int(written)
    if len(written) > 2:
        return number
    return number + (2000 if number <= PIVOT else 1900)


def _in_words(text: str) -> WrittenDate | None:
    """Read a date that names a month, a season or a part of the year; each at most once."""
    if match := re.fullmatch(r"(\d{1,2})\s*/\s*(\d{4})", text):
        month = int(match[1])
        return WrittenDate(int(match[2]), month) if 1 <= month <= 12 else None
    if match := re.fullmatch(r"(?:q|t)([1-4])|(\d{4})[ /-]?[qt]([1-4])", text):
        return WrittenDate(int(match[2]) if match[2] else None, part=f"Q{match[1] or match[3]}")
    if match := re.fullmatch(r"([qth])([1-4])[ /'’-]*(?:of )?(?:fy ?)?(\d{4}|\d{2})", text):
        return WrittenDate(full_year(match[3]), part=("H" if match[1] == "h" else "Q") + match[2])
    if match := re.fullmatch(r"fy ?['’]?(\d{4}|\d{2})", text):
        return WrittenDate(full_year(match[1]), part="FY")
    text = re.sub(r"(?<=\d)(?=[a-z]{3})|(?<=[a-z]{3})(?=\d)", " ", text)
    seen: dict[str, int | str] = {}
    vocabulary = _vocabulary()
    for token in _TOKEN.findall(text):
        kind, value = _token_kind(token, vocabulary)
        if not kind or kind in seen:
            return None
        if kind != "filler":
            seen[kind] = value
    return _assemble(seen)


def _token_kind(token: str, vocabulary: dict[str, tuple[str, int | str]]) -> tuple[str, int | str]:
    if token in ("quarter", "trimestre", "quartal"):
        return "length", "Q"
    if token in ("half", "semestre", "halbjahr"):
        return "length", "H"
    if token in vocabulary and vocabulary[token][0] != "ordinal":
        return vocabulary[token]
    number = re.match(r"(['’]?)(\d+)", token)
    if number and len(number[2]) == 4:
        return "year", int(number[2])
    if number and number[1] and len(number[2]) == 2:
        return "year", full_year(number[2])
    if number and 1 <= int(number[2]) <= 31:
        return "day", int(number[2])
    if token in vocabulary:
        return vocabulary[token]
    return ("filler", 0) if token in _FILLER else ("", 0)


def _assemble(seen: dict[str, int | str]) -> WrittenDate | None:
    def number(kind: str) -> int | None:
        return int(seen[kind]) if kind in seen else None

    year, month, day = number("year"), number("month"), number("day")
    about = str(seen.get("about", ""))
    if "length" in seen:
        which = seen.get("ordinal", seen.get("day"))
        return WrittenDate(year, part=f"{seen['length']}{which}", about=about) if which else None
    if "season" in seen:
        return (
            WrittenDate(year, part=str(seen["season"]), about=about)
            if not month and not day
            else None
        )
    if month is None:
        return WrittenDate(year, about=about) if year is not None and day is None else None
    return WrittenDate(year, month, day, about=about)
