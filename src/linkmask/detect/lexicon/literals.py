"""Where rules are tried whose form holds some literal: all literals are searched for at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator


class Literals:
    """The search (Aho–Corasick) for some literals, as they are written."""

    def __init__(self, literals: Iterable[str]) -> None:
        from ahocorasick_rs import AhoCorasick, Implementation

        self._literals = sorted(set(literals))
        self._search = AhoCorasick(self._literals, implementation=Implementation.DFA)

    def inside(self, text: str) -> dict[str, list[int]]:
        """Return where each of those begins that stand in a text, in order."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for number, start, _ in self._search.find_matches_as_indexes(text, overlapping=True):
            places[self._literals[number]].append(start)
        return places


def around(
    form: re.Pattern[str], text: str, places: Iterable[int], back: int, behind: int
) -> Iterator[re.Match[str]]:
    """Yield the disjoint matches of a form from `back` before to `behind` after these places."""
    done = 0
    for at in sorted(places):
        if at < done:
            continue
        for match in form.finditer(text, max(at - back, done), at + behind):
            yield match
            done = match.end()
        done = max(done, at + 1)
