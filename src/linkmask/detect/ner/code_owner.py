"""Decides whether a code found by the tagger belongs to a person; the default is yes.

The tagger recognizes that something is a number, but seldom whose. A person's number is always
masked, a thing's only where the plan needs it, so a doubtful number counts as a person's.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.detect.lexicon.word_features import GIVEN, MARKS
from linkmask.detect.patterns import phones
from linkmask.detect.patterns.id_triggers import (
    CATALOGUES,
    NUMBER,
    NUMBER_FR,
    PERSONS,
    REACH,
    THINGS,
    WORD,
    fold_same_length,
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
_OF_ADDRESSES = frozenset(
    word.lower().rstrip(".")
    for words in (
        *(schema.words("addresses")[kind] for kind in ("streets_before", "parts")),
        *(schema.words("streets")[language] for language in LANGUAGES),
    )
    for word in words
)
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
    before = _words_before(text, start)
    return PERSON if THINGS.isdisjoint(before) else THING


def is_of_catalogue(text: str, start: int, end: int) -> bool:
    """Tell whether a number is the same for everybody: "billing code 99213", "bulletin 2023-45"."""
    number = _NUMBER.search(text, start, end)
    before = _words_before(text, number.start() if number else start)
    return bool(before) and not CATALOGUES.isdisjoint((before[-1], " ".join(before[-2:])))


def is_nobodys(text: str, start: int, end: int) -> bool:
    """Tell whether a number belongs to nobody: it is of a catalogue, or a calendar year.

    A year behind a word for a person's number, or for any number, may be that: "patient no. 2015".
    """
    if is_of_catalogue(text, start, end):
        return True
    numbered = _words_before(text, end - len("2024"))[-2:]
    return is_calendar_year(text, start, end) and _NUMBERED.isdisjoint(numbered)


def is_calendar_year(text: str, start: int, end: int) -> bool:
    """Tell whether [start, end) is a year, or words and a year: "2024", "ISO 2015"."""
    year = _LONE_YEAR.match(text, start)
    return year is not None and year.end() == end


def is_year_of_no_address(text: str, start: int, end: int) -> bool:
    """Tell whether an address says a calendar year alone: "Springfield | 1998", "Windows 2000".

    It may be one before a place's name ("1950 Sion") and behind a word of addresses ("Suite 2015").
    """
    if not is_calendar_year(text, start, end) or text[end + 1 : end + 2].isupper():
        return False
    return _OF_ADDRESSES.isdisjoint(map(str.lower, WORD.findall(text, start, end)))


def _words_before(text: str, start: int) -> list[str]:
    line = text[max(text.rfind("\n", 0, start) + 1, start - REACH) : start]
    return WORD.findall(fold_same_length(line))[-NEAR:]


def _is_spelled_out(value: str) -> bool:
    """Is a code told in words: "two two six one eight"?"""
    return not any(map(str.isdigit, value)) and value.islower()
