"""Recognizes values in messages of hospitals and insurers, whose fields have numbers, not names.

    PID|1||0088213^^^GH^MR||ROTH^ANNA^M||19610503|F|||14 CANAL BANK^^ATHLONE||(090)6475511
    NM1*IL*1*ROTH*ANNA*M***MI*0088213~N3*14 CANAL ST~N4*UTICA*NY*13501~DMG*D8*19610503*F~

In HL7 version 2 (v2.5, chapters 3 and 6) "~" separates repetitions of a field and "^" its
components. In X12 (claims 837, enrolment 834, eligibility 270) segments end with "~" and "*"
separates elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from linkmask.detect.candidates import Candidate

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


def find(text: str) -> Iterator[Candidate]:
    """Yield the values in segments of HL7 messages, in linear time."""
    for segment in _SEGMENT.finditer(text):
        at = segment.start(2)
        for number, field in enumerate(segment[2].split("|"), 1):
            entity_type = FIELDS[segment[1]].get(number, "") if field.strip('"') else ""
            start = at
            for part in field.split("~") if entity_type else ():
                if span := _value(part, entity_type):
                    yield Candidate(
                        start + span[0], start + span[1], entity_type, "fields", "segment", 0.9
                    )
                start += len(part) + 1
            at += len(field) + 1


# ── X12 ─────────────────────────────────────────────────────────────────────────────────────────

_X12 = re.compile(r"(?:(?<=~)|(?<=\n)|^)[ \t]{0,4}(NM1|N3|N4|DMG|PER|REF|CLM)\*([^~\n\r]{2,400})")
STAFF = frozenset("1P 71 72 77 82 85 87 DK DN DQ FA P3 PE QV SJ".split())
"""Codes of NM1 for those who treat, refer or bill."""
BODIES = frozenset("PR 40 41 2B".split())
"""… for payers and who sends the message."""
NUMBERS = {"SY": "NATIONAL_ID", "0F": "PATIENT_ID", "EA": "PATIENT_ID", "23": "PATIENT_ID",
           "1W": "PATIENT_ID", "IG": "PATIENT_ID", "1L": "NON_PERSONAL_ID", "D9": "NON_PERSONAL_ID",
           "F8": "NON_PERSONAL_ID", "G1": "NON_PERSONAL_ID", "9F": "NON_PERSONAL_ID"}  # fmt: skip
"""Code of REF → whose number follows."""
REACHED = {"TE": "PHONE_NUMBER", "CP": "PHONE_NUMBER", "HP": "PHONE_NUMBER", "WP": "PHONE_NUMBER",
           "FX": "PHONE_NUMBER", "EM": "EMAIL"}  # fmt: skip
"""Code of PER → how somebody is reached."""


def x12(text: str) -> Iterator[Candidate]:
    """Yield the values in segments of X12 messages, in linear time."""
    for segment in _X12.finditer(text):
        cells, at = [], segment.start(2)
        for cell in segment[2].split("*"):
            cells.append((cell, at))
            at += len(cell) + 1
        for entity_type, first, last in _elements(segment[1], [cell for cell, _ in cells]):
            start, end = cells[first][1], cells[last][1] + len(cells[last][0])
            if text[start:end].strip("* "):
                yield Candidate(start, end, entity_type, "fields", "segment", 0.96)


def _elements(name: str, cells: list[str]) -> Iterator[tuple[str, int, int]]:
    """Yield what elements of a segment hold: type, first and last of them."""
    if name == "NM1" and len(cells) > 2:
        last = max((n for n in range(2, min(len(cells), 7)) if cells[n]), default=0)
        person = "PROVIDER" if cells[0] in STAFF else "NAME"
        if last and cells[0] not in BODIES:
            yield person if cells[1] == "1" else "PROVIDER", 2, last
        if len(cells) > 8 and cells[0] not in BODIES:
            yield "NON_PERSONAL_ID" if person == "PROVIDER" else "PATIENT_ID", 8, 8
    elif name == "N3":
        yield "ADDRESS", 0, min(len(cells), 2) - 1
    elif name == "N4":
        yield "ADDRESS", 0, min(len(cells), 3) - 1
    elif name == "DMG" and len(cells) > 1:
        yield "BIRTHDATE", 1, 1
    elif name == "REF" and len(cells) > 1 and cells[0] in NUMBERS:
        yield NUMBERS[cells[0]], 1, 1
    elif name == "CLM":
        yield "NON_PERSONAL_ID", 0, 0
    elif name == "PER":
        if len(cells) > 1:
            yield "NAME", 1, 1
        for n in range(2, len(cells) - 1, 2):
            if cells[n] in REACHED:
                yield REACHED[cells[n]], n + 1, n + 1


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
