"""Decides whether a code found by the tagger belongs to a person; the default is yes.

The tagger recognizes that something is a number, but seldom whose. A person's number is always
masked, a thing's only where the plan needs it, so a doubtful number counts as a person's.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.lexicon.word_features import GIVEN, MARKS
from linkmask.detect.patterns import phones
from linkmask.detect.patterns.id_triggers import (
    NUMBER,
    NUMBER_FR,
    PERSONS,
    REACH,
    WORD,
    fold_same_length,
    last_trigger,
)
from linkmask.schema import types

PERSON, THING = types.PATIENT_ID, types.NON_PERSONAL_ID
(PHONE,) = schema.types_of("phone")
FEWEST = 4
"""Digits, or words for them, of a person's number; "leaflet EX-14" is a thing."""
NEAR = 3
"""Words before a code, in its line, that may say what it is the number of."""
SPOKEN = 6
"""Words of a telephone number that is told figure by figure or in pairs, at least."""
_YEAR = re.compile(r"(?:19|20)\d\d(?: ?[-–—:,]+[a-z –—:,-]*)?$")
_LONE_YEAR = re.compile(r"(?:[^\W\d_]+ ){0,2}(?<![\w#/.-])(?:19|20)\d\d(?![-/.,]?\w)")
_NUMBER = re.compile(r"(?<!\S)[^\s\d]{0,12}\d")
_NUMBERED = PERSONS | {*NUMBER, *NUMBER_FR}
_VARIABLE = re.compile(r"[a-z]+(?:_[a-z]+)+")
"""A name in a program or table: "order_id"."""
_FIGURES = re.compile(rf"(?:[^\d]*+\d){{{FEWEST}}}")


def code_type(text: str, start: int, end: int) -> str:
    """Return the type of the code [start, end), "" if it is a year or the name of a variable.

    "2024 - free", "order_id"; "jane_doe" may be a person's code.
    """
    value = text[start:end]
    if _YEAR.match(value) and not value.isdecimal():
        return ""
    if _VARIABLE.fullmatch(value) and not any(MARKS[one] & GIVEN for one in value.split("_")):
        return ""
    if not _FIGURES.match(value) and (len(value.split()) < FEWEST or not _is_spelled_out(value)):
        return THING
    spoken = _is_spelled_out(value) and len(value.split()) >= SPOKEN
    if spoken and phones.has_trigger(text[max(start - REACH, 0) : start]):
        return PHONE
    trigger = last_trigger(*_before(text, start))
    return THING if trigger and trigger.kind in ("thing", "code") else PERSON


def is_of_catalogue(text: str, start: int, end: int) -> bool:
    """Tell whether a number is the same for everybody: "billing code 99213", "bulletin 2023-45"."""
    number = _NUMBER.search(text, start, end)
    lead, words = _before(text, number.start() if number else start)
    trigger = last_trigger(lead, words)
    ends = trigger and trigger.at + len(trigger.word.split()) == len(words)
    return bool(trigger and trigger.kind == "code" and ends)


def is_nobodys(text: str, start: int, end: int) -> bool:
    """Tell whether a number belongs to nobody: it is of a catalogue, or a calendar year.

    A year behind a word for a person's number, or for any number, may be that: "patient no. 2015".
    """
    if is_of_catalogue(text, start, end):
        return True
    numbered = _before(text, end - len("2024"))[1][-2:]
    return is_calendar_year(text, start, end) and _NUMBERED.isdisjoint(numbered)


def is_calendar_year(text: str, start: int, end: int) -> bool:
    """Tell whether [start, end) is a year, or words and a year: "2024", "ISO 2015"."""
    year = _LONE_YEAR.match(text, start)
    return year is not None and year.end() == end


def _before(text: str, start: int) -> tuple[str, list[str]]:
    """Return what stands before a code in its line, folded, and the last words of it."""
    lead = fold_same_length(text[max(text.rfind("\n", 0, start) + 1, start - REACH) : start])
    return lead, WORD.findall(lead)[-NEAR:]


def _is_spelled_out(value: str) -> bool:
    """Is a code told in words: "two two six one eight"?"""
    return not any(map(str.isdigit, value)) and value.islower()
