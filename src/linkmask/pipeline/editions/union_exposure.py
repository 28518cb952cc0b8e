"""Computes what readers of all editions hold together, and what must be masked for it.

An edition shows in a document the entities that its plan leaves readable. Who kept an earlier one
and lays the next beside it holds the union of both: what a new plan masks in a released document,
and what was deleted or changed since, is known to such a reader all the same. Nothing that was
shown can be taken back; so where the union is over a limit, more is masked in new and changed
documents.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np

from linkmask import graph
from linkmask.config import Settings
from linkmask.formulas import SLACK, rows_of
from linkmask.records import Flags, Floats, Incidence, Ints, Longs, Plan
from linkmask.runs.editions import ShownBefore

Path = tuple[int, ...]
"""The documents of a chain by number; a document alone is a path of one."""


@dataclass(frozen=True, slots=True)
class UnionExcess:
    """What the union of all editions needs beside a plan.

    `masked`: ids of entities to mask, too. `documents`, `chains`: how many are over their limits
    by what earlier editions showed, whatever is masked.
    """

    masked: Sequence[str] = ()
    documents: int = 0
    chains: int = 0


@dataclass(frozen=True, slots=True)
class EditionUnion:
    """The corpus as readers may hold it: today's, and beside it what was shown earlier.

    `incidence`: all pairs of a document and an entity in it, then or now; today's documents and
    entities come first, in their numbers. `now`: whether today's document holds the pair; `shown`:
    whether an earlier edition showed it.
    """

    incidence: Incidence
    now: Flags
    shown: Flags

    def hidden(self, masked: Flags) -> Flags:
        """Tell of each pair whether the next edition hides what an earlier one showed."""
        return np.asarray(self.shown & ~(self.now & ~masked[self.incidence.entity]))

    def held(self, masked: Flags) -> Flags:
        """Tell of each pair whether a reader of all editions knows it."""
        return np.asarray(self.shown | (self.now & ~masked[self.incidence.entity]))

    def free(self, masked: Flags) -> Flags:
        """Tell of each pair whether the next edition would be the first to show it."""
        return np.asarray(self.now & ~self.shown & ~masked[self.incidence.entity])

    def part(self, pairs: Flags) -> EditionUnion:
        """Return the same documents and entities with some of the pairs only."""
        return EditionUnion(self.incidence.with_mentions(pairs), self.now[pairs], self.shown[pairs])


def edition_union(
    incidence: Incidence,
    stayed: Collection[str],
    hidden: Collection[str],
    extra: ShownBefore,
    weights: Mapping[str, float],
) -> EditionUnion:
    """Lay what was shown earlier beside the corpus of today.

    Args:
        stayed: ids of the documents that the last edition released, and that are the same today.
        hidden: ids of the entities that it masked in them; all others it showed.
        extra: what was shown otherwise: in documents that changed or are gone, or longer ago.
        weights: the weight of each type.
    """
    shown = _shown(incidence, stayed, hidden)
    places = {name: n for n, name in enumerate(incidence.documents)}
    numbers = {name: n for n, name in enumerate(incidence.entities)}
    types = {name: n for n, name in enumerate(incidence.types)}
    document = [places.setdefault(name, len(places)) for name in extra.documents]
    entity = [numbers.setdefault(name, len(numbers)) for name in extra.entities]
    # What two editions showed counts as it was most unique.
    uniquest = {entity[n]: n for n in sorted(range(len(entity)), key=extra.uniqueness.__getitem__)}
    new = [uniquest[number] for number in range(incidence.n_entities, len(numbers))]
    kinds = [types.setdefault(extra.types[n], len(types)) for n in new]
    of = incidence.document
    rows = (
        np.concatenate([of, np.array(document, np.int64)[np.array(extra.document, np.int64)]]),
        np.concatenate([incidence.entity, np.array(entity, np.int64)[np.array(extra.entity, int)]]),
    )
    order = np.lexsort((rows[1], rows[0]))
    of, held = rows[0][order], rows[1][order]
    first = np.append(True, (of[1:] != of[:-1]) | (held[1:] != held[:-1]))[: len(of)]
    opens = np.flatnonzero(first)
    added = len(extra.document)

    def united(today: Any, earlier: Any, how: Any) -> Any:
        both = np.concatenate([today, earlier])[order]
        return how.reduceat(both, opens) if len(opens) else both

    n = len(incidence.entity)
    relevance = united(incidence.relevance, np.array(extra.relevance, float), np.maximum)
    was = united(shown, np.ones(added, np.bool_), np.logical_or)
    now = united(np.ones(n, np.bool_), np.zeros(added, np.bool_), np.logical_or)
    unique = np.array([extra.uniqueness[n] for n in new], float)
    whole = replace(
        incidence,
        documents=list(places),
        entities=list(numbers),
        types=tuple(types),
        start=_starts(of[opens], len(places)),
        entity=held[opens].astype(np.int32),
        relevance=relevance,
        type=np.append(incidence.type, kinds).astype(np.int32),
        uniqueness=np.append(incidence.uniqueness, unique),
        weight=np.append(incidence.weight, [weights.get(extra.types[n], 1.0) for n in new]),
        frequency=np.bincount(held[opens], minlength=len(numbers)).astype(np.int32),
    )
    return EditionUnion(whole, now, was)


def union_excess(readers: EditionUnion, settings: Settings, plan: Plan) -> UnionExcess:
    """Return what must be masked beside a plan so that no reader holds more than the limits allow.

    A document or chain counts if an earlier edition showed something in it that the plan hides.
    Each that is over its limit names the entity that tells most among those that no edition has
    shown there yet; the ones named are masked, and all are looked at again. For one that stays
    over its limit even if all of these were masked, nothing is masked in vain. What the plan itself
    leaves unmet is not counted.
    """
    masked = np.zeros(readers.incidence.n_entities, np.bool_)
    masked[plan.masked] = True
    readers = _near(readers, masked, settings.chain_length)
    if not readers.hidden(masked).any():
        return UnionExcess()
    may = np.zeros(len(masked), np.bool_)
    may[readers.incidence.entity[readers.free(masked)]] = True
    stays = frozenset(settings.never_mask)
    may &= np.array([name not in stays for name in readers.incidence.entities], np.bool_)
    unmet: set[Path] = {(number,) for number in plan.unmet_documents.tolist()}
    unmet |= {_path(row) for row in plan.chains.documents[~plan.chains.met].tolist()}
    stuck = _over(readers, settings, masked | may)
    more: list[int] = []
    while True:
        over = _over(readers, settings, masked) - stuck
        named = {_most(readers, masked, may, path) for path in sorted(over)} - {-1}
        if not named:
            break
        more += sorted(named)
        masked[sorted(named)] = True
    maskable = stuck - unmet
    chains = sum(len(path) > 1 for path in maskable)
    return UnionExcess(
        tuple(readers.incidence.entities[e] for e in more), len(maskable) - chains, chains
    )


def _near(readers: EditionUnion, masked: Flags, length: int) -> EditionUnion:
    """Return what concerns the documents of which more was shown than a plan shows.

    These are the documents themselves and those that chains of so many documents may join to them.
    """
    incidence = readers.incidence
    of = incidence.document
    inside = np.zeros(incidence.n_documents, np.bool_)
    inside[of[readers.hidden(masked)]] = True
    for _ in range(length - 1):
        shared = np.zeros(incidence.n_entities, np.bool_)
        shared[incidence.entity[inside[of]]] = True
        inside[of[shared[incidence.entity]]] = True
    return readers.part(inside[of])


def _over(readers: EditionUnion, settings: Settings, masked: Flags) -> set[Path]:
    """Return the documents and chains over their limits, as a reader of all editions knows them.

    Of those, the ones with a document of which the plan hides what was shown. Where chains are too
    many to be listed, only the riskiest count.
    """
    incidence = readers.incidence
    held = incidence.with_mentions(readers.held(masked))
    # What one edition said beyond another may be masked by now, so every link counts here.
    risk = graph.assess(held, msgspec.structs.replace(settings, link_contained=True))
    hidden = np.zeros(incidence.n_documents, np.bool_)
    of = incidence.document
    hidden[of[readers.hidden(masked)]] = True
    documents = np.flatnonzero(hidden & (risk.documents >= settings.theta_doc - SLACK))
    chains = risk.chains.documents[risk.chains.risk > settings.theta_chain + SLACK]
    concerned = ((chains >= 0) & hidden[chains]).any(axis=1)
    return {(d,) for d in documents.tolist()} | {_path(row) for row in chains[concerned].tolist()}


def _most(readers: EditionUnion, masked: Flags, may: Flags, path: Path) -> int:
    """Return the entity to mask for a path: one that links first, then the one that tells most.

    −1 where nothing in it may be masked.
    """
    rows, start = rows_of(readers.incidence), readers.incidence.start
    pairs = np.concatenate([np.arange(start[d], start[d + 1]) for d in path])
    entity, share = rows.entity[pairs], rows.share[pairs]
    free = readers.free(masked)[pairs] & may[entity]
    if not free.any():
        return -1
    times = np.bincount(entity[readers.held(masked)[pairs]], minlength=len(may))
    order = np.lexsort((entity, -share, times[entity] < 2))
    return int(entity[order[free[order]][0]])


def _path(row: Sequence[int]) -> Path:
    return tuple(number for number in row if number >= 0)


def _starts(of: Any, documents: int) -> Longs:
    counts = np.bincount(of, minlength=documents)
    return np.append(0, np.cumsum(counts)).astype(np.int64)


# ── what the ledger keeps ───────────────────────────────────────────────────────────────────────


def shown_by(
    incidence: Incidence, masked: Collection[str], documents: Collection[str]
) -> ShownBefore:
    """Return what an edition showed in some documents, by the ids of the entities it masked."""
    return _rows(incidence, _shown(incidence, documents, masked))


def _shown(incidence: Incidence, documents: Collection[str], masked: Collection[str]) -> Flags:
    """Tell of each pair whether a release of these documents shows it."""
    here = np.array([name in documents for name in incidence.documents], np.bool_)
    hides = np.zeros(incidence.n_entities, np.bool_)
    hides[incidence.numbers_of(masked)] = True
    of = incidence.document
    return np.asarray(here[of] & ~hides[incidence.entity])


def shown_only_before(
    readers: EditionUnion, masked: Flags, released: Collection[str]
) -> ShownBefore:
    """Return what was shown and the edition that is `released` now, by document, shows no more."""
    incidence = readers.incidence
    out = np.array([name in released for name in incidence.documents], np.bool_)
    of = incidence.document
    return _rows(incidence, np.asarray(readers.shown & (readers.hidden(masked) | ~out[of])))


def _rows(incidence: Incidence, pairs: Flags) -> ShownBefore:
    """Return some pairs of an incidence as rows, with what is known of their entities."""
    of = incidence.document[pairs]
    documents, document = np.unique(of, return_inverse=True)
    entities, entity = np.unique(incidence.entity[pairs], return_inverse=True)
    relevance: Floats = incidence.relevance[pairs]
    kinds: Ints = incidence.type[entities]
    return ShownBefore(
        [incidence.documents[d] for d in documents.tolist()],
        [incidence.entities[e] for e in entities.tolist()],
        [incidence.types[kind] for kind in kinds.tolist()],
        incidence.uniqueness[entities].tolist(),
        document.tolist(),
        entity.tolist(),
        relevance.tolist(),
    )
