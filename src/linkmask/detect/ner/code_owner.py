"""Decides whether a code found by the tagger belongs to a person; the default is yes.

The tagger recognizes that something is a number, but seldom whose. A person's number is always
masked, a thing's only where the plan needs it, so a doubtful number counts as a person's.
"""

from __future__ import annotations

import re

from linkmask.detect.lexicon.word_features import FEATURES, GIVEN
from linkmask.detect.patterns.id_triggers import REACH, WORD, fold_same_length, last_trigger
from linkmask.schema import types

PERSON, THING = types.PATIENT_ID, types.NON_PERSONAL_ID
FEWEST = 4
"""Digits, or words for them, of a person's number; "leaflet EX-14" is a thing."""
NEAR = 3
"""Words before a code, in its line, that may say what it is the number of."""
_YEAR = re.compile(r"(?:[^\W\d_]+ ){0,2}(?:19|20)\d\d(?: ?[-–—:,]+[a-z –—:,-]*)?$")
_NUMBER = re.compile(r"(?<!\S)[^\s\d]{0,12}\d")
_WORD = re.compile(r"[^\s\d]+")
"""Such as an abbreviation. It is a code only behind the name of one: "plate KBX-TRWM".

Numbers that are told in words are several words."""
_VARIABLE = re.compile(r"[a-z]+(?:_[a-z]+)+")
"""A name in a program or table: "order_id"."""
_FIGURES = re.compile(rf"(?:[^\d]*+\d){{{FEWEST}}}")


def code_type(text: str, start: int, end: int) -> str:
    """Return the type of the code [start, end), "" if it is a year, or a word without a figure.

    "2024 - free", "order_id", "GM-CSF"; "jane_doe" may be a person's code, and so may a word
    behind the name of a code.
    """
    value = text[start:end]
    if _YEAR.match(value):
        return ""
    if _WORD.fullmatch(value) and not any(FEATURES[one] & GIVEN for one in value.split("_")):
        near = None if _VARIABLE.fullmatch(value) else last_trigger(*_before(text, start))
        return THING if near and near.near else ""
    if not _FIGURES.match(value) and (len(value.split()) < FEWEST or not _is_spelled_out(value)):
        return THING
    trigger = last_trigger(*_before(text, start))
    return THING if trigger and trigger.kind in ("thing", "code") else PERSON


def is_of_catalogue(text: str, start: int, end: int) -> bool:
    """Tell whether a number is the same for everybody: "billing code 99213", "bulletin 2023-45"."""
    number = _NUMBER.search(text, start, end)
    lead, words = _before(text, number.start() if number else start)
    trigger = last_trigger(lead, words)
    ends = trigger and trigger.at + len(trigger.word.split()) == len(words)
    return bool(trigger and trigger.kind == "code" and ends)


def _before(text: str, start: int) -> tuple[str, list[str]]:
    """Return what stands before a code in its line, folded, and the last words of it."""
    lead = fold_same_length(text[max(text.rfind("\n", 0, start) + 1, start - REACH) : start])
    return lead, WORD.findall(lead)[-NEAR:]


def _is_spelled_out(value: str) -> bool:
    """Is a code told in words: "two two six one eight"?"""
    return not any(map(str.isdigit, value)) and value.islower()
