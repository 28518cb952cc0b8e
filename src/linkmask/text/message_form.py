"""Finds messages of X12, EDIFACT and HL7 in a text, and what of them must stay as it is.

A message is read by the places of its elements. So a mask must neither take a separator away nor
stand in a segment that only controls the exchange: the header with its fixed widths, control
numbers, and the segments' names. The separators are those that the header of the message declares
(X12.5: ISA; ISO 9735: UNA; HL7 version 2.5, chapter 2: MSH-1 and MSH-2).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

S = TypeVar("S", bound=tuple[Any, ...])

CONTROL = frozenset(
    (
        *("ISA", "GS", "ST", "SE", "GE", "IEA"),
        *("UNA", "UNB", "UNG", "UNH", "UNT", "UNE", "UNZ"),
        *("MSH", "FHS", "BHS", "BTS", "FTS"),
    )
)
"""Names of the segments that control the exchange of messages."""
PARTIES = {"MSH": (2, 6), "UNB": (2, 4)}
"""The elements of such segments that name sender and receiver and have no fixed width: from, to."""
COUNTED: Mapping[str, tuple[int, ...]] = {
    **{"ISA": (9, 10, 13), "GS": (4, 5, 6), "ST": (2,), "SE": (1, 2), "GE": (1, 2), "IEA": (1, 2)},
    **{"UNB": (4, 5), "UNG": (4, 5), "UNH": (1,), "UNT": (1, 2), "UNE": (1, 2), "UNZ": (1, 2)},
    **{"MSH": (6, 9), "FHS": (6,), "BHS": (6,), "BTS": (1,), "FTS": (1,)},
}
"""The elements of such segments that hold a number of the exchange, a count, a date or a time."""
_COUNT = re.compile(r"\s*[0-9][0-9.:+]{0,26}\s*")
_BREAKS = "\r\n\x85\u2028\u2029"
"""What may end a line of a text that a message was copied to."""
_ISA = re.compile(rf"(?<!\w)ISA([^\w\s])[^{_BREAKS}]{{2}}\1")
_ELEMENTS = 16
"""Elements of ISA; the component separator is the last, and the segment's end follows it."""
_LONGEST = 140
"""Characters of ISA, at most; by the standard, it has 106."""
_X12 = re.compile(rf"(?<![^\s~])(?:ST|NM1|N3|N4|DMG|CLM|REF|PER|HL)\*(?! )[^~{_BREAKS}]{{1,400}}~")
_EDIFACT = re.compile(
    r"(?<!\w)(?:UNA(?P<una>[^\w\s][^\w\s][^\w][^\w][ *][^\w\s])\s{0,2})?UNB(?=[^\w\s])"
)
_HL7 = re.compile(
    r"(?<!\w)(?:(?:MSH|FHS|BHS)(?P<all>[^\w\s][^\w\s]{3,5})(?=[^\w\s])"
    rf"|PID\|[^{_BREAKS}|]{{0,20}}\|)"
)
_HL7_LINE = re.compile(rf"(?:[ \t]*[{_BREAKS}]{{1,2}})?[A-Z][A-Z0-9]{{2}}[^\w\s][^{_BREAKS}]*")
_TAG = re.compile(r"\s*([A-Z][A-Z0-9]{1,2})(?![A-Za-z0-9])")


class Message(NamedTuple):
    """A message in a text: its span, its separators, and the disjoint spans that must stay.

    Behind the character `release` ("" if there is none), a separator is part of a value. `counted`
    are the elements of `COUNTED` whose content has their form, `parties` those of `PARTIES`.
    """

    start: int
    end: int
    separators: frozenset[str]
    release: str
    fixed: list[tuple[int, int]]
    counted: list[tuple[int, int]]
    parties: list[tuple[int, int]]


def messages(text: str) -> list[Message]:
    """Return the messages of a text in order, in linear time."""
    found = [one for read in _READERS for one in read(text)]
    apart, end = list[Message](), 0
    for one in sorted(found, key=lambda one: one.start):
        if one.start >= end:
            apart.append(one)
            end = one.end
    return apart


def _x12(text: str) -> Iterator[Message]:
    end = 0
    for header in _ISA.finditer(text) if "ISA" in text else ():
        start, sep = header.start(), header[1]
        elements = text[start : start + _LONGEST].split(sep, _ELEMENTS)
        at = start + sum(map(len, elements[:-1])) + _ELEMENTS
        if start < end or len(elements) <= _ELEMENTS or len(text) < at + 2:
            continue
        component, last = text[at], text[at + 1]
        if component.isalnum() or last.isalnum():
            continue
        end = _closed(text, f"IEA{sep}", at, last)
        repeats = "" if elements[11].isalnum() else elements[11]
        yield _message(text, start, end, f"{sep}{component}{repeats}", last)
    if not end and "*" in text and "~" in text:
        parts = [one.span() for one in _X12.finditer(text)]
        if parts:
            yield _message(text, parts[0][0], parts[-1][1], "*:^", "~")


