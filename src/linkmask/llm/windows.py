"""Cuts a long text into overlapping windows that fit a model.

Every server has its own tokenizer, so tokens are estimated from characters, from above
(`llm.token_estimate`). A window cut by this estimate is hardly ever too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from linkmask.llm.token_estimate import estimated_tokens

LETTERS = 4
"""Characters per token, at most, as `estimated_tokens` guesses them."""

_BREAK = re.compile(r"\n\s*|[.!?;:][\"')\]]?\s+|\s+")
"""Where a window may end, best first by kind: a line, a sentence, a word."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part `[start, end)` of a text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


def windows(text: str, most: int, overlap: int) -> Iterator[Window]:
    """Yield windows of at most `most` tokens that cover the text, in order.

    Each begins about `overlap` tokens before the end of the one before, so that a value at a cut
    is whole in one of them. They end at the end of a line, sentence or word where there is one.
    An empty text has no window. `0 <= overlap < most / 2`. Linear in the length of the text.
    """
    start = end = 0
    while start < len(text):
        done, end = end, _reach(text, start, most)
        if end < len(text):  # each window holds something that the one before does not
            end = _tidy(text, max(start + 2 * (end - start) // 3, done), end)
        yield Window(start, end)
        if end >= len(text):
            return
        back = _back(text, end, overlap)
        start = back if back > start else end


def halves(text: str, whole: Window, overlap: int) -> list[Window]:
    """Cut a window in two that overlap, for a model that could not take it whole."""
    middle = _tidy(text, whole.start + len(whole) // 3, whole.start + len(whole) // 2 + 1)
    again = max(_back(text, middle, overlap), whole.start + 1)
    return [Window(whole.start, middle), Window(again, whole.end)]


def _reach(text: str, start: int, most: int) -> int:
    """Return the largest end within `most` tokens, by doubling and halving a guess."""
    low, high = start + 1, min(len(text), start + LETTERS * most)
    while low < high:
        middle = (low + high + 1) // 2
        if estimated_tokens(text[start:middle]) <= most:
            low = middle
        else:
            high = middle - 1
    return low


def _tidy(text: str, low: int, high: int) -> int:
    """Return the best place to cut in `(low, high]`: after a line, a sentence, else a word."""
    best = {0: 0, 1: 0, 2: 0}
    for match in _BREAK.finditer(text, low, high):
        first = match[0][0]
        best[0 if first == "\n" else 2 if first.isspace() else 1] = match.end()
    return next((end for end in best.values() if end > low), high)


def _back(text: str, end: int, overlap: int) -> int:
    """Return where the overlap before `end` begins: at the begin of a word, if one is near."""
    start = max(end - LETTERS * overlap, 0)
    while start < end and estimated_tokens(text[start:end]) > overlap:
        start += max((end - start) // 4, 1)
    blank = text.find(" ", start, start + 40)
    return blank + 1 if 0 <= blank < end else start
