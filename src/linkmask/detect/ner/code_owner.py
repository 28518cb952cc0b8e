"""Decides whether a code found by the tagger belongs to a person; the default is yes.

The tagger recognizes that something is a number, but seldom whose. A person's number is always
masked, a thing's only where the plan needs it, so a doubtful number counts as a person's.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns import phones
from linkmask.detect.patterns.ids import (
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
_FIGURES = re.compile(rf"(?:[^\d]*+\d){{{FEWEST}}}")


def code_type(text: str, start: int, end: int) -> str:
    """Return the type of the code [start, end), "" if it is a year: "2024 - free"."""
    value = text[start:end]
    if _YEAR.match(value) and not value.isdecimal():
        return ""
    if not _FIGURES.match(value) and (len(value.split()) < FEWEST or not _is_spelled_out(value)):
        return THING
    spoken = _is_spelled_out(value) and len(value.split()) >= SPOKEN
    if spoken and phones.has_trigger(text[max(start - REACH, 0) : start]):
        return PHONE
    line = text[max(text.rfind("\n", 0, start) + 1, start - REACH) : start]
    before = WORD.findall(fold_same_length(line))[-NEAR:]
    return PERSON if THINGS.isdisjoint(before) else THING


def _is_spelled_out(value: str) -> bool:
    """Is a code told in words: "two two six one eight"?"""
    return not any(map(str.isdigit, value)) and value.islower()
