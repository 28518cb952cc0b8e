"""Looks for the triggers of a recognizer around a value: before it, or in its line or sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from re import _parser  # type: ignore[attr-defined]

from linkmask.detect.recognizers.rule import words

FAR = 160
"""Characters on each side of a value in which a trigger is looked for, at most."""
FARTHEST = 1000
"""The same of what an expression matches right before a value, at most."""
ENDS = {
    "line": re.compile(r"\n"),
    "cell": re.compile(r"[\n|\t;]"),
    "sentence": re.compile(r"\n\s{0,8}\n|(?<=[\w)]{3})[.!?](?=\s)"),
}
"""Where a line, a cell, a sentence ends."""

Beside = Callable[[str, int, int], bool]
"""From a text and a span of it to whether a trigger stands near the span."""


def right_before(expression: str) -> Beside:
    """Return what tells whether what stands before a span ends with a match of an expression."""
    lead, far = re.compile(f"(?:{expression})$"), max(FAR, _longest(expression))
    return lambda text, start, end: lead.search(text, max(0, start - far), start) is not None


def _longest(expression: str) -> int:
    widest: int = _parser.parse(expression).getwidth()[1]
    return min(widest, FARTHEST)


def label_length(triggers: Sequence[str], gap: str) -> int:
    """Return the most characters that a trigger and the gap behind it take, and one before them."""
    return 1 + max(map(len, triggers)) + _longest(gap)


def beside(triggers: Sequence[str], reach: str, gap: str) -> Beside:
    """Return a test for a trigger near a span; `reach`, `gap`: see `RecognizerRow`.

    Its expression is compiled when the test is first made: most texts give no cause to it.
    """
    if reach == "label":
        label = cache(lambda: re.compile(f"{words(triggers)}{gap}$"))
        far = label_length(triggers, gap)
        return lambda text, start, end: label().search(text, max(0, start - far), start) is not None
    ends, trigger = ENDS[reach], cache(lambda: re.compile(words(triggers)))

    def near(text: str, start: int, end: int) -> bool:
        first = max(0, start - FAR)
        for mark in ends.finditer(text, first, start):
            first = mark.end()
        last = ends.search(text, end, end + FAR)
        stop = last.start() if last else end + FAR
        return any(
            not (found.start() < end and found.end() > start)
            for found in trigger().finditer(text, first, stop)
        )

    return near
