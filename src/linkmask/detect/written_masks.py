"""Recognizes the masks of an earlier run in a text, which are not values."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping

from linkmask.detect.candidates import Candidate
from linkmask.schema import MASK, types_of, words

STAND_INS: Mapping[str, str] = words("masks")["stand_ins"]
"""Stand-in for a mask by its type; "12345" for other types."""


def with_stand_ins(text: str) -> str:
    """Return a text of the same length with a plain value for each mask.

    Its language, its subject and the tagger's labels are then as before masking.
    """
    return MASK.sub(_stand_in, text) if "[" in text else text


def _stand_in(mask: re.Match[str]) -> str:
    length = len(mask[0])
    return STAND_INS.get(mask[1], "12345")[:length].ljust(length)


def outside_earlier_masks(
    text: str, spans: list[Candidate], types: Collection[str]
) -> list[Candidate]:
    """Return the spans that touch no mask of an earlier run: a mask is not a value.

    The word after a masked treatment or condition is not one either: "[TREATMENT] infusions".
    """
    if "[" not in text:
        return spans
    masks = [
        mask.span() for mask in MASK.finditer(text) if mask[1] in types or mask[1] == "REDACTED"
    ]
    if not masks:
        return spans
    ends = [end for _, end in masks]
    starts = [*(start for start, _ in masks), len(text)]
    apart = [one for one in spans if starts[bisect_right(ends, one.start)] >= one.end]
    return [one for one in apart if one.type not in HEADED or not _follows_own_mask(text, one)]


HEADED = types_of("clinical")
"""Types whose values end in a word for their kind."""


def _follows_own_mask(text: str, one: Candidate) -> bool:
    """Does a mask of its own type stand right before a span?"""
    at = text.rfind("[", max(one.start - 60, 0), one.start)
    mask = MASK.match(text, at) if at >= 0 else None
    return bool(mask and mask[1] == one.type and one.start - mask.end() < 2)
