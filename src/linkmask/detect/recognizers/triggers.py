"""Looks for the triggers of a recognizer around a value: before it, or in its line or sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from linkmask.detect.patterns.rule import words

FAR = 160
"""Characters on each side of a value in which a trigger is looked for, at most."""
GAP = r"[^\n\d]{0,24}"
"""What may stand between a trigger and its value where it must stand right before it."""
ENDS = {
    "line": re.compile(r"\n"),
    "cell": re.compile(r"[\n|\t;]"),
    "sentence": re.compile(r"\n\s{0,8}\n|(?<=[\w)]{3})[.!?](?=\s)"),
}
"""Where a line, a cell, a sentence ends."""

Beside = Callable[[str, int, int], bool]
"""From a text and a span of it to whether a trigger stands near the span."""


def beside(triggers: Sequence[str], reach: str) -> Beside:
    """Return what tells whether one of the triggers stands near a span (`reach`: see `Row`)."""
    trigger = re.compile(words(triggers))
    if reach == "label":
        label = re.compile(f"{trigger.pattern}{GAP}$")
        return lambda text, start, end: label.search(text, max(0, start - FAR), start) is not None
    ends = ENDS[reach]

    def near(text: str, start: int, end: int) -> bool:
        first = max(0, start - FAR)
        for mark in ends.finditer(text, first, start):
            first = mark.end()
        last = ends.search(text, end, end + FAR)
        stop = last.start() if last else end + FAR
        return any(
            not (found.start() < end and found.end() > start)
            for found in trigger.finditer(text, first, stop)
        )

    return near
