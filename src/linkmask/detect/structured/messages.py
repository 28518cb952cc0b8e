"""Recognizes values in messages of hospitals and insurers, whose fields have numbers, not names.

    PID|1||0088213^^^GH^MR||ROTH^ANNA^M||19610503|F|||14 CANAL BANK^^ATHLONE||(090)6475511
    NM1*IL*1*ROTH*ANNA*M***MI*0088213~N3*14 CANAL ST~N4*UTICA*NY*13501~DMG*D8*19610503*F~
    NAD+PAT+0088213++ROTH:ANNA+14 CANAL BANK+ATHLONE++N37 X2Y1'DTM+329:19610503:102'

In HL7 version 2 (v2.5, chapters 3 and 6) "~" separates repetitions of a field and "^" its
components. In X12 (claims 837, enrolment 834, eligibility 270) segments end with "~" and "*"
separates elements. In EDIFACT (ISO 9735, directory D.01B) segments end with "'", "+" separates
elements and ":" their components; a party whose name has two components is a person.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from linkmask.detect.candidates import Candidate
from linkmask.schema import types, types_of, words
from linkmask.text.message_form import messages, within_elements

RULE = "segment"
SAME_PERSON = frozenset({"name again", "user-name-of-person"})
"""Rules that find a person of the document again."""
SHORTEST = 3
"""Letters and digits of what is left of a find of others in an element."""
TABLES = words("messages")
FIELDS: Mapping[str, Mapping[int, str]] = {
    segment: {number: kind for kind, numbers in by_type.items() for number in numbers}
    for segment, by_type in TABLES["hl7"].items()
}
"""Segment → number of a field → type of its value."""
_SEGMENT = re.compile(rf"(?m)^[ \t>]{{0,4}}({'|'.join(FIELDS)})\|([^\n\r]{{2,4000}})")
NUMBERED, PROVIDERS, PERSONS = types_of("id"), types_of("provider"), types_of("person")
"""Of ids the first component is the value; the others say who issued it."""
_NAMED = re.compile(r"[^\W\d_].*[^\W\d_.]")
_DIGIT = re.compile("[0-9]")
_BAR, _TILDE, _STAR = map(re.compile, (r"\|", "~", r"\*"))


def find(text: str) -> Iterator[Candidate]:
    """Yield the values in segments of HL7 messages, in linear time."""
    for segment in _SEGMENT.finditer(text):
        for number, field in enumerate(parted(_BAR, text, *segment.span(2)), 1):
            entity_type = FIELDS[segment[1]].get(number, "")
            empty = not text[slice(*field)].strip('"')
            for start, end in parted(_TILDE, text, *field) if entity_type and not empty else ():
                if span := _value(text[start:end], entity_type):
                    yield Candidate(*span, entity_type, "fields", RULE, 0.9).moved(start)


def parted(mark: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans between marks."""
    for found in mark.finditer(text, start, end):
        yield start, found.start()
        start = found.end()
    yield start, end


# ── X12 ─────────────────────────────────────────────────────────────────────────────────────────

_X12 = re.compile(r"(?:(?<=~)|(?<=\n)|^)[ \t]{0,4}(NM1|N3|N4|DMG|PER|REF|CLM)\*([^~\n\r]{2,400})")
X12: Mapping[str, Any] = TABLES["x12"]
STAFF = frozenset(X12["staff"].split())
"""Codes of NM1 for those who treat, refer or bill."""
BODIES = frozenset(X12["bodies"].split())
"""Codes of NM1 for payers and who sends the message."""


def x12(text: str) -> Iterator[Candidate]:
    """Yield the values in segments of X12 messages, in linear time."""
    for segment in _X12.finditer(text):
        cells = list(parted(_STAR, text, *segment.span(2)))
        read = [text[start:end] for start, end in cells]
        for entity_type, first, last in _elements(segment[1], read):
            start, end = cells[first][0], cells[last][1]
            if text[start:end].strip("* "):
                yield Candidate(start, end, entity_type, "fields", RULE, 0.96)


def _elements(name: str, cells: list[str]) -> Iterator[tuple[str, int, int]]:
    """Yield what elements of a segment hold: type, first and last of them."""
    code, size = cells[0], len(cells)
    if name == "NM1" and size > 2 and code not in BODIES:
        last = max((n for n in range(2, min(size, 7)) if cells[n]), default=0)
        named, numbered = X12["parties"]["staff" if code in STAFF else "person"]
        if last:
            yield named if cells[1] == "1" else X12["parties"]["staff"][0], 2, last
        if size > 8:
            yield numbered, 8, 8
    elif name in X12["elements"]:
        entity_type, first, last = X12["elements"][name]
        if size > first:
            yield entity_type, first, min(last, size - 1)
    elif name == "REF" and size > 1 and code in X12["numbers"]:
        yield X12["numbers"][code], 1, 1
    elif name == "PER" and size > 1:
        yield X12["contact"], 1, 1
        for n in range(2, size - 1, 2):
            if cells[n] in X12["reached"]:
                yield X12["reached"][cells[n]], n + 1, n + 1


