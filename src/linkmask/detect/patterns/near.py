"""Where rules are tried: near the pieces of a text that their values can't be without.

The pieces of all rules are searched at once (Aho–Corasick) in the text's *shape*: small letters,
every digit a 0. Most of a text is near none, and a rule costs nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkmask.detect.patterns.rule import Rule

LONGEST = 12
"""Pieces that are digits alone, at most so many of them, are found as runs: one hit per run."""

PART, OVERLAP = 1 << 16, 32
"""Characters searched at once, so that the hits of a long text are never all in memory, and by how
many parts overlap: more than any piece is long."""

Stretches = list[list[int]]
"""Begin and end of each; the first and the last may reach beyond the text."""

Use = tuple[int, int, int, int, int]
"""Number of a key, its reach before and beyond a piece, and how far from it a digit must stand."""

Hit = tuple[tuple[Use, ...], int, int]

_FLAT = {10: 32, **dict.fromkeys(range(48, 58), 48)}
_SMALL = bytes(
    _FLAT.get(code, ord(chr(code).lower()) if chr(code).isupper() else code) for code in range(256)
)


def shape(text: str) -> str:
    """Return the text in small letters with every digit a 0, as long as the text.

    A line break is a blank, as a value may be wrapped; typographic hyphens and apostrophes are
    plain ones; letters beyond Latin-1 are question marks.
    """
    if not text.isascii():
        for mark in "‐‑‒–—−":
            text = text.replace(mark, "-")
        text = text.replace("’", "'")
    return text.encode("latin-1", "replace").translate(_SMALL).decode("latin-1")


class Near:
    """The search for all pieces of some rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        from ahocorasick_rs import AhoCorasick, Implementation

        rules = list(rules)
        self.keys = list(dict.fromkeys(map(key_of, rules)))
        self.places: list[list[int]] = [[] for _ in self.keys]
        """Of each key, where the rules that have it stand among `rules`."""
        for place, rule in enumerate(rules):
            self.places[self.keys.index(key_of(rule))].append(place)
        uses: dict[str, list[Use]] = {}
        for number, (near, reach, digit) in enumerate(self.keys):
            for piece in near:
                uses.setdefault(piece, []).append((number, *reach, *digit))
        runs = {len(piece): uses.pop(piece) for piece in list(uses) if not piece.strip("0")}
        self._run = re.compile(f"0{{{min(runs, default=1)},64}}")
        self._runs = [
            tuple(use for size, row in sorted(runs.items()) if size <= length for use in row)
            for length in range(LONGEST + 1)
        ]
        self._uses = [tuple(row) for row in uses.values()]
        self._search = AhoCorasick(list(uses), implementation=Implementation.DFA)
        self._everywhere = [number for number, (near, *_) in enumerate(self.keys) if not near]

    def stretches(self, text: str) -> dict[int, Stretches]:
        """Return the disjoint stretches of the text around the pieces of each of `keys` seen."""
        outline = shape(text)
        found = _rows(self._digits(outline), outline)
        for number, row in _rows(self._pieces(outline), outline).items():
            found[number] = _union(found[number], row) if number in found else row
        for number in self._everywhere:
            found[number] = [[0, len(text)]]
        return found

    def _digits(self, outline: str) -> Iterator[Hit]:
        """Yield the runs of digits, each with what asks for no more digits than it has."""
        for run in self._run.finditer(outline):
            start, end = run.span()
            yield self._runs[min(end - start, LONGEST)], start, end

    def _pieces(self, outline: str) -> Iterator[Hit]:
        """Yield all pieces seen but runs of digits, in the order of their ends."""
        uses = self._uses
        for base in range(0, len(outline), PART):
            part = outline[base : base + PART + OVERLAP] if base or len(outline) > PART else outline
            hits = self._search.find_matches_as_indexes(part, overlapping=True)
            for piece, start, end in hits:
                yield uses[piece], base + start, base + end


def key_of(rule: Rule) -> tuple[tuple[str, ...], tuple[int, int], tuple[int, int]]:
    """Return what rules that are tried in the same places have in common."""
    return rule.near, rule.reach, rule.digit


def _rows(hits: Iterable[Hit], outline: str) -> dict[int, Stretches]:
    """Return, for each key, its stretches; close ones are one."""
    rows: dict[int, Stretches] = {}
    for uses, start, end in hits:
        for number, before, beyond, left, right in uses:
            if left >= 0 and outline.find("0", max(start - left, 0), end + right) < 0:
                continue
            begin, stop = start - before, end + beyond
            row = rows.get(number)
            if row is None:
                rows[number] = [[begin, stop]]
            elif begin > row[-1][1]:
                row.append([begin, stop])
            else:
                last = row[-1]
                if stop > last[1]:
                    last[1] = stop
                if begin < last[0]:
                    last[0] = begin
    return rows


def _union(one: Stretches, other: Stretches) -> Stretches:
    """Return two rows of stretches as one, sorted and disjoint."""
    merged: Stretches = []
    for begin, end in sorted([*one, *other]):
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(end, merged[-1][1])
        else:
            merged.append([begin, end])
    return merged
