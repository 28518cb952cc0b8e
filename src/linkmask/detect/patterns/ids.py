"""Recognizes ids of persons and things. The nearest trigger says whose: a patient's, a claim's.

An id is a word with digits. An unmistakable shape (capitals and digits mixed, `#` before) counts
wherever it stands; plain digits and lower-case letters need a trigger directly before them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask.detect.patterns.id_triggers import (
    KIND,
    PREFIX,
    REACH,
    RIGHT_BEFORE,
    TABLE,
    WORD,
    fold_same_length,
    last_trigger,
)
from linkmask.detect.recognizers.rule import Judge, Verdict, Widen, after, before, digits
from linkmask.schema import compiled, types

LETTERS = re.compile("[A-Za-z]*")
YEAR = r"(?:19|20)[0-9]{2}(?:[-/](?:19|20)?[0-9]{2})?"
"""A year or two, which no word makes a number of somebody's unless it says that one follows."""
OF_A_YEAR = re.compile(rf"[A-Za-z]{{5,}}[-/]{YEAR}")
"""A word and its year: SURVEY-2024. The letters that ids begin with are fewer, or known."""
MIXED = compiled("ids_mixed")
"""Capitals and digits mixed, as in H78456, 45T9R7P2, PT-8872-3A, KBH*5520*19."""
CATALOGUE = compiled("ids_catalogue")
"""Looks like an id and is none."""
SHORT = re.compile(r"[A-Z]{1,6}-[0-9]{2}[A-Z]$|[A-Z]{2,6}-[0-9]{2,3}$")
"""May be one, right after a word that says so: policy RX-45B."""


def is_shaped(value: str) -> bool:
    """Tell whether a value is an id by its shape: capitals and digits, and no catalogue's code."""
    return MIXED.match(value) is not None and CATALOGUE.match(value) is None


GROUPS = compiled("ids_groups")


def grouped(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in the groups of digits that a number goes on with, up to a mark or the line's end."""
    more = GROUPS.match(text, end) if end - start > 3 else None
    return start, more.end() if more else end


NUMBERED = compiled("ids_numbered")
"""A word or a sign for a number right before it; French sets a blank on either side of a colon."""
FOR_WHOM = ("for ", "from ", "by ", "with ", "like ")
"""Denied *for* JK-7743: whom, not what."""
SENTENCE = re.compile(r"\n|(?<=[a-z0-9)]{3})[.!?;] ")
"""A word decides about what comes later in its own sentence."""

CLOSE = 3
"""Words before a number of which one may tell that it is everybody's: a law's, an article's."""
TRACKED = re.compile(r"\]\([^)\s]{1,120}/(?:commits?|discussions|issues?|merge_requests|pull)/")
"""The link of a number in a project's changes: [#1253](https://example.org/tool/pull/1253)."""


def _judge(text: str, start: int, end: int) -> Verdict:
    value = text[start:end].lstrip("#")
    plain = value.isdecimal()
    count = len(value) if plain else len(digits(value))
    if count < 2 or (count == 2 and plain) or TRACKED.match(after(text, end, 140)):
        return None
    shaped = not plain and is_shaped(value)
    marked = "#" in text[max(0, start - 1) : start + 1]
    lead = before(text, start, REACH)
    small = fold_same_length(lead)
    words = WORD.findall(small)
    if not (shaped or marked or RIGHT_BEFORE.intersection(words[-1:])):
        return None
    letters = LETTERS.match(value)[0].upper()  # type: ignore[index]
    prefix = PREFIX.get(letters, "")
    if prefix == "never" and re.match("[A-Za-z]+-[0-9]", value):
        return None
    trigger = last_trigger(small, words)
    if trigger and trigger.near:
        if trigger.kind == "code":
            return None
        likely = shaped or SHORT.match(value) is not None
        if likely or _enough(text, start, end, count, marked):
            if prefix == "patient" and trigger.word in TABLE["weak"]:
                return types.PATIENT_ID, 0.9
            of_thing = letters in TABLE["prefixes"]["telling"] and trigger.kind == "patient"
            return (types.NON_PERSONAL_ID if of_thing else KIND[trigger.kind]), 0.95
    if not shaped and not (marked and count >= 3):
        return (types.NON_PERSONAL_ID, 0.7) if count >= 5 and NUMBERED.search(lead) else None
    if prefix in KIND:
        return KIND[prefix], 0.85
    if OF_A_YEAR.fullmatch(value):
        return None
    if "DL" in value.split("-")[:2]:  # a driver's license
        return types.NATIONAL_ID, 0.85
    if lead.endswith(FOR_WHOM):
        return types.PATIENT_ID, 0.85
    small = fold_same_length(SENTENCE.split(lead)[-1])
    trigger = last_trigger(small, WORD.findall(small))
    if trigger and KIND[trigger.kind] and trigger.word != "patients":
        return KIND[trigger.kind], 0.8
    return types.NON_PERSONAL_ID, 0.75


def _enough(text: str, start: int, end: int, count: int, marked: bool) -> bool:
    """Tell whether plain digits or small letters after an id's word are its id, not a count."""
    value = text[start:end]
    named = marked or NUMBERED.search(before(text, start, 12)) is not None
    if re.fullmatch(YEAR, value) and not named:
        return False
    if re.fullmatch(r"[0-9]{1,4}\.[0-9]{2}", value) and not named:
        return False
    if re.fullmatch(r"[0-9.]+(?i:mg|ml|kg|cm|mm|st|nd|rd|th|k|h|s|am|pm|d|x)", value):
        return False
    if before(text, start, 11).lower().endswith("number of "):
        return False
    counted = r"(?i)[,.][0-9]|[ -]?(?:%|days?|weeks?|patients?|cases?|claims?|members?)"
    if re.match(counted, after(text, end, 10)):
        return False
    return count >= 4 or named


def _unexplained(text: str, start: int, end: int) -> Verdict:
    """Take a long number of which nothing tells what it counts; from 118 to 204 is a range."""
    low, _, high = text[start:end].partition("-")
    plain = low.isdecimal() and high.isdecimal() and low[0] != "0"
    if plain and int(low) < int(high) <= 10 * int(low):
        return None
    small = fold_same_length(before(text, start, REACH))
    trigger = last_trigger(small, WORD.findall(small)[-CLOSE:])
    return None if trigger and trigger.kind == "code" else (types.NON_PERSONAL_ID, 0.5)


JUDGES: Mapping[str, Judge] = {"id": _judge, "unexplained": _unexplained}
WIDENINGS: Mapping[str, Widen] = {"groups": grouped}