# ── EDIFACT ─────────────────────────────────────────────────────────────────────────────────────

EDIFACT: Mapping[str, Any] = TABLES["edifact"]
_EDIFACT = re.compile(
    r"(?:(?<=')|(?<=\n)|^)[ \t]{0,4}(NAD|PNA|CTA|COM|DTM)\+((?:[^'?\n\r]|\?.){2,400}+)"
)
_PLUS, _COLON = re.compile(r"(?<!\?)\+"), re.compile(r"(?<!\?):")


def edifact(text: str) -> Iterator[Candidate]:
    """Yield the values in segments of EDIFACT messages, in linear time."""
    for segment in _EDIFACT.finditer(text):
        spans = parted(_PLUS, text, *segment.span(2))
        elements = [list(parted(_COLON, text, *span)) for span in spans]
        for entity_type, start, end in _of_segment(segment[1], elements, text):
            wanted = _NAMED if entity_type in PERSONS else _DIGIT
            names_person = entity_type in NUMBERED | PERSONS
            if start < end and (not names_person or wanted.search(text, start, end)):
                yield Candidate(start, end, entity_type, "fields", RULE, 0.96)


Parts = list[tuple[int, int]]


def _of_segment(name: str, elements: list[Parts], text: str) -> Iterator[tuple[str, int, int]]:
    """Yield type, start and end of what the elements of a segment hold: its components."""
    if name in EDIFACT["coded"]:
        place, holds = (0, 1) if name == "DTM" else (1, 0)
        for one in elements if name == "COM" else elements[:1]:
            kind = EDIFACT["coded"][name].get(text[slice(*one[place])]) if len(one) > 1 else None
            if kind:
                yield kind, *one[holds]
    elif name == "CTA" and len(elements) > 1 and len(elements[1]) > 1:
        yield types.NAME, *elements[1][1]
    elif name == "PNA":
        named = [one[1] for one in elements[5:] if len(one) > 1]
        yield from ((types.NAME, *span) for span in named)
        if named:
            yield from ((types.PATIENT_ID, *one[0]) for one in elements[1:3] if one)
    elif name == "NAD" and len(elements) > 3 and len(elements[3]) > 1:
        yield from ((types.NAME, *span) for span in elements[3])
        yield from ((types.PATIENT_ID, *one) for one in elements[1][:1])
        lines = [span for one in elements[4:8] for span in one if span[0] < span[1]]
        if lines:
            yield types.ADDRESS, lines[0][0], lines[-1][1]


def cut_at_separators(text: str, found: list[Candidate]) -> list[Candidate]:
    """Return the candidates of a text, of messages only what lies within their elements.

    A value that the places of its elements tell may be in several: "ROTH*ANNA". Others that cross a
    separator were read as words of a sentence; each part is kept by itself. In what controls the
    exchange of messages, only names count that the document has elsewhere; they can't be masked.
    Sender and receiver are programs and places, no persons: "ADT", as a kind of message is called.
    """
    if not (held := messages(text) if found else []):
        return found
    parties = sorted(span for message in held for span in message.parties)
    kept = list[Candidate]()
    for one in found:
        again = one.rule in SAME_PERSON
        if one.type in PERSONS and not again and _within(parties, one.start):
            continue
        parts = within_elements(text, one.start, one.end, held)
        if parts in ([], [(one.start, one.end)]) or one.rule == RULE:
            kept += [one] if parts or again else []
            continue
        long = (p for p in parts if sum(map(str.isalnum, text[slice(*p)])) >= SHORTEST)
        kept += [one._replace(start=start, end=end) for start, end in long]
    return kept


def _within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Tell whether a place is in one of disjoint, sorted spans."""
    at = bisect_right(spans, place, key=itemgetter(0))
    return at > 0 and place < spans[at - 1][1]


def _value(part: str, entity_type: str) -> tuple[int, int] | None:
    """Return where the value lies in one repetition of a field."""
    value = part.partition("^")[0] if entity_type in NUMBERED else part
    if entity_type in PROVIDERS and "^" in part:  # an id, then the name
        skipped = value.partition("^")[0]
        named = _NAMED.search(part, len(skipped))
        return named.span() if named else None
    value = value.rstrip("^ ")
    wanted = _NAMED if entity_type in PERSONS else _DIGIT
    if not wanted.search(value):
        return None
    start = len(value) - len(value.lstrip("^ "))
    return start, len(value)
