"""Finds the documents whose masks differ between two plans, without masking them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from linkmask.redact.match import Matcher


class Rules(NamedTuple):
    """What a redactor does: how it masks each entity, all spellings, and what a placeholder is."""

    rules: Mapping[str, tuple[Any, ...]]
    forms: Mapping[str, Sequence[str]]
    placeholder: re.Pattern[str]


@dataclass(frozen=True)
class Changes:
    """Differences of two redactors: the entities that they mask differently, and spellings.

    `everywhere`: what counts as a placeholder differs, which may concern any document.
    """

    entities: frozenset[str]
    spellings: Matcher
    everywhere: bool

    def concerned(self, documents: Sequence[tuple[Iterable[str], Sequence[str]]]) -> list[bool]:
        """Tell of each document whether it may be masked otherwise; no other one is.

        Args:
            documents: the entities that each mentions, and its texts, as they were read and as the
                other redactor wrote them: a mask may make a word of what was part of one.
        """
        texts = [text for _, own in documents for text in own]
        bounds = pairwise(accumulate((len(own) for _, own in documents), initial=0))
        hits = self.spellings.find(texts)
        return [
            self.everywhere or not self.entities.isdisjoint(entities) or any(hits[first:stop])
            for (entities, _), (first, stop) in zip(documents, bounds, strict=True)
        ]
