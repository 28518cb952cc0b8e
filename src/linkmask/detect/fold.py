"""Fold a text so that the same words are the same characters, and know where each one stood.

Case, runs of whitespace, typographic hyphens and apostrophes, and characters of no width are
folded. `str.lower` alone would not do: "İ".lower() has two characters and shifts every offset.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_ONE_TO_ONE = str.maketrans(
    {"İ": "i", "ς": "σ", **dict.fromkeys("‐‑‒–−", "-"), **dict.fromkeys("’‘ʼ`´", "'")}
)
_SPECIAL = re.compile("[İΣς‐‑‒–−’‘ʼ`´]")
"""Characters for which `str.lower` alone is not enough; Σ is lowered to σ or ς by its place."""
_NONE = "\u00ad\u200b-\u200d\u2060\ufeff"
_RUNS = re.compile(rf"(?:[^\S ]|[{_NONE}])[\s{_NONE}]*| [\s{_NONE}]+")
"""What changes length or is no plain blank: whitespace that is not one blank, and no-width."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; `starts` and `shifts` map its offsets back: original = folded + shift."""

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of one or more folded characters to the span of the original text."""
        if not self.starts:
            return start, end
        return start + self._shift(start), end - 1 + self._shift(end - 1) + 1

    def _shift(self, offset: int) -> int:
        at = bisect_right(self.starts, offset)
        return self.shifts[at - 1] if at else 0


def fold(text: str) -> Folded:
    """Fold a text in time linear in its length, keeping the way back to its offsets."""
    same_length = lower(text)
    parts: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    position = length = 0
    for run in _RUNS.finditer(same_length):
        parts.append(same_length[position : run.start()])
        length += run.start() - position
        if any(map(str.isspace, run.group())):
            parts.append(" ")
            length += 1
        position = run.end()
        starts.append(length)
        shifts.append(position - length)
    if not starts:
        return Folded(same_length)
    parts.append(same_length[position:])
    return Folded("".join(parts), tuple(starts), tuple(shifts))


def lower(text: str) -> str:
    """Lower-case per character: the result is as long as the text, offset for offset."""
    if text.isascii() or not _SPECIAL.search(text):
        return text.lower()
    return text.translate(_ONE_TO_ONE).lower().translate(_ONE_TO_ONE)


def folded(value: str) -> str:
    """Fold a value to be looked for: as `fold`, and without blanks at its ends."""
    return fold(value).text.strip()
