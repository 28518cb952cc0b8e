"""Defines a masked text with its spans, and makes a query for a search by words of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linkmask.redact import REVERSIBLE

_WORD = re.compile(r"\w+")


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
    masks_of: Callable[[MaskedSpan], Sequence[tuple[Sequence[str], float]]],
) -> str:
    """Return a masked text in which each mask that tells values apart weighs as its value did.

    Such a mask is repeated, blanks between, until it has about as many words as the value had, and
    its value's masks under other types follow.

    Args:
        masks_of: returns the masks of a span that the run knows, by type, its own first, each with
            the weight of a mask; a word weighs 1.
    """
    pieces, at = [], 0
    for one in masked.spans:
        mask = masked.text[one.masked_start : one.masked_end]
        masks = [mask]
        if one.style in REVERSIBLE:
            words = len(_WORD.findall(text[one.start : one.end])) / (len(_WORD.findall(mask)) or 1)
            (own, weight), *others = masks_of(one) if one.known else [([mask], 1.0)]
            masks = _weighted(own, max(words, 1) * weight)
            masks += [each for held, less in others for each in _weighted(held, less)]
        pieces += [masked.text[at : one.masked_start], " ".join(masks)]
        at = one.masked_end
    return "".join([*pieces, masked.text[at:]])


def _weighted(masks: Sequence[str], weight: float) -> list[str]:
    return [mask for mask in masks for _ in range(round(weight))]
