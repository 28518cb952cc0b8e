"""Where rules are tried: near the pieces of a text that their values can't be without.

The pieces of all rules are searched at once (Aho–Corasick) in the text's *shape*: small letters,
every digit a 0. Most of a text is near none, and a rule costs nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from linkmask.detect.patterns.rule import Rule

DIGIT = "0"
RUN = re.compile("0{1,64}")
"""A piece that is one digit: a run of digits counts as one hit."""

Stretches = list[tuple[int, int]]

_SMALL = bytes(
    ord("0") if 48 <= code <= 57 else ord(chr(code).lower()) if chr(code).isupper() else code
    for code in range(256)
)


def shape(text: str) -> str:
    """Return the text in small letters with every digit a 0, as long as the text.

    Typographic hyphens and apostrophes are plain ones; letters beyond Latin-1 are question marks.
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
        uses: dict[str, list[tuple[int, int, int]]] = {}
        for number, (near, (before, beyond)) in enumerate(self.keys):
            for piece in near:
                uses.setdefault(piece, []).append((number, before, beyond))
        digit = uses.pop(DIGIT, [])
        self._search = AhoCorasick(list(uses))
        self._uses = [*uses.values(), digit]
        self._everywhere = [number for number, (near, _) in enumerate(self.keys) if not near]

    def stretches(self, text: str) -> dict[int, Stretches]:
        """Return the disjoint stretches of the text around the pieces of each of `keys` seen."""
        length = len(text)
        outline = shape(text)
        rows: dict[int, list[int]] = {number: [0, length] for number in self._everywhere}
        runs = [(-1, *run.span()) for run in RUN.finditer(outline)]
        hits = self._search.find_matches_as_indexes(outline, overlapping=True)
        for piece, start, end in chain(runs, hits):
            for number, before, beyond in self._uses[piece]:
                begin, stop = start - before, end + beyond
                if number not in rows:
                    rows[number] = [begin if begin > 0 else 0, stop]
                    continue
                row = rows[number]
                if begin > row[-1]:
                    row += (begin, stop)
                elif stop > row[-1]:
                    row[-1] = stop
        return {number: _pairs(row, length) for number, row in rows.items()}


def _pairs(row: Sequence[int], length: int) -> Stretches:
    if len(row) == 2:
        return [(row[0], row[1] if row[1] < length else length)]
    return [(begin, min(end, length)) for begin, end in zip(row[::2], row[1::2], strict=True)]
