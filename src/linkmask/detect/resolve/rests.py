"""Keeps what other spans leave of a find that they cover in part.

Resolution drops a span that overlaps a better one. What the better one does not cover would stay
readable: "Datta and Lalla" of "Wadhwa, Datta and Lalla", where a list knows Wadhwa as a name.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from operator import attrgetter

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.schema import types_of

KEPT_IN_PART = types_of("direct", "place", "organization", "provider", "id", "date")
"""Types of which a part identifies. A part of a fact says nothing: "years old"."""

_IN_FIGURES = types_of("id", "date")
"""Types of which a rest has a figure if what was found has one."""

_WORD = re.compile(r"[^\W_]++")
_EMPTY = w.FUNCTION | w.STOP | w.TITLE | w.CLINICIAN | w.ROLE
"""Lists of words that are no rest by themselves: "Pfleger" before a name."""
_START = attrgetter("start")


def with_rests(
    text: str, disjoint: list[Candidate], found: Iterable[Candidate], every: bool = False
) -> list[Candidate]:
    """Return disjoint spans, and the rests of what was found, each with its type.

    `disjoint` is sorted by start. A rest has no marks at its ends and, without `every`, says
    something: more than function words and titles. The result is disjoint and sorted by start.
    """
    parts = _rests(text, disjoint, found)
    rests = [rest for one, rest in parts if every or _says_something(text, one, rest)]
    return sorted([*disjoint, *rests], key=_START) if rests else disjoint


def _rests(
    text: str, disjoint: list[Candidate], found: Iterable[Candidate]
) -> Iterator[tuple[Candidate, Candidate]]:
    """Yield what was found, with each part of it that `disjoint` does not cover."""
    starts = list(map(_START, disjoint))
    reached = 0
    for one in sorted(found, key=_START):
        at = max(one.start, reached)
        reached = max(reached, one.end)
        first = max(bisect_right(starts, at) - 1, 0)
        for over in disjoint[first : bisect_left(starts, one.end)]:
            if over.end > at:
                yield from _rest(text, one, at, over.start)
                at = over.end
        yield from _rest(text, one, at, one.end)


def _rest(text: str, one: Candidate, start: int, end: int) -> Iterator[tuple[Candidate, Candidate]]:
    words = list(_WORD.finditer(text, start, end)) if start < end else []
    if words:
        yield one, one._replace(start=words[0].start(), end=words[-1].end())


def _says_something(text: str, one: Candidate, rest: Candidate) -> bool:
    """Tell whether a rest identifies: no title alone, nor "years" of "3 to 11 years"."""
    left = text[rest.start : rest.end]
    if all(w.FEATURES[word] & _EMPTY for word in _WORD.findall(left)):
        return False
    in_figures = one.type in _IN_FIGURES and any(map(str.isdigit, text[one.start : one.end]))
    if not in_figures or any(map(str.isdigit, left)):
        return True
    before = text[max(one.start, rest.start - 1) : rest.start]
    behind = text[rest.end : min(one.end, rest.end + 1)]
    return not before.isspace() and not behind.isspace()  # "rs" of "rs-Tarvo-4"
