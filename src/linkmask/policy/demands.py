"""Gathers what policies demand of a corpus: a route per document, a decision per entity.

Documents hold the same few sets of types again and again, so each set is routed once; the rest is
arrays, linear in the mentions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from linkmask.choices import STRICTNESS
from linkmask.policy.decide import RANK, Ask, PolicyDecision, Routed, decide, known_type, route
from linkmask.policy.policy_tables import Policy
from linkmask.records import Incidence, Ints

UNDECIDED = np.iinfo(np.int32).max
"""The rank of an entity that no policy covers: the limits decide."""


@dataclass(frozen=True)
class Demands:
    """Decisions over a corpus.

    `routes[route[d]]` is how document d was routed. `rank[e]` is the place in `STRICTNESS` of what
    is demanded of entity e, the strictest in all documents that hold it, or `UNDECIDED`;
    `policies[by[e]]` demands it. `known[type[e]]` is the name under which the policies know e's
    type.
    """

    policies: tuple[Policy, ...]
    routes: Sequence[Routed]
    route: Ints
    rank: Ints
    by: Ints
    known: Sequence[str]
    type: Ints
    strengthened: Mapping[int, str] = field(default_factory=dict)

    def of(self, entity: int) -> PolicyDecision | None:
        """Return the decision on an entity and its reason; None if the limits decide."""
        rank = int(self.rank[entity])
        if rank == UNDECIDED:
            return None
        policy, name = self.policies[int(self.by[entity])], self.known[int(self.type[entity])]
        technique = self.strengthened.get(entity, STRICTNESS[rank])
        return PolicyDecision(name, technique, policy.name, policy.rules[name])

    @property
    def decided(self) -> Ints:
        """Numbers of the entities that a policy covers, ascending."""
        return np.flatnonzero(self.rank < UNDECIDED).astype(np.int32)

    @property
    def demanded(self) -> Ints:
        """Numbers of the entities that a policy does not allow to stay as they are, ascending."""
        return np.flatnonzero(self.rank < RANK["keep"]).astype(np.int32)

    def questions(self) -> Iterator[tuple[int, str]]:
        """Yield the documents that wait for a person's answer, with the question."""
        asked = [number for number, one in enumerate(self.routes) if one.unknown]
        for document in np.flatnonzero(np.isin(self.route, asked)).tolist():
            yield document, self.routes[int(self.route[document])].question

    def without(self, entities: Ints) -> Demands:
        """Return the demands with `keep` for entities whose values already are as demanded."""
        rank = self.rank.copy()
        rank[entities] = RANK["keep"]
        return replace(self, rank=rank)


def demands(
    incidence: Incidence,
    policies: Sequence[Policy],
    ask: Ask | None = None,
    strengthened: Mapping[int, str] | None = None,
) -> Demands:
    """Route every document and decide on every entity: O(mentions + distinct sets of types).

    Args:
        ask: names a type that no policy knows; without it, its documents are escalated.
        strengthened: techniques by entity that a failed check made stricter.
    """
    ordered = tuple(sorted(policies, key=lambda one: (one.priority, one.name)))
    kinds = _kinds(incidence)
    sets, of = np.unique(kinds, axis=0, return_inverse=True)
    routes = [
        route([incidence.types[t] for t in np.flatnonzero(row)], ordered, ask) for row in sets
    ]
    type_names = [known_type(entity_type, ordered, ask) or "" for entity_type in incidence.types]
    table = np.array([_precedence(type_names, one, ordered) for one in routes], dtype=np.int32)
    document = np.repeat(of.reshape(-1), np.diff(incidence.start))
    least = np.full(incidence.n_entities, UNDECIDED, dtype=np.int32)
    if len(table):
        np.minimum.at(least, incidence.entity, table[document, incidence.type[incidence.entity]])
    rank, by = np.divmod(least, max(1, len(ordered)))
    rank[least == UNDECIDED] = UNDECIDED
    return Demands(
        ordered,
        routes,
        of.reshape(-1).astype(np.int32),
        rank,
        by,
        type_names,
        incidence.type,
        strengthened or {},
    )


def _kinds(incidence: Incidence) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return which types each document holds: documents × types."""
    held = np.zeros((incidence.n_documents, len(incidence.types)), dtype=np.bool_)
    document = incidence.document
    held[document, incidence.type[incidence.entity]] = True
    return held


def _precedence(type_names: Sequence[str], routed: Routed, policies: Sequence[Policy]) -> list[int]:
    """Return a number for the decision on each type in documents of one route.

    The smaller one prevails: that of the stricter technique, of equals that of the first policy.
    """
    applying = [policy for policy in policies if policy.name in routed.applying]
    place = {policy.name: number for number, policy in enumerate(policies)}
    decisions = [decide(name, applying) for name in type_names]
    return [
        UNDECIDED if one is None else RANK[one.technique] * len(policies) + place[one.policy]
        for one in decisions
    ]
