"""Selects the floor: entities that are masked whatever the risk."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from linkmask.records import Incidence, Ints


def floor_entities(incidence: Incidence, types: Collection[str]) -> Ints:
    """Return the numbers of all entities of these types, ascending."""
    floored = np.array([name in types for name in incidence.types], dtype=np.bool_)
    return np.flatnonzero(floored[incidence.type]).astype(np.int32)
