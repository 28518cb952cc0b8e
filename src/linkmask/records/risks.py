"""Defines the corpus as the engine sees it, and the risk of its documents, links and chains."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from linkmask.records.arrays import Flags, Floats, Ints, Longs
from linkmask.records.entity_ids import entity_label

Level = Literal["HIGH", "MEDIUM", "LOW"]


@dataclass(frozen=True, slots=True)
class Incidence:
    """The corpus as the engine sees it: which entity occurs in which document, how relevantly.

    CSR by document: the entities of document `d` are `entity[start[d]:start[d+1]]`, in ascending
    order and without repeats, their relevances (the larger one where a document lists an entity
    twice) `relevance[…]`. Documents are numbered in input order; entities are numbered in the
    order of their ids, so a tie broken by number is a tie broken by id.

    `frequency[e]`: documents that hold e; `uniqueness[e]` in [0, 1] (formulas.md §4), which
    masking does not change. `weight[e]` in [0, 1]: weight of e's type. `type[e]` indexes
    `types`. `salt`: secret of the run, by which `label` names entities outside of it.
    """

    documents: Sequence[str]
    entities: Sequence[str]
    types: tuple[str, ...]
    start: Longs
    entity: Ints
    relevance: Floats
    type: Ints
    frequency: Ints
    uniqueness: Floats
    weight: Floats
    salt: bytes = b""

    def label(self, entity: int) -> str:
        """Name an entity by number where others may read it: in a report, in what is released."""
        return entity_label(self.entities[entity], self.salt)

    def numbers_of(self, ids: Collection[str]) -> Ints:
        """Return the numbers of the entities with these ids, ascending; of unknown ids none."""
        wanted = frozenset(ids)
        found = [n for n, name in enumerate(self.entities) if name in wanted] if wanted else []
        return np.array(found, dtype=np.int32)

    def shared(self, left: int, right: int) -> Ints:
        """Return the numbers of the entities that two documents share, ascending."""
        rows = [self.entity[self.start[d] : self.start[d + 1]] for d in (left, right)]
        return np.intersect1d(rows[0], rows[1], assume_unique=True)

    def part(self, documents: Sequence[int]) -> Incidence:
        """Return some documents in this order, by number; entities and their counts stay."""
        begin, size = self.start[documents], np.diff(self.start)[documents]
        start = np.append(0, np.cumsum(size)).astype(np.int64)
        at = np.repeat(begin - start[:-1], size) + np.arange(start[-1])
        return replace(
            self,
            documents=[self.documents[d] for d in documents],
            start=start,
            entity=self.entity[at],
            relevance=self.relevance[at],
        )

    def with_mentions(self, kept: Flags) -> Incidence:
        """Return the same documents and entities with some of the mentions, counted anew."""
        entity = self.entity[kept]
        return replace(
            self,
            start=np.append(0, np.cumsum(kept))[self.start],
            entity=entity,
            relevance=self.relevance[kept],
            frequency=np.bincount(entity, minlength=self.n_entities).astype(np.int32),
        )

    @property
    def document(self) -> Longs:
        """The number of each mention's document: what `entity` is for entities."""
        return np.repeat(np.arange(self.n_documents), np.diff(self.start))

    @property
    def n_documents(self) -> int:
        """Documents of the corpus, also those without an entity."""
        return len(self.start) - 1

    @property
    def n_entities(self) -> int:
        """Distinct entities."""
        return len(self.weight)

    @property
    def n_mentions(self) -> int:
        """Pairs of a document and an entity in it."""
        return len(self.entity)


@dataclass(frozen=True, slots=True)
class Links:
    """Pairs of documents joined by shared entities, `left[i] < right[i]`, sorted by (left, right).

    `strength[i]` in [0, 1], at or above the edge threshold, before masking. `blocked` counts pairs
    that were not compared, because their group has more than `group_budget`.
    """

    left: Ints
    right: Ints
    strength: Floats
    blocked: int = 0

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, slots=True)
class Chains:
    """Simple paths of 2 to CL documents, each once: several may lead over the same documents.

    `documents[i]` holds the numbers of chain i's documents along the path, padded with −1; chains
    are sorted by documents. `counts` gives HIGH, MEDIUM, LOW over all chains. If there are more
    chains than the budget, they are counted and not listed: `documents` then holds the riskiest
    links, riskiest first, and `complete` is False.
    """

    documents: Ints
    risk: Floats
    counts: Mapping[Level, int]
    complete: bool = True

    def __len__(self) -> int:
        return len(self.risk)


@dataclass(frozen=True, slots=True)
class Risk:
    """What the corpus gives away: a risk in [0, 1] per document, its links and its chains."""

    documents: Floats
    links: Links
    chains: Chains
