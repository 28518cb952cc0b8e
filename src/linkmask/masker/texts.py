"""What masking a text gives: the masked text, and what was written over where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


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
