"""Finds the matches of expressions that would take too long to search for everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask.detect.recognizers.rule import Scan, Searched


def hinted(hint: str) -> Scan | None:
    """Return a search that reads only stretches with a hint in them; None if no hint is given."""
    if not hint:
        return None
    shown = re.compile(hint)

    def scan(
        expression: re.Pattern[str], seen: Searched, begin: int, stop: int
    ) -> Iterator[re.Match[str]]:
        if shown.search(seen.text, max(begin, 0), stop):
            yield from expression.finditer(seen.text, begin, stop)

    return scan


def anchored(anchor: str, head: str) -> Scan:
    """Return a search around each anchor: what stands before it first, then the whole.

    `anchor` is looked for in the text's shape, where each digit is a 0, because `re` skips to a
    plain character ten times as fast as to a set of them. `head` matches from a match's begin to
    the anchor's first character, and no more characters than its width are looked at.
    """
    anchors, heads = re.compile(anchor), re.compile(f"(?:{head})$")
    widest: int = re._parser.parse(head).getwidth()[1]  # type: ignore[attr-defined]

    def scan(
        expression: re.Pattern[str], seen: Searched, begin: int, stop: int
    ) -> Iterator[re.Match[str]]:
        end = max(begin, 0)
        while at := anchors.search(seen.outline, end, stop):
            first = at.start() + 1
            if seen.taken[at.start()]:  # what holds a character of another value is not taken
                end = at.end()
                continue
            opens = heads.search(seen.text, max(end, first - widest), first)
            match = expression.match(seen.text, opens.start(), stop) if opens else None
            if match:
                yield match
            end = max(match.end(), at.end()) if match else at.end()

    return scan
