"""Values in messages of hospitals: segments of HL7 version 2, whose fields have numbers, not names.

    PID|1||0088213^^^GH^MR||ROTH^ANNA^M||19610503|F|||14 CANAL BANK^^ATHLONE||(090)6475511

A field repeats behind "~" and has components between "^" (HL7 v2.5, chapters 3 and 6).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from linkmask.detect.found import Found

_SEGMENT = re.compile(r"(?m)^[ \t>]{0,4}(PID|NK1|PV1|GT1|IN1|IN2|ORC|OBR|PD1)\|([^\n\r]{2,4000})")

FIELDS: Mapping[str, Mapping[int, str]] = {
    "PID": {
        2: "PATIENT_ID", 3: "PATIENT_ID", 4: "PATIENT_ID", 5: "NAME", 6: "NAME", 7: "BIRTHDATE",
        9: "NAME", 11: "ADDRESS", 13: "PHONE_NUMBER", 14: "PHONE_NUMBER", 18: "PATIENT_ID",
        19: "NATIONAL_ID", 20: "NATIONAL_ID", 21: "PATIENT_ID",
    },
    "NK1": {2: "NAME", 4: "ADDRESS", 5: "PHONE_NUMBER", 6: "PHONE_NUMBER", 16: "BIRTHDATE",
            30: "NAME", 31: "PHONE_NUMBER", 32: "ADDRESS"},
    "PD1": {4: "PROVIDER"},
    "PV1": {7: "PROVIDER", 8: "PROVIDER", 9: "PROVIDER", 17: "PROVIDER", 19: "NON_PERSONAL_ID"},
    "ORC": {10: "PROVIDER", 11: "PROVIDER", 12: "PROVIDER"},
    "OBR": {16: "PROVIDER", 28: "PROVIDER"},
    "GT1": {3: "NAME", 4: "NAME", 5: "ADDRESS", 6: "PHONE_NUMBER", 7: "PHONE_NUMBER",
            8: "BIRTHDATE", 12: "NATIONAL_ID"},
    "IN1": {16: "NAME", 18: "BIRTHDATE", 19: "ADDRESS", 36: "PATIENT_ID", 49: "PATIENT_ID"},
    "IN2": {2: "NATIONAL_ID", 6: "PATIENT_ID", 8: "PATIENT_ID"},
}  # fmt: skip
"""Segment → number of a field → what stands in it."""

FIRST = frozenset({"PATIENT_ID", "NATIONAL_ID", "NON_PERSONAL_ID"})
"""Of these the first component is the value, the others say who issued it."""
_NAMED = re.compile(r"[^\W\d_].*[^\W\d_.]")
_DIGIT = re.compile("[0-9]")


def find(text: str) -> Iterator[Found]:
    """Yield the values in segments of HL7 messages, in linear time."""
    for segment in _SEGMENT.finditer(text):
        at = segment.start(2)
        for number, field in enumerate(segment[2].split("|"), 1):
            entity_type = FIELDS[segment[1]].get(number, "") if field.strip('"') else ""
            start = at
            for part in field.split("~") if entity_type else ():
                if span := _value(part, entity_type):
                    yield Found(
                        start + span[0], start + span[1], entity_type, "fields", "segment", 0.9
                    )
                start += len(part) + 1
            at += len(field) + 1


def _value(part: str, entity_type: str) -> tuple[int, int] | None:
    """Return where the value lies in one repetition of a field."""
    value = part.partition("^")[0] if entity_type in FIRST else part
    if entity_type == "PROVIDER" and "^" in part:  # an id, then the name
        skipped = value.partition("^")[0]
        named = _NAMED.search(part, len(skipped))
        return named.span() if named else None
    value = value.rstrip("^ ")
    wanted = _NAMED if entity_type == "NAME" else _DIGIT
    if not wanted.search(value):
        return None
    start = len(value) - len(value.lstrip("^ "))
    return start, len(value)
