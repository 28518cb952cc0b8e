"""Whose a code is that the model sees: where nothing says that it is a thing's, a person's.

The model knows that something is a number, seldom of what. A number of a person is always masked,
one of a thing only where the plan needs it: the doubt goes to the person.
"""

from __future__ import annotations

import re

from linkmask.detect.patterns.ids import REACH, THINGS, WORD, in_plain

PERSON, THING = "PATIENT_ID", "NON_PERSONAL_ID"
FEWEST = 4
"""Digits, or words for them, of a person's number; "leaflet EX-14" is a thing."""
NEAR = 3
"""Words before a code, in its line, that may say what it is the number of."""
_FIGURES = re.compile(rf"(?:[^\d]*+\d){{{FEWEST}}}")


def kind(text: str, start: int, end: int) -> str:
    """Return the type of the code [start, end)."""
    value = text[start:end]
    if not _FIGURES.search(value) and (len(value.split()) < FEWEST or not _said(value)):
        return THING
    line = text[max(text.rfind("\n", 0, start) + 1, start - REACH) : start]
    before = WORD.findall(in_plain(line))[-NEAR:]
    return PERSON if THINGS.isdisjoint(before) else THING


def _said(value: str) -> bool:
    """Is a code told in words: "two two six one eight"?"""
    return not any(map(str.isdigit, value)) and value.islower()
