"""Computes risks of documents, links and chains before masking and under a plan."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    LEVELS,
    SLACK,
    chain_risk,
    document_risk,
    edge_strength,
    level,
    none_masked,
    rows_of,
)
from linkmask.formulas.singling_out import people_who_fit
from linkmask.records import Flags, Incidence, Plan, Risk

Now = tuple[float, float]
"""A risk or strength before and after masking; the same twice where there is no plan."""


class PlannedRisks:
    """A run as figures: entities, documents and chains by number. Nothing is computed unasked."""

    def __init__(
        self, incidence: Incidence, before: Risk, plan: Plan | None, settings: Settings
    ) -> None:
        self.incidence = incidence
        self.before = before
        self.plan = plan
        self.settings = settings
        self.rows = rows_of(incidence)
        self.nothing: Flags = none_masked(incidence.n_entities)
        self.masked: Flags = self.nothing.copy()
        if plan is not None:
            self.masked[plan.masked] = True

    def place(self, e: int) -> int | None:
        """Return where in the plan an entity is masked, or None if it is kept."""
        if self.plan is None or not self.masked[e]:
            return None
        return int(np.flatnonzero(self.plan.masked == e)[0])

    def state(self, e: int) -> str:
        """Return the stage at which an entity is masked, or `kept`."""
        place = self.place(e)
        return "kept" if place is None or self.plan is None else self.plan.stage[place]

    def standing(self, e: int) -> str:
        """Say whether an entity is masked, and when."""
        if self.plan is None:
            return "nothing is masked yet"
        state = self.state(e)
        return "kept, still readable" if state == "kept" else f"masked at the {state} stage"

    def holders(self, e: int) -> list[tuple[int, float]]:
        """Return (document, relevance) of the documents with an entity, most relevant first."""
        where = np.flatnonzero(self.incidence.entity == e)
        found = np.searchsorted(self.incidence.start, where, side="right") - 1
        rows = zip(found.tolist(), self.incidence.relevance[where].tolist(), strict=True)
        return sorted(rows, key=lambda row: (-round(row[1], 12), row[0]))

    def entities_of(self, d: int) -> list[tuple[int, float, float]]:
        """Return (entity, relevance, contribution) of a document, largest contribution first."""
        at = slice(self.incidence.start[d], self.incidence.start[d + 1])
        entity, relevance = self.incidence.entity[at], self.incidence.relevance[at]
        share = relevance * self.rows.ceiling[entity]
        rows = list(zip(entity.tolist(), relevance.tolist(), share.tolist(), strict=True))
        return sorted(rows, key=lambda row: (-round(row[2], 12), row[0]))

    def fitting(self, d: int) -> Now:
        """Return how many of the settings' population fit what a document says (§5.2)."""
        shares_and_population = self.settings.known_shares, self.settings.population
        before, after = (
            float(people_who_fit(self.incidence, mask, *shares_and_population)[d])
            for mask in (self.nothing, self.masked)
        )
        return before, after

    def shared(self, a: int, b: int) -> list[tuple[int, float, float]]:
        """Return (entity, larger relevance, s) of what two documents share, largest s first."""
        held = [{e: r for e, r, _ in self.entities_of(d)} for d in (a, b)]
        rows = []
        for e in self.incidence.shared(a, b).tolist():
            most = max(held[0][e], held[1][e])
            rows.append((e, most, most * float(self.rows.ceiling[e])))
        return sorted(rows, key=lambda row: (-round(row[2], 12), row[0]))

    def risk(self, d: int) -> Now:
        """Return a document's risk before and after."""
        return (
            float(document_risk(self.rows, self.nothing, d)),
            float(document_risk(self.rows, self.masked, d)),
        )

    def strength(self, a: int, b: int) -> Now:
        """Return the strength between two documents before and after."""
        return (
            float(edge_strength(self.rows, self.nothing, a, b)),
            float(edge_strength(self.rows, self.masked, a, b)),
        )

    def chain(self, path: list[int]) -> Now:
        """Return a chain's risk before and after."""
        return (
            float(chain_risk(self.rows, self.nothing, path)),
            float(chain_risk(self.rows, self.masked, path)),
        )

    def with_readable(
        self, e: int, documents: list[int], chains: list[int]
    ) -> tuple[list[float], list[float]]:
        """Return the risks of documents and chains if all but one entity of the plan is masked."""
        flags = self.masked.copy()
        flags[e] = False
        return (
            [float(document_risk(self.rows, flags, d)) for d in documents],
            [float(chain_risk(self.rows, flags, self.path(c))) for c in chains],
        )

    def level(self, risk: float) -> str:
        """Return the category of a chain's risk."""
        return LEVELS[level(risk, self.settings.high, self.settings.medium)]

    def linked(self, d: int) -> list[int]:
        """Return the documents linked to one before masking, in input order."""
        links = self.before.links
        right, left = links.right[links.left == d], links.left[links.right == d]
        return sorted(int(other) for other in np.concatenate([left, right]))

    def holds(self, strength: float) -> bool:
        """Tell whether a strength makes a link."""
        return strength > 0 and strength >= self.settings.edge_threshold - SLACK

    def treated(self, documents: Iterable[int]) -> list[int]:
        """Return the plan's chains through any of these documents, riskiest first."""
        if self.plan is None or not len(self.plan.chains):
            return []
        there = np.isin(self.plan.chains.documents, list(documents)).any(axis=1)
        return [int(c) for c in np.flatnonzero(there)]

    def path(self, c: int) -> list[int]:
        """Return the documents along one of the plan's chains."""
        assert self.plan is not None
        return [int(d) for d in self.plan.chains.documents[c] if d >= 0]

    def treated_pair(self, a: int, b: int) -> int | None:
        """Return which of the plan's chains two documents are, if they are one."""
        found = (c for c in self.treated([a]) if sorted(self.path(c)) == sorted((a, b)))
        return next(found, None)
