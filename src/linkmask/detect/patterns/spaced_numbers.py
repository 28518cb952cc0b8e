"""Recognizes numbers with a superfluous space in them: "SSN 219  09  9999".

The line is read a second time with single spaces for double ones. A line in columns is left alone,
because there two spaces separate two values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from linkmask.detect.candidates import Candidate
from linkmask.schema import types, types_of

TYPES = types_of("id", "phone") - {types.NON_PERSONAL_ID}
"""Types whose values are digits in groups."""
SURE = 0.9
"""Less sure than this, groups that stand apart are two numbers."""
MOST = 5
"""Gaps in a line, above which it is a row of columns."""
LONGEST = 300
"""Characters of a line, at most."""

_GAP = re.compile(r"(?<=[0-9])  (?=[0-9])")
_COLUMNS = re.compile(r"[\t|;]| {3}")


def over_gaps(text: str, find: Callable[[str], list[Candidate]]) -> Iterator[Candidate]:
    """Yield the values that `find` finds across two spaces between digits, in linear time."""
    at = 0
    while (gap := text.find("  ", at)) >= 0:
        begin = text.rfind("\n", max(at - 1, 0), gap) + 1 or at
        end = text.find("\n", gap)
        end = len(text) if end < 0 else end
        at = end + 1
        line = text[begin:end] if end - begin <= LONGEST else ""
        cuts = [match.start() for match in _GAP.finditer(line)]
        if not 0 < len(cuts) <= MOST or _COLUMNS.search(line):
            continue
        for one in find(_GAP.sub(" ", line)):
            if one.type in TYPES and one.score >= SURE:
                yield from _moved(one, cuts, begin)


def _moved(one: Candidate, cuts: list[int], by: int) -> Iterator[Candidate]:
    """Yield the find where it stands in the text, if it lies over a gap."""
    closed = [cut - number for number, cut in enumerate(cuts)]
    first = sum(cut < one.start for cut in closed)
    last = sum(cut < one.end for cut in closed)
    if first < last:
        yield one._replace(start=one.start + first + by, end=one.end + last + by)
