"""Cuts out of a large masked document the passages in which its masks changed since a check.

Detection then reads these passages alone, and the mentions of the earlier check stay elsewhere. But
detection of a value also depends on distant text (which names it holds, what it is about). So
reading passages can show that a value must still be masked, and never that none is left: for a
release, `checking` requires a reading of the whole text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from msgspec.structs import replace

from linkmask.detect.language import SAMPLE
from linkmask.pipeline.checking.checked_texts import in_original
from linkmask.records import Document, Masked, Mention
from linkmask.verify import spans_of

LARGE = 50_000
"""Characters from which on a field is read in passages."""
REACH = 1_000
"""Characters on both sides of a changed mask that are read."""
NEAR = 500
"""Characters on both sides within which mentions count; farther away, context is cut off."""
BREAK = "\n\n"
"""Separator of passages."""

Span = tuple[int, int]


class Passage(NamedTuple):
    """A passage [start, end) of a field; it begins at `at` in the text that is read.

    A mention found in it counts if it lies within one of `near`, spans of the field.
    """

    at: int
    start: int
    end: int
    near: Sequence[Span]


class ChangedPassages:
    """The passages of a document around the masks that changed, and what was found elsewhere.

    Args:
        now, before: the document as detection is shown it, masked by two plans.
    """

    def __init__(self, now: Masked, before: Masked) -> None:
        self._now, self._before = now, before
        self._places = _Places(now)
        self._texts = dict(now.written.fields())
        changed: dict[str, list[Span]] = {}
        for one in set(now.replacements).symmetric_difference(before.replacements):
            place = self._places.masked(one.field, one.start, one.end)
            changed.setdefault(one.field, []).append(place)
        self._passages = {
            field: list(_passages(text, sorted(changed.get(field, ()))))
            for field, text in self._texts.items()
            if len(text) >= LARGE
        }

    @property
    def worthwhile(self) -> bool:
        """Whether passages and fields that are read whole are less than half of the text."""
        whole = sum(map(len, self._texts.values()))
        left_out = sum(len(self._texts[field]) for field in self._passages)
        read = sum(one.end - one.start for held in self._passages.values() for one in held)
        return 2 * (whole - left_out + read) < whole

    @property
    def document(self) -> Document:
        """The document with the passages of each large field in place of it."""
        cut = {
            field: BREAK.join(self._texts[field][one.start : one.end] for one in held)
            for field, held in self._passages.items()
        }
        return self._now.written.with_fields(cut)

    def mentions(self, found: Sequence[Mention], seen: Sequence[Mention]) -> list[Mention]:
        """Return the mentions of the whole document, sorted by field and start.

        `found`: those of `document`. `seen`: those of the document as it was masked before; they
        stand where no passage is read and no mask is now.
        """
        read = [one for mention in found for one in self._in_field(mention)]
        kept = [one for one in self._kept(seen) if not self._is_read(one)]
        order = {field: number for number, field in enumerate(self._texts)}
        return sorted([*kept, *read], key=lambda one: (order[one.field], one.start))

    def _in_field(self, mention: Mention) -> Iterator[Mention]:
        """Move a mention into its field, if it lies near a changed mask."""
        held = self._passages.get(mention.field)
        if held is None:
            yield mention
            return
        number = bisect_right(held, mention.start, key=itemgetter(0)) - 1
        if number < 0:
            return
        by = held[number].start - held[number].at
        moved = replace(mention, start=mention.start + by, end=mention.end + by)
        if moved.end <= held[number].end and self._is_read(moved):
            yield moved

    def _is_read(self, mention: Mention) -> bool:
        """Tell whether what is found at a mention's place counts."""
        held = self._passages.get(mention.field)
        if held is None:
            return True
        number = bisect_right(held, mention.start, key=itemgetter(1)) - 1
        near = held[number].near if number >= 0 else ()
        at = bisect_left(near, mention.end, key=itemgetter(0)) - 1
        return at >= 0 and mention.start < near[at][1]

    def _kept(self, seen: Sequence[Mention]) -> Iterator[Mention]:
        """Yield mentions of the text as it was masked, where they stand now and no mask is."""
        for mention in in_original(seen, self._before):
            start, end = self._places.masked(mention.field, mention.start, mention.end)
            if self._texts.get(mention.field, "")[start:end] == mention.original:
                yield replace(mention, start=start, end=end)


class _Places:
    """Finds where spans of an original stand in the masked document."""

    def __init__(self, masked: Masked) -> None:
        self._held: dict[str, tuple[list[Span], list[Span]]] = {}
        for one, (field, start, end) in zip(masked.replacements, spans_of(masked), strict=True):
            spans, masks = self._held.setdefault(field, ([], []))
            spans.append((one.start, one.end))
            masks.append((start, end))

    def masked(self, field: str, start: int, end: int) -> Span:
        """Return a span of the original in the masked field; a mask that it touches is whole."""
        spans, masks = self._held.get(field, ([], []))
        after = bisect_right(spans, start, key=itemgetter(1))  # the first mask that ends behind it
        first = start + (masks[after - 1][1] - spans[after - 1][1] if after else 0)
        if after < len(spans) and spans[after][0] <= start:
            first = masks[after][0]
        last = bisect_left(spans, end, key=itemgetter(0)) - 1  # the last one that begins before
        if last < 0:
            return first, end
        if spans[last][1] >= end:
            return first, masks[last][1]
        return first, end + masks[last][1] - spans[last][1]


def _passages(text: str, changed: Sequence[Span]) -> Iterator[Passage]:
    """Yield the passages of a text around spans of it, and its beginning.

    The beginning tells its language.
    """
    near: list[Span] = []
    for start, end in changed:
        span = max(start - NEAR, 0), min(end + NEAR, len(text))
        if near and span[0] <= near[-1][1]:
            near[-1] = near[-1][0], max(near[-1][1], span[1])
        else:
            near.append(span)
    beyond = REACH - NEAR
    spans = [(0, _word_end(text, SAMPLE))]
    spans += [(_word_start(text, a - beyond), _word_end(text, b + beyond)) for a, b in near]
    at = done = 0
    breaks = [n for n in range(1, len(spans)) if spans[n][0] > spans[n - 1][1]]
    for first, last in pairwise([0, *breaks, len(spans)]):
        start, end = spans[first][0], spans[last - 1][1]
        yield Passage(at, start, end, near[done : last - 1])
        at, done = at + end - start + len(BREAK), last - 1


def _word_start(text: str, at: int) -> int:
    """Return where the word at an offset begins, if it is not too long for a word."""
    at = max(at, 0)
    before = max(text.rfind(mark, max(at - WORD, 0), at) for mark in " \n")
    return before + 1 if before >= 0 else at


def _word_end(text: str, at: int) -> int:
    """Return where it ends."""
    after = [end for mark in " \n" if (end := text.find(mark, at, at + WORD)) >= 0]
    return min(*after, len(text)) if after else min(at, len(text))


WORD = 100
"""Characters of a word, at most."""
