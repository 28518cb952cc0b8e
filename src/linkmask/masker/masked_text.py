"""Defines a masked text with its spans, and makes a query for a search by words of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linkmask.redact import REVERSIBLE

_WORD = re.compile(r"\w+")
TIMES = 2
"""How much more a mask weighs than its value: a masked text has it less often, as longer values
that contain it have masks of their own. Of 1, 1.5, 2, 3 and 4, the smallest that recovers most of
what masked questions lose (docs/results/queries.md)."""


def checked_texts(texts: Sequence[str]) -> Sequence[str]:
    """Return texts that were given.

    Raises:
        TypeError: one of them is no text, or all are one, of which each letter would be a text.
    """
    if isinstance(texts, str):
        raise TypeError("one text was given where a list of texts is expected: give [text]")
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"{type(text).__name__} is no text: give a str")
    return texts


class MaskedSpan(NamedTuple):
    """One span that was written over in a text.

    `text[start:end]` of the original became `text[masked_start:masked_end]` of the masked text.
    `entity` is the entity's id, `style` the name of the style it is written in; `known` tells
    whether the run's corpus holds the entity.
    """

    entity: str
    type: str
    style: str
    start: int
    end: int
    masked_start: int
    masked_end: int
    known: bool


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text after masking and the spans that were written over, sorted and disjoint.

    It holds nothing of the original text.
    """

    text: str
    spans: tuple[MaskedSpan, ...] = ()

    def __str__(self) -> str:
        return self.text


def as_query(
    text: str,
    masked: MaskedText,
    masks_of: Callable[[MaskedSpan], Sequence[tuple[str, Sequence[str], float]]],
) -> str:
    """Return a masked text in which each mask of one entity weighs more than its value did.

    A pseudonym, surrogate or token is repeated, with blanks between, until it has about `TIMES` as
    many words as the value. The value's masks under other types follow, repeated likewise. These
    masks are alternatives: a word that several of them have, as "Medical" in two surrogates of a
    clinic, is written as often as one of them needs it.

    Args:
        masks_of: returns, for a span, each masked value that the span equals or contains: its
            spelling there, its masks in the corpus, and the weight of one mask (a word has 1).
    """
    pieces, at = [], 0
    for one in masked.spans:
        mask = masked.text[one.masked_start : one.masked_end]
        written = [mask]
        if one.style in REVERSIBLE:
            values = masks_of(one) or [(text[one.start : one.end], [mask], 1.0)]
            written = _alternatives(each for value in values for each in _weighted(*value))
        pieces += [masked.text[at : one.masked_start], " ".join(written)]
        at = one.masked_end
    return "".join([*pieces, masked.text[at:]])


def _weighted(spelling: str, masks: Sequence[str], weight: float) -> Iterator[tuple[str, int]]:
    """Yield masks of a value, each with how often it weighs `TIMES` the words of a spelling."""
    words = len(_WORD.findall(spelling))
    for mask in masks:
        yield mask, round(TIMES * max(words / (len(_WORD.findall(mask)) or 1), 1) * weight)


def _alternatives(masks: Iterable[tuple[str, int]]) -> list[str]:
    """Return the words of masks that each stand so many times, of all as many as of any one."""
    most: Counter[str] = Counter()
    for mask, times in masks:
        most |= Counter(mask.split() * times)
    return list(most.elements())
