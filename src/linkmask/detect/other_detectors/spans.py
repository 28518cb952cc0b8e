"""Defines what another detector returns, and cuts long texts into parts that it reads whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

LEAST = 0.3
"""Score from which on a span is asked for."""
WINDOW, OVERLAP = 20_000, 500
"""Characters that are sent at once, and by how many parts of a long text overlap."""


class DetectorSpan(NamedTuple):
    """A span `[start, end)` of a text, with the detector's label and its score in [0, 1]."""

    start: int
    end: int
    label: str
    score: float


OtherDetector = Callable[[str, str], list[DetectorSpan]]
"""Returns the spans of a text, given the text and its language."""


def windows(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text, each with its offset; together they hold all of it."""
    begin = 0
    while True:
        yield begin, text[begin : begin + WINDOW]
        if begin + WINDOW >= len(text):
            return
        begin += WINDOW - OVERLAP
