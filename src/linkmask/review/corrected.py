"""Computes a run with corrected entities, without writing anything.

Only documents that hold what is corrected are read again, from the mentions as they were detected;
the rest of the incidence is taken over.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import uniqueness
from linkmask.pipeline.correcting import is_entity, make_corrector, subject
from linkmask.pipeline.values.run_value import Spelled
from linkmask.records import Flags, Incidence, Ints, Mention, Plan, entity_id
from linkmask.records.ids import Ids
from linkmask.review.opened_run import OpenedRun

Identity = tuple[str, str]
"""Id and type of an entity."""


class Corrected(NamedTuple):
    """The corrected corpus: `moved[e]` is the number that entity e of the run has in it, or −1.

    `mentions[e]`: number of mentions of its entity e. `renamed`: old id → new id of entities whose
    id changed. `spoken`: by value and spelling, how many mentions more (or fewer) than in the run.
    """

    incidence: Incidence
    moved: Ints
    mentions: Ints
    renamed: dict[str, str]
    spoken: Counter[Spelled]


class _Change:
    """What the documents that are read again hold before and after."""

    def __init__(self, opened: OpenedRun, settings: Settings) -> None:
        self.separator = settings.id_separator
        named = {
            one: opened.identity(opened.ids[one])
            for one in settings.corrections.values()
            if is_entity(one) and one in opened.ids
        }
        self._was = make_corrector(opened.run, opened.settings, named) or list
        self._now = make_corrector(opened.run, settings, named) or list
        self.rows: dict[int, dict[Identity, float]] = {}
        self.times: dict[str, int] = {}
        """Places that entities gain, by id; fewer than 0 where they lose them."""
        self.became: dict[str, set[str]] = {}
        self.spoken: Counter[Spelled] = Counter()

    def read(self, document: int, mentions: list[Mention]) -> None:
        """Read the mentions of a document as they were detected."""
        row = self.rows.setdefault(document, {})
        for mention in mentions:
            again, was = self._now([mention]), self._was([mention])
            self.spoken.update(_spelled(one) for one in again)
            self.spoken.subtract(map(_spelled, was))
            now = [(self._id(one), one.type) for one in again]
            for one in now:
                row[one] = max(row.get(one, 0.0), mention.relevance)
                self.times[one[0]] = self.times.get(one[0], 0) + 1
            for before in map(self._id, was):
                self.times[before] = self.times.get(before, 0) - 1
                self.became.setdefault(before, set()).update(name for name, _ in now)

    def _id(self, mention: Mention) -> str:
        return entity_id(mention.value, mention.type, self.separator)


def corrected_corpus(opened: OpenedRun, settings: Settings) -> Corrected:
    """Return the corpus of a run as its entities are under other corrections; pins are left out."""
    held, change = opened.incidence, _Change(opened, settings)
    heads = _changed(opened.settings, settings)
    again = {d for one in heads if one in opened.ids for d in opened.holders(opened.ids[one])}
    again |= opened.detected_in(heads)
    for document in sorted(again):
        change.read(document, opened.mentions_of(held.documents[document], opened.run.uncorrected))
    made = _Numbers(opened, again, change.rows)
    incidence = _put_together(held, change.rows, made, settings)
    to = {e: _same(e, then) for e, then in change.became.items()}
    moved, mentions = made.old.copy(), np.zeros(incidence.n_entities, dtype=np.int32)
    there = made.old >= 0
    mentions[made.old[there]] = opened.mentions[there]
    for name, more in change.times.items():
        if (number := made.of(name)) >= 0:
            mentions[number] += more
    for name, then in to.items():
        if name in opened.ids:
            moved[opened.ids[name]] = made.of(then) if then else -1
    renamed = {e: then for e, then in to.items() if then and then != e}
    return Corrected(incidence, moved, mentions, renamed, change.spoken)


class _Numbers:
    """The numbers of entities once some documents hold others: `old[e]` of those that stay, or −1.

    Numbers go by the order of ids; few are new, so the others are shifted.
    """

    def __init__(
        self, opened: OpenedRun, again: Collection[int], rows: dict[int, dict[Identity, float]]
    ) -> None:
        held, self._ids = opened.incidence, opened.ids
        of = held.document
        self.document = of
        self.stays: Flags = ~np.isin(of, np.fromiter(again, np.int64, len(again)))
        used = np.zeros(held.n_entities, dtype=np.bool_)
        used[held.entity[self.stays]] = True
        found = {name for row in rows.values() for name, _ in row}
        used[[self._ids[name] for name in found if name in self._ids]] = True
        names = list(self._ids)
        fresh = sorted(found - self._ids.keys())
        place = np.array([bisect_left(names, name) for name in fresh], dtype=np.int64)
        before = np.concatenate([[0], np.cumsum(used)])
        shift = np.searchsorted(place, np.arange(held.n_entities), side="right")
        self.old: Ints = np.where(used, before[:-1] + shift, -1).astype(np.int32)
        numbers = (before[place] + np.arange(len(fresh))).tolist()
        self.fresh = dict(zip(fresh, numbers, strict=True))
        entities = np.empty(int(used.sum()) + len(fresh), dtype=object)
        entities[self.old[used]] = np.array(names, dtype=object)[used]
        entities[numbers] = fresh
        self.entities = Ids("".join(entities.tolist()))

    def of(self, entity: str) -> int:
        """Return the number of an entity by its id, or −1."""
        if entity in self.fresh:
            return int(self.fresh[entity])
        return int(self.old[self._ids[entity]]) if entity in self._ids else -1


def plan_in_run_entities(plan: Plan, moved: Ints) -> Plan:
    """Return a plan of a corrected corpus in the entities of the run as it is."""
    entities = max(int(moved.max(initial=-1)), int(plan.masked.max(initial=-1))) + 1
    place = np.full(entities + 1, -1, dtype=np.int64)  # the last stands for what is no entity
    place[plan.masked] = np.arange(len(plan.masked))
    at = place[moved]
    masked = np.flatnonzero(at >= 0).astype(np.int32)
    rows = at[masked]
    return replace(
        plan, masked=masked, stage=[plan.stage[k] for k in rows.tolist()],
        gain=plan.gain[rows], served=plan.served[rows],
    )  # fmt: skip


def _spelled(mention: Mention) -> Spelled:
    return (mention.value, mention.type), mention.original


def _changed(before: Settings, after: Settings) -> set[str]:
    """Return the ids of the entities whose corrections differ."""
    was, now = before.corrections, after.corrections
    keys = (key for key in was.keys() | now.keys() if was.get(key) != now.get(key))
    return set(map(subject, keys))


def _same(entity: str, then: set[str]) -> str:
    """Return the entity that an entity became: itself if a mention is left, or another one."""
    return entity if entity in then else min(then, default="")


def _put_together(
    held: Incidence,
    rows: dict[int, dict[Identity, float]],
    made: _Numbers,
    settings: Settings,
) -> Incidence:
    """Return the incidence with some documents' rows replaced."""
    more = [(d, made.of(name), r) for d, row in rows.items() for (name, _), r in row.items()]
    stays = made.stays
    document = np.concatenate([made.document[stays], np.array([d for d, _, _ in more], np.int64)])
    entity = np.concatenate(
        [made.old[held.entity[stays]], np.array([e for _, e, _ in more], np.int64)]
    )
    relevance = np.concatenate([held.relevance[stays], np.array([r for *_, r in more], float)])
    order = np.lexsort((entity, document))
    counts = np.bincount(document, minlength=held.n_documents)
    frequency = np.bincount(entity, minlength=len(made.entities)).astype(np.int32)
    kinds = {name: kind for row in rows.values() for name, kind in row if name in made.fresh}
    types = tuple(dict.fromkeys([*held.types, *kinds.values()]))
    of_type = np.zeros(len(made.entities), dtype=np.int32)
    of_type[made.old[made.old >= 0]] = held.type[made.old >= 0]
    for name, kind in kinds.items():
        of_type[made.fresh[name]] = types.index(kind)
    weights = settings.entity_types.weights
    by_type = np.array([weights.get(name, 0.0) for name in types])
    return replace(
        held,
        entities=made.entities,
        types=types,
        start=np.concatenate([[0], np.cumsum(counts)]).astype(held.start.dtype),
        entity=entity[order].astype(np.int32),
        relevance=relevance[order],
        type=of_type,
        frequency=frequency,
        uniqueness=uniqueness(frequency, held.n_documents),
        weight=by_type[of_type] if len(made.entities) else np.zeros(0),
    )
