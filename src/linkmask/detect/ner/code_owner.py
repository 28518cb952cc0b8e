"""Decides whether a code found by the tagger belongs to a person; the default is yes.

The tagger recognizes that something is a number, but seldom whose. A person's number is always
masked, a thing's only where the plan needs it, so a doubtful number counts as a person's.
"""

from __future__ import annotations

import re

from linkmask.detect.patterns.ids import (
    NUMBERED,
    REACH,
    TABLE,
    THINGS,
    WORD,
    YEAR,
    fold_same_length,
)

PERSON, THING = "PATIENT_ID", "NON_PERSONAL_ID"
FEWEST = 4
"""Digits, or words for them, of a person's number; "leaflet EX-14" is a thing."""
NEAR = 3
"""Words before a code, in its line, that may say what it is the number of."""
THEMSELVES = frozenset(map(fold_same_length, TABLE["themselves"]))
_YEAR = re.compile(rf"(?:[^\W\d_]{{1,24}}[ _/-]){{0,4}}({YEAR})(?: [^\W\d_]{{1,24}})?")
_FIGURES = re.compile(rf"(?:[^\d]*+\d){{{FEWEST}}}")


def code_type(text: str, start: int, end: int) -> str:
    """Return the type of the code [start, end)."""
    value = text[start:end]
    if not _FIGURES.match(value) and (len(value.split()) < FEWEST or not _is_spelled_out(value)):
        return THING
    line = text[max(text.rfind("\n", 0, start) + 1, start - REACH) : start]
    before = WORD.findall(fold_same_length(line))[-NEAR:]
    return PERSON if THINGS.isdisjoint(before) else THING


def year_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of the year in the code [start, end), None if it is not a year.

    "SURVEY 2024" is a word and a year; "MRN 2024", "member no. 2024" and "Chart: 2024" announce a
    number.
    """
    found = _YEAR.fullmatch(text, start, end)
    if not found:
        return None
    lead = text[max(found.start(1) - REACH, 0) : found.start(1)]
    last = WORD.findall(fold_same_length(lead))[-1:]
    numbered = NUMBERED.search(lead) or lead.rstrip().endswith((":", "#"))
    return None if numbered or not THEMSELVES.isdisjoint(last) else found.span(1)


def _is_spelled_out(value: str) -> bool:
    """Is a code told in words: "two two six one eight"?"""
    return not any(map(str.isdigit, value)) and value.islower()
