"""Writes one mask over rare words that stand side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linkmask.records import Flags, Longs
from linkmask.redact.match import Columns
from linkmask.schema import RARE_TERM


def join_rare_words(
    text: str,
    spans: Columns,
    masks: Sequence[str],
    types_of: Callable[[Longs], Sequence[str]],
    may_grow: Flags,
) -> tuple[Columns, Longs]:
    """Return the spans, those of rare words in a row as one, and which of the masks are kept.

    Words are in a row if a single blank is between them and their masks are alike. The span over
    them is that of the first one's entity.

    Args:
        spans: starts, ends and entities, sorted and disjoint.
        masks: what is written over each.
        types_of: returns the types of some entities.
        may_grow: whether each span may be joined with another.
    """
    starts, ends, numbers = spans
    near = np.flatnonzero((starts[1:] - ends[:-1] == 1) & may_grow[:-1])
    types = types_of(numbers[near]), types_of(numbers[near + 1])
    follows = [
        place + 1
        for place, *both in zip(near.tolist(), *types, strict=True)
        if both == [RARE_TERM, RARE_TERM]
        and masks[place] == masks[place + 1]
        and text[ends[place]] == " "
    ]
    kept = np.delete(np.arange(len(starts)), follows)
    last = np.append(kept[1:], len(starts))[: len(kept)] - 1
    return (starts[kept], ends[last], numbers[kept]), kept
