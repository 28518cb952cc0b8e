"""Sums up the mentions of each value in the first pass, and selects the strong values."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np
from msgspec.structs import replace

from linkmask.config import Settings
from linkmask.detect.structured.user_names import IN_LINK
from linkmask.formulas import reaches, uniqueness
from linkmask.records import Mention
from linkmask.text.fold import folded_value


class ValueStatistics(msgspec.Struct, array_like=True):
    """Statistics of one value over the mentions of the first pass.

    `relevance`, `score`: the largest of its mentions, both in [0, 1]; `documents`: how many hold
    it; `last`: the number of the latest of these. `surfaces`: folded spellings, with whether each
    was always written with a capital.
    """

    value: str
    type: str
    relevance: float = 0.0
    documents: int = 0
    last: int = -1
    score: float = 0.0
    surfaces: dict[str, bool] = {}

    def add(self, mention: Mention, ordinal: int) -> None:
        """Count one mention in the document with this ordinal (documents come in order)."""
        self.documents += ordinal != self.last
        self.last = ordinal
        self.relevance = max(self.relevance, mention.relevance)
        self.score = max(self.score, mention.why.score)
        surface = folded_value(mention.original)
        capital = mention.original[:1].isupper()
        self.surfaces[surface] = self.surfaces.get(surface, True) and capital


def value_statistics(
    mentions: Iterable[Mention], before: Iterable[ValueStatistics] = ()
) -> list[ValueStatistics]:
    """Sum up mentions by value and type, sorted by both; documents come one after another.

    `before`: the sums of other documents, to which these are added; they stay as they are.
    A user name in the query of a link is left out: it is looked for nowhere else.
    """
    by_value = {(one.value, one.type): one for one in before}
    ordinal, document = max((one.last for one in by_value.values()), default=-1), None
    own: set[tuple[str, str]] = set()
    for mention in mentions:
        if mention.document != document:
            ordinal, document = ordinal + 1, mention.document
        if mention.why.rule == IN_LINK:
            continue
        key = mention.value, mention.type
        if key not in own:
            was = by_value.get(key) or ValueStatistics(*key)
            by_value[key] = replace(was, surfaces=dict(was.surfaces))
            own.add(key)
        by_value[key].add(mention, ordinal)
    return [by_value[key] for key in sorted(by_value)]


def strong_values(
    statistics: Iterable[ValueStatistics], documents: int, settings: Settings
) -> list[ValueStatistics]:
    """Return the values strong enough to be looked for elsewhere (formulas.md §3.2)."""
    listed = list(statistics)
    frequency = np.array([one.documents for one in listed], dtype=np.int32)
    return [
        one
        for one, u in zip(listed, uniqueness(frequency, documents), strict=True)
        if reaches(one.relevance * u, settings.filter_strength)
    ]
