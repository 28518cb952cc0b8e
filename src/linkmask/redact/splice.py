"""Rewrites a text by cutting it once and joining kept pieces and replacements in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from linkmask.formulas import compiled, kernel
from linkmask.records import Longs, Replacement
from linkmask.text.codes import is_dropped, is_word, points_of, text_from

Span = tuple[int, int, int]
"""Start, end (half-open), and the number of the entity that stands there."""


def splice(text: str, pieces: Iterable[Replacement]) -> str:
    """Return `text` with each `[start, end)` of the pieces replaced by their text.

    Pieces must be sorted and disjoint. Without any, the very same string comes back.

    Raises:
        ValueError: pieces overlap, are out of order, or reach outside the text.
    """
    parts: list[str] = []
    at = 0
    for _, start, end, _, _, new in pieces:
        if not at <= start <= end:
            raise ValueError("pieces must be sorted and disjoint")
        parts.append(text[at:start])
        parts.append(new)
        at = end
    if not parts:
        return text
    if at > len(text):
        raise ValueError("a piece reaches outside the text")
    parts.append(text[at:])
    return "".join(parts)


def write_over(
    text: str, starts: Longs, ends: Longs, masks: str, begins: Longs, which: Longs, fast: bool
) -> str:
    """Return `text` with a mask in the place of each span; the spans are sorted and disjoint.

    Mask i, and one more character, is `masks[begins[i] : begins[i + 1]]`; `which[k]` is the mask
    of span k. `fast`: by a compiled loop, which much text is worth.
    """
    firsts, stops = begins[which], begins[which + 1] - 1
    if not fast:
        kept = zip([0, *ends.tolist()], [*starts.tolist(), len(text)], strict=True)
        written = zip([*firsts.tolist(), 0], [*stops.tolist(), 0], strict=True)
        both = zip(kept, written, strict=True)
        return "".join([part for (a, b), (c, d) in both for part in (text[a:b], masks[c:d])])
    wide = not (text.isascii() and masks.isascii())
    old, over = points_of(text, wide), points_of(masks, wide)
    new = np.empty(len(text) + int((stops - firsts - (ends - starts)).sum()), old.dtype)
    compiled(copy)(old, starts, ends, over, firsts, stops, new)
    return text_from(new)


@kernel
def copy(old: Any, starts: Any, ends: Any, masks: Any, firsts: Any, stops: Any, new: Any) -> None:
    """Copy characters, `masks[firsts[k] : stops[k]]` in the place of span k."""
    at = done = 0
    for row in range(len(starts)):
        for place in range(done, starts[row]):
            new[at] = old[place]
            at += 1
        for place in range(firsts[row], stops[row]):
            new[at] = masks[place]
            at += 1
        done = ends[row]
    for place in range(done, len(old)):
        new[at] = old[place]
        at += 1


def disjoint_spans(spans: Iterable[Span]) -> list[Span]:
    """Unite overlapping spans; the longest, then the one of smallest number, names the union.

    Nested spans become the outer one. Crossing spans are covered as one: if only the winner were
    replaced, a part of the other value would stay readable beside it.
    """
    spans = sorted(spans)
    right = 0
    for start, end, _ in spans:
        if start < right:
            break
        right = end
    else:
        return spans
    united: list[Span] = []
    left = right = best = 0
    for start, end, number in spans:
        if united and start < right:
            _, _, named = united[-1]
            if end - start > best or (end - start == best and number < named):
                best, named = end - start, number
            right = max(right, end)
            united[-1] = (left, right, named)
        else:
            left, right, best = start, end, end - start
            united.append((start, end, number))
    return united


def spans_outside(spans: Iterable[Span], kept: Sequence[tuple[int, int]]) -> list[Span]:
    """Return what is left of the spans when the kept stretches are taken out of them.

    `kept` is sorted and disjoint.
    """
    ends = [high for _, high in kept]
    rest: list[Span] = []
    for begin, end, number in spans:
        start = begin
        for index in range(bisect_right(ends, begin), len(kept)):
            low, high = kept[index]
            if low >= end:
                break
            if start < low:
                rest.append((start, low, number))
            start = high
        if start < end:
            rest.append((start, end, number))
    return rest


def cuts_a_word(text: str, start: int, end: int) -> bool:
    """Return whether a span's edge lies within a word or a number such as 52.5."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if any(map(is_dropped, before + after)):
        return True  # the search reads on there
    return (
        is_word(before[-1:])
        or is_word(after[:1])
        or (before[-1:] in (".", ",") and is_word(before[:1]))
        or (after[:1] in (".", ",") and is_word(after[1:]))
    )
