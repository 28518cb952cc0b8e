"""Selects the floor: entities that are masked whatever the risk, and those that a user keeps."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from linkmask.records import Incidence, Ints


def floor_entities(incidence: Incidence, types: Collection[str]) -> Ints:
    """Return the numbers of all entities of these types, ascending."""
    floored = np.array([name in types for name in incidence.types], dtype=np.bool_)
    return np.flatnonzero(floored[incidence.type]).astype(np.int32)


def numbers_of(incidence: Incidence, ids: Collection[str]) -> Ints:
    """Return the numbers of the entities with these ids; ids that the corpus lacks are left out."""
    wanted = frozenset(ids)
    found = [n for n, name in enumerate(incidence.entities) if name in wanted] if wanted else []
    return np.array(found, dtype=np.int32)
