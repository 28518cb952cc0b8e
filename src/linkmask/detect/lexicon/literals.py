"""Searches for the literals of all rules at once, so that a rule is tried only where one stands."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

Places = tuple[int, list[int]]
"""Number of a rule, where its literals begin."""


class Literals:
    """The search (Aho–Corasick) for the literals of some rules, as they are written."""

    def __init__(self, rules: Sequence[Iterable[str]]) -> None:
        from ahocorasick_rs import AhoCorasick, Implementation

        rules_of: defaultdict[str, list[int]] = defaultdict(list)
        for number, literals in enumerate(rules):
            for literal in literals:
                rules_of[literal].append(number)
        self._whose = list(rules_of.values())
        self._search = AhoCorasick(list(rules_of), implementation=Implementation.DFA)

    def inside(self, text: str) -> list[Places]:
        """Return the numbers of the rules whose literals are in a text, with their offsets."""
        places: defaultdict[int, list[int]] = defaultdict(list)
        for literal, start, _ in self._search.find_matches_as_indexes(text, overlapping=True):
            for number in self._whose[literal]:
                places[number].append(start)
        return sorted(places.items())


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
