"""Computes how much of what documents give away stays readable, entity by entity."""

from __future__ import annotations

import numpy as np

from linkmask.formulas import rows_of
from linkmask.records import Floats, Incidence

MOST = 0.999
"""Largest contribution of a value; a contribution of 1 would have an infinite share."""


def exposure_shares(incidence: Incidence) -> Floats:
    """Return each entity's share in [0, 1] of what unmasked documents give away; they sum to 1.

    A document's risk is 1 − Π (1 − c), so −log(1 − c) are shares that add up. An entity's share is
    the sum of its own over all documents, divided by that of all entities; c counts up to `MOST`.
    """
    weight = -np.log1p(-np.minimum(rows_of(incidence).share, MOST))
    total = np.bincount(incidence.entity, weight, incidence.n_entities)
    found: Floats = total / max(float(total.sum()), 1e-300)
    return found