def _closed(text: str, name: str, at: int, last: str) -> int:
    """Return where the segment of this name ends that closes what is open at a place."""
    close = text.find(name, at)
    return (text.find(last, close) + 1 if close > 0 else 0) or len(text)


def _edifact(text: str) -> Iterator[Message]:
    for header in _EDIFACT.finditer(text) if "UNB" in text else ():
        separators = header["una"] or ":+.? '"
        end = _closed(text, f"UNZ{separators[1]}", header.end(), separators[5])
        yield _message(text, header.start(), end, separators[:2], separators[5], separators[3])


def _hl7(text: str) -> Iterator[Message]:
    end = 0
    for header in _HL7.finditer(text) if "MSH" in text or "PID|" in text else ():
        if header.start() < end:
            continue
        end = header.start()
        while line := _HL7_LINE.match(text, end):
            end = line.end()
        yield _message(text, header.start(), end, header["all"] or "|^~\\&", "\n")


_READERS = (_x12, _edifact, _hl7)


def _message(
    text: str, start: int, end: int, separators: str, last: str, release: str = ""
) -> Message:
    """Return a message whose segments end with `last`."""
    marks = frozenset(f"{separators}{last}{_BREAKS}") - {"\\", " "}
    segment_end = re.compile(
        f"[{re.escape(last)}{_BREAKS}]+" if last in _BREAKS else re.escape(last)
    )
    fixed, counted, at = list[tuple[int, int]](), list[tuple[int, int]](), start
    parties = list[tuple[int, int]]()
    while at < end:
        close = segment_end.search(text, at, end)
        stop = close.end() if close else end
        if tag := _TAG.match(text, at, stop):
            stays = _fixed(text, tag, stop)
            parties += [(a[1], b[0]) for a, b in pairwise(stays)]
            fixed += stays
            counted += _counted(text, tag, close.start() if close else end)
        at = stop
    return Message(start, end, marks, release.strip(), fixed, counted, parties)


def _counted(text: str, tag: re.Match[str], stop: int) -> Iterator[tuple[int, int]]:
    """Yield the elements of a segment that count the exchange and hold what is no word."""
    start, first = tag.span(1)
    for number, element in enumerate(text[start:stop].split(text[first]) if first < stop else ()):
        end = start + len(element)
        if number in COUNTED.get(tag[1], ()) and _COUNT.fullmatch(element):
            yield start, end
        start = end + 1


def _fixed(text: str, tag: re.Match[str], stop: int) -> list[tuple[int, int]]:
    """Return what must stay of a segment that ends at `stop`: its name, or what controls."""
    start, first = tag.span(1)
    if tag[1] not in CONTROL:
        return [(start, first)]
    elements = text[start:stop].split(text[first]) if first < stop else []
    low, high = PARTIES.get(tag[1], (0, 0))
    if not low or len(elements) <= high:
        return [(start, stop)]
    before, behind = (start + sum(map(len, elements[:n])) + n for n in (low, high))
    return [(start, before), (behind, stop)]


def outside_counted(text: str, spans: list[S], types: Set[str]) -> list[S]:
    """Return spans, (start, end, type, …), without those of some types in what counts an exchange.

    A number of a person stays: that the exchange counts by it would tell who it is.
    """
    counted = [span for one in (messages(text) if spans else ()) for span in one.counted]
    if not counted:
        return spans
    nearest = [counted[bisect_right(counted, (one[0], len(text))) - 1] for one in spans]
    both = zip(spans, nearest, strict=True)
    return [
        one
        for one, (start, end) in both
        if one[2] not in types or not start <= one[0] < one[1] <= end
    ]


def within_elements(
    text: str, start: int, end: int, found: Iterable[Message]
) -> list[tuple[int, int]]:
    """Return the parts of a span that lie in elements of messages; all of it outside of them."""
    parts = [(start, end)]
    for one in found:
        if one.start < end and one.end > start:
            parts = [part for whole in parts for part in _parts(text, *whole, one)]
    return parts


def _parts(text: str, start: int, end: int, one: Message) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span between the separators of a message and what stays of it."""
    inside = range(max(start, one.start), min(end, one.end))
    places = {at for at in inside if text[at] in one.separators and not _released(text, at, one)}
    for low, high in one.fixed[max(0, bisect_right(one.fixed, (start, start)) - 1) :]:
        if low >= end:
            break
        places.update(range(max(low, start), min(high, end)))
    begin = start
    for at in (*sorted(places), end):
        low, high = begin, at
        while low < high and text[low].isspace():
            low += 1
        while low < high and text[high - 1].isspace():
            high -= 1
        if low < high:
            yield low, high
        begin = at + 1


def _released(text: str, at: int, one: Message) -> bool:
    """Tell whether an odd number of release characters stands before a place."""
    before = text[max(at - 8, 0) : at]
    return bool(one.release) and (len(before) - len(before.rstrip(one.release))) % 2 == 1
