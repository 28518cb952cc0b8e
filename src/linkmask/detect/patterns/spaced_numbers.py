"""Recognizes numbers with a superfluous space in them: "SSN 219  09  9999".

The text is read a second time with single spaces for double ones, but for lines in columns, where
two spaces separate two values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from linkmask.detect.candidates import Candidate
from linkmask.schema import types, types_of
from linkmask.text.view import view_after_edits

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
    view = view_after_edits(text, ((at, at + 1, "") for at in _gaps(text)))
    for one in find(view.text) if view.starts else ():
        sure = one.type in TYPES and one.score >= SURE
        if sure and view.crosses_edit(one.start, one.end):
            start, end = view.original(one.start, one.end)
            yield one._replace(start=start, end=end)


def _gaps(text: str) -> Iterator[int]:
    """Yield where two spaces stand between digits, in lines that are no rows of columns."""
    at = 0
    for line in text.split("\n"):
        cuts = [gap.start() for gap in _GAP.finditer(line)] if len(line) <= LONGEST else []
        if 0 < len(cuts) <= MOST and not _COLUMNS.search(line):
            yield from (at + cut for cut in cuts)
        at += len(line) + 1
