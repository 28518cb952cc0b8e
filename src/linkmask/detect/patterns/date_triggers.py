"""Decides by the words around digits whether they are a date, a birth date or neither."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask import schema
from linkmask.detect.patterns.id_triggers import MASK
from linkmask.detect.recognizers.rule import Judge, Verdict, Widen, after, before, digits
from linkmask.schema import compiled, expression, types

BIRTH = re.compile(expression("date_triggers_birth"))
"""What stands before a birth date: up to 32 characters without a digit may lie between."""

HINTS = tuple(schema.words("context")["birth_hints"])
"""Pieces without which `BIRTH` need not be tried: it is slow, and most dates are no birth dates."""

BORN = re.compile(expression("date_triggers_born"))
"""What stands right after one, and is no label of what follows: "Seen 3/12/24 DOB 9/14/58"."""

DATE_MASK = re.compile(
    rf"\[(?:{'|'.join(sorted(schema.types_of('date', 'age')))})[A-Z0-9_]{{0,12}}\]"
)
"""What masking left of a value is no trigger; that of a date has used up the word before it."""

WEEKDAY = compiled("date_triggers_weekday")
"""A weekday right before a date."""

ON = re.compile(expression("date_triggers_on"))
"""What makes 20 12 2003 a date."""

IN_WORDS = schema.words("context")["before_year"]
IN = re.compile(
    rf"(?i)\n?(?:[ :-]{{1,2}}(?:{'|'.join(w[::-1] for w in IN_WORDS)})(?![^\W_])|[(]|\[(?= )"
    r"| ,[0-9]{2}(?:02|[89]1)(?![\w.,/-]))"
)
"""What stands before it, read backwards: so one try is enough."""
COUNTED = re.compile(expression("date_triggers_counted"))
"""What makes 2019 a year, and what makes it a number of something."""


OUT_OF = frozenset({4, 5, 6, 10, 15, 20, 30})
SCORED = re.compile(expression("date_triggers_scored"))
"""What makes 6/10 six of ten."""


ASKED = re.compile(expression("date_triggers_asked"))
"""A question for it in the line before, or a speaker's words about it there and another's answer,
in which not more than somebody's name stands before the date."""
TIME = re.compile(r"[0-9],?[ T][0-9]{1,2}:[0-9]{2}")
"""What shows that a date says when something was written."""


SAID_AT = re.compile(r"(?::[0-9]{2})?(?: ?[APap]\.?[Mm]\.?)? ?[-–\]]")
"""Behind the time in a chat: 12/03/2024, 08:20 - Ann."""


def _born(text: str, start: int) -> bool:
    """Tell whether a birth word stands before a date, or was asked for in the line before it."""
    lead = before(text, start)
    stamp = TIME.search(text, start, start + 20)
    if lead[-1:] == "\n" and stamp and SAID_AT.match(text, stamp.end()):
        return False
    if "]" in lead:
        lead = MASK.sub("", DATE_MASK.split(lead)[-1])
    lead = lead.lower()
    if any(map(lead.__contains__, HINTS)) and BIRTH.search(lead):
        return True
    if stamp or "\n" not in before(text, start, 120):
        return False
    return ASKED.search(before(text, start, 200)) is not None


def when(text: str, start: int, end: int) -> Verdict:
    """Tell a birth date from any other date by the words around it."""
    born = _born(text, start) or BORN.match(after(text, end, 56))
    return (types.BIRTHDATE, 0.95) if born else (types.EVENT_DATE, 0.9)


SHORT_YEAR = compiled("date_triggers_short_year")
WHOLE_YEAR = re.compile("[0-9]{4}$|['’ .-][0-9]{2}$")


def with_short_year(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in two digits behind day and month where somebody was born then: born 14 may 38."""
    if WHOLE_YEAR.search(text[start:end]) or not _born(text, start):
        return start, end
    year = SHORT_YEAR.match(text, end)
    return start, year.end() if year else end


def whole_day(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in a short year and the weekday, which beside its month would still tell four days."""
    start, end = with_short_year(text, start, end)
    day = WEEKDAY.search(before(text, start, 24))
    return (start - len(day[0]) if day else start), end


def numeric(text: str, start: int, end: int) -> Verdict:
    """Take a numeric date if its parts can be a day, a month and a year."""
    first, second, *rest = (int(part) for part in re.findall("[0-9]+", text[start:end])[:3])
    if first > 31:
        good = 1 <= second <= 12
    elif rest and second <= 31:
        good = 1 <= min(first, second) <= 12 and 1 <= max(first, second) <= 31
    else:
        good = 1 <= first <= 12
    return when(text, start, end) if good else None


def misread(text: str, start: int, end: int) -> Verdict:
    """Take a date after a birth word in which a letter was read for a digit, or a blank added."""
    value = text[start:end]
    misread = not MISREAD.isdisjoint(value) and len(digits(value)) >= 4
    misread = misread or " " in value
    return (types.BIRTHDATE, 0.95) if misread and _born(text, start) else None


def spaced(text: str, start: int, end: int) -> Verdict:
    """Take "20 12 2003" only where a word says that it is a date."""
    trigger = ON.search(before(text, start, 12)) or _born(text, start)
    return when(text, start, end) if trigger and numeric(text, start, end) else None


def score(text: str, start: int, end: int) -> bool:
    """Tell whether "6/10" is a score (pain, strength, sight, a grade) and not a day."""
    first, slash, second = text[start:end].partition("/")
    if not slash or not (first.isdecimal() and second.isdecimal()):
        return False
    if int(second) > 31 or min(int(first), int(second)) > 12:
        return True
    around = before(text, start, 40).rpartition(". ")[2], after(text, end, 28).partition(". ")[0]
    also = any(f"/{second}" in side for side in around)
    return int(second) in OUT_OF and (also or any(map(SCORED.search, around)))


def judge_year(text: str, start: int, end: int) -> Verdict:
    """Take a bare year by the word before it, unless what follows is counted by it."""
    if _born(text, start):
        return types.BIRTHDATE, 0.85
    trigger = IN.match(before(text, start, 24)[::-1]) and not COUNTED.match(after(text, end))
    return (types.EVENT_DATE, 0.7) if trigger else None


MISREAD = frozenset("OolI")


JUDGES: Mapping[str, Judge] = {
    "date": when,
    "date-numeric": numeric,
    "date-misread": misread,
    "date-spaced": spaced,
    "date-year": judge_year,
}
WIDENINGS: Mapping[str, Widen] = {"day": whole_day}
