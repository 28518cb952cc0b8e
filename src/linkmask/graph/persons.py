"""Groups documents by person, by names and numbers, and draws the days by which dates are moved."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from linkmask import schema
from linkmask.records import Incidence

PERSONAL = schema.types_of("owner")
"""Types whose values show whom a document is about, if they are relevant enough."""
RELEVANT = 0.5
MOST_DAYS = 365


def days_by_person(incidence: Incidence, dates: Iterable[str], key: bytes) -> dict[str, int]:
    """Return by how many days each date is moved: ±1 to 365, the same for all of one person.

    Documents are about one person if they share a relevant name or number. The days are computed
    from the key and the person's first such entity. A date in documents of several persons is left
    out.
    """
    person = _persons(incidence)
    numbers = {name: number for number, name in enumerate(incidence.entities)}
    wanted = {numbers[name]: name for name in dates if name in numbers}
    owners: dict[int, set[int]] = {}
    document = incidence.document
    held = np.isin(incidence.entity, np.array(sorted(wanted), dtype=np.int32))
    for entity, where in zip(incidence.entity[held].tolist(), document[held].tolist(), strict=True):
        owners.setdefault(entity, set()).add(person[where])
    return {
        wanted[entity]: _days_of(incidence.entities[owner] if owner >= 0 else "", key)
        for entity, (owner, *others) in sorted(owners.items())
        if not others
    }


def _days_of(person: str, key: bytes) -> int:
    number = int.from_bytes(hmac.digest(key, b"linkmask days " + person.encode(), "sha256")[:8])
    days = number // 2 % MOST_DAYS + 1
    return days if number % 2 else -days


def _persons(incidence: Incidence) -> list[int]:
    """Return, for each document, the smallest entity that names its person, −1 where none does."""
    personal = [number for number, name in enumerate(incidence.types) if name in PERSONAL]
    parent = list(range(incidence.n_entities))

    def root(entity: int) -> int:
        while parent[entity] != entity:
            parent[entity] = entity = parent[parent[entity]]
        return entity

    strong = np.isin(incidence.type[incidence.entity], personal) & (incidence.relevance >= RELEVANT)
    first: list[int] = []
    for begin, end in pairwise(incidence.start.tolist()):
        names = incidence.entity[begin:end][strong[begin:end]].tolist()
        roots = sorted(root(name) for name in names)
        for other in roots[1:]:
            parent[other] = roots[0]
        first.append(roots[0] if roots else -1)
    return [entity if entity < 0 else root(entity) for entity in first]
