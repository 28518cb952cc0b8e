"""A run as it would be once its entities are corrected otherwise, without writing anything.

Only documents that hold what is corrected are read again, from the mentions as they were detected;
the rest of the incidence is taken over.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import uniqueness
from linkmask.ids import Ids
from linkmask.pipeline.correcting import corrector, is_entity
from linkmask.records import Flags, Incidence, Ints, Mention, Plan, entity_id
from linkmask.review.opened import OpenedRun

Identity = tuple[str, str]
"""Id and type of an entity."""


class Corrected(NamedTuple):
    """The corpus as corrected: `moved[e]` is the number that entity e of the run has in it, or −1.

    `mentions[e]`: places of its entity e. `renamed`: ids that are others now, by the ids they had.
    """

    incidence: Incidence
    moved: Ints
    mentions: Ints
    renamed: dict[str, str]


class _Change:
    """What the documents that are read again hold before and after."""

    def __init__(self, opened: OpenedRun, settings: Settings) -> None:
        self.separator = settings.id_separator
        named = {
            one: opened.identity(opened.ids[one])
            for one in settings.corrections.values()
            if is_entity(one) and one in opened.ids
        }
        self._was = corrector(opened.run, opened.settings, named) or list
        self._now = corrector(opened.run, settings, named) or list
        self.rows: dict[int, dict[Identity, float]] = {}
        self.times: dict[str, int] = {}
        """Places that entities gain, by id; fewer than 0 where they lose them."""
        self.became: dict[str, set[str]] = {}

    def read(self, document: int, mentions: list[Mention]) -> None:
        """Read the mentions of a document as they were detected."""
        row = self.rows.setdefault(document, {})
        for mention in mentions:
            now = [(self._id(one), one.type) for one in self._now([mention])]
            for one in now:
                row[one] = max(row.get(one, 0.0), mention.relevance)
                self.times[one[0]] = self.times.get(one[0], 0) + 1
            for before in map(self._id, self._was([mention])):
                self.times[before] = self.times.get(before, 0) - 1
                self.became.setdefault(before, set()).update(name for name, _ in now)

    def _id(self, mention: Mention) -> str:
        return entity_id(mention.value, mention.type, self.separator)


def corrected(opened: OpenedRun, settings: Settings) -> Corrected:
    """Return the corpus of a run as its entities are under other corrections; pins are left out."""
    held, change = opened.incidence, _Change(opened, settings)
    heads = _changed(opened.settings, settings)
    again = {d for one in heads if one in opened.ids for d in opened.holders(opened.ids[one])}
    again |= opened.detected_in(heads)
    for document in sorted(again):
        change.read(document, opened.mentions_of(held.documents[document], opened.run.uncorrected))
    incidence, number = _put_together(held, change.rows, settings)
    to = {e: _same(e, then) for e, then in change.became.items()}
    moved = np.array([number.get(to.get(e, e), -1) for e in held.entities], dtype=np.int32)
    mentions = np.zeros(incidence.n_entities, dtype=np.int32)
    known = [number.get(e, -1) for e in held.entities]
    there = np.array(known, dtype=np.int64)
    mentions[there[there >= 0]] = opened.mentions[there >= 0]
    for name, more in change.times.items():
        if name in number:
            mentions[number[name]] += more
    renamed = {e: then for e, then in to.items() if then and then != e}
    return Corrected(incidence, moved, mentions, renamed)


def projected(plan: Plan, moved: Ints) -> Plan:
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


def _changed(before: Settings, after: Settings) -> set[str]:
    """Return the ids of the entities of which something else is said."""
    was, now = before.corrections, after.corrections
    keys = (key for key in was.keys() | now.keys() if was.get(key) != now.get(key))
    return {key.partition("/")[0] for key in keys}


def _same(entity: str, then: set[str]) -> str:
    """Return what an entity is now: itself, where any of it still is, or one of the others."""
    return entity if entity in then else min(then, default="")


def _put_together(
    held: Incidence, rows: dict[int, dict[Identity, float]], settings: Settings
) -> tuple[Incidence, dict[str, int]]:
    """Return the incidence with some documents' rows replaced, and the numbers of its entities."""
    of = np.repeat(np.arange(held.n_documents), np.diff(held.start))
    stays: Flags = ~np.isin(of, np.fromiter(rows, np.int64, len(rows)))
    used = np.unique(held.entity[stays])
    kind = {held.entities[e]: held.types[held.type[e]] for e in used.tolist()}
    kind |= {name: one for row in rows.values() for name, one in row}
    names = sorted(kind)
    number = {name: n for n, name in enumerate(names)}
    renumbered = np.full(held.n_entities, -1, dtype=np.int64)
    renumbered[used] = [number[held.entities[e]] for e in used.tolist()]
    more = [(d, number[name], r) for d, row in rows.items() for (name, _), r in row.items()]
    document = np.concatenate([of[stays], np.array([d for d, _, _ in more], np.int64)])
    entity = np.concatenate(
        [renumbered[held.entity[stays]], np.array([e for _, e, _ in more], np.int64)]
    )
    relevance = np.concatenate([held.relevance[stays], np.array([r for *_, r in more], float)])
    order = np.lexsort((entity, document))
    counts = np.bincount(document, minlength=held.n_documents)
    frequency = np.bincount(entity, minlength=len(names)).astype(np.int32)
    types = tuple(dict.fromkeys([*held.types, *kind.values()]))
    place = {name: n for n, name in enumerate(types)}
    of_type = np.array([place[kind[name]] for name in names], dtype=np.int32)
    weights = settings.entity_types.weights
    by_type = np.array([weights.get(name, 0.0) for name in types])
    return replace(
        held,
        entities=Ids("".join(names)),
        types=types,
        start=np.concatenate([[0], np.cumsum(counts)]).astype(held.start.dtype),
        entity=entity[order].astype(np.int32),
        relevance=relevance[order],
        type=of_type,
        frequency=frequency,
        uniqueness=uniqueness(frequency, held.n_documents),
        weight=by_type[of_type] if len(names) else np.zeros(0),
    ), number
