"""Where rules are tried: near the pieces of a text that their values can't be without.

The pieces of all rules are searched at once (Aho–Corasick) in the text's *shape*: small letters,
every digit a 0. Most of a text is near none, and a rule costs nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkmask.detect.patterns.rule import Rule

LONGEST = 12
RUN = re.compile("0{1,64}")
"""Pieces that are digits alone, at most `LONGEST` of them, are found as runs: one hit per run."""

PART, OVERLAP = 1 << 16, 32
"""Characters searched at once, so that the hits of a long text are never all in memory, and by how
many parts overlap: more than any piece is long."""

Stretches = list[tuple[int, int]]
Use = tuple[int, int, int]
"""Number of a key, and its reach before and beyond a piece."""

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
        from ahocorasick_rs import AhoCorasick

        self.keys = list(dict.fromkeys((rule.near, rule.reach) for rule in rules))
        uses: dict[str, list[Use]] = {}
        for number, (near, (before, beyond)) in enumerate(self.keys):
            for piece in near:
                uses.setdefault(piece, []).append((number, before, beyond))
        runs = {len(piece): uses.pop(piece) for piece in list(uses) if not piece.strip("0")}
        self._runs = [
            tuple(use for size, row in sorted(runs.items()) if size <= length for use in row)
            for length in range(LONGEST + 1)
        ]
        self._uses = [tuple(row) for row in uses.values()]
        self._search = AhoCorasick(list(uses))
        self._everywhere = [number for number, (near, _) in enumerate(self.keys) if not near]

    def stretches(self, text: str) -> dict[int, Stretches]:
        """Return the disjoint stretches of the text around the pieces of each of `keys` seen."""
        length = len(text)
        outline = shape(text)
        found: dict[int, Stretches] = {number: [(0, length)] for number in self._everywhere}
        for hits in (self._digits(outline), self._pieces(outline)):
            for number, row in _rows(hits).items():
                row[0], row[-1] = max(row[0], 0), min(row[-1], length)
                pairs = list(zip(row[::2], row[1::2], strict=True))
                found[number] = _union(found[number], pairs) if number in found else pairs
        return found

    def _digits(self, outline: str) -> Iterator[Hit]:
        """Yield the runs of digits, each with what asks for no more digits than it has."""
        for run in RUN.finditer(outline):
            start, end = run.span()
            yield self._runs[min(end - start, LONGEST)], start, end

    def _pieces(self, outline: str) -> Iterator[Hit]:
        """Yield all other pieces seen, in the order of their ends."""
        for base in range(0, len(outline), PART):
            part = outline[base : base + PART + OVERLAP]
            hits = self._search.find_matches_as_indexes(part, overlapping=True)
            for piece, start, end in hits:
                yield self._uses[piece], base + start, base + end


def _rows(hits: Iterable[Hit]) -> dict[int, list[int]]:
    """Return, for each key, begin and end of its stretches in turn; close ones are one."""
    rows: dict[int, list[int]] = {}
    for uses, start, end in hits:
        for number, before, beyond in uses:
            begin, stop = start - before, end + beyond
            row = rows.get(number)
            if row is None:
                rows[number] = [begin, stop]
            elif begin > row[-1]:
                row += (begin, stop)
            else:
                if stop > row[-1]:
                    row[-1] = stop
                if begin < row[-2]:
                    row[-2] = begin
    return rows


def _union(one: Stretches, other: Stretches) -> Stretches:
    """Return two rows of stretches as one, sorted and disjoint."""
    merged: Stretches = []
    for begin, end in sorted([*one, *other]):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged
