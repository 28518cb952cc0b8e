"""Computes the cost of masking each entity: the smallest set is not always the cheapest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkmask.records import Floats, Incidence, Ints

ASKED = 10.0
"""Masks that one answer is worth: an entity in an answer costs this many times more for each."""


def count(incidence: Incidence) -> Floats:
    """Every entity costs 1 (the thesis): the smallest set."""
    return np.ones(incidence.n_entities)


def mentions(incidence: Incidence) -> Floats:
    """An entity costs the documents that are rewritten for it: the least text destroyed."""
    return incidence.frequency.astype(np.float64)


def utility(incidence: Incidence) -> Floats:
    """An entity costs the part of it that does not identify, 1 − relevance · weight, per document.

    A name of the person costs little, a town that is mentioned in passing costs much.
    """
    identifying = np.bincount(
        incidence.entity,
        incidence.relevance * incidence.weight[incidence.entity],
        minlength=incidence.n_entities,
    )
    useful: Floats = np.maximum(incidence.frequency - identifying, 1e-6)
    return useful


COSTS: dict[str, Callable[[Incidence], Floats]] = {
    "count": count,
    "mentions": mentions,
    "utility": utility,
}


def dearness(incidence: Incidence, asked: Ints | None) -> Floats:
    """Return the factor by which each entity costs more, as answers to questions hold it.

    Args:
        asked: the number of answers that hold each entity; None where nobody asks.
    """
    dear = np.ones(incidence.n_entities)
    if asked is not None:
        dear += ASKED * asked
    return dear
