"""Computes how many people of a population fit what a document says (formulas.md §5.2).

This risk is apart from links: a document that nobody can link to another still singles a person out
if only one person fits it. Each readable value that is relevant to the person lowers the number, or
leaves it as it is; the rest of the text does not count, however long it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkmask.records import Floats, Incidence

RELEVANT = 0.5
"""Relevance from which a value is taken to be said of the document's person."""


def people_who_fit(
    incidence: Incidence, masked: Any, known: Mapping[str, float], population: int
) -> Floats:
    """Return for each document how many of a population fit what can be read, the person included.

    Values are taken to be independent, so 1 + (population − 1) × Π share: what goes together in
    life (a place and its hospital) leaves more people than that.

    Args:
        masked: flags of the entities that can't be read.
        known: share of people of whom a value of a type holds, for some types.
        population: people that an attacker takes into account, 1 or more.

    Returns:
        A number in [1, population] for each document.
    """
    share = shares_of_people(incidence, known)
    read = (incidence.relevance >= RELEVANT) & ~masked[incidence.entity]
    with np.errstate(divide="ignore"):
        telling = np.where(read, np.log(share)[incidence.entity], 0.0)
    before = np.concatenate([[0.0], np.cumsum(np.maximum(telling, -700.0))])
    total = np.minimum(before[incidence.start[1:]] - before[incidence.start[:-1]], 0.0)
    return np.asarray(1 + (population - 1) * np.exp(total))


def shares_of_people(incidence: Incidence, known: Mapping[str, float]) -> Floats:
    """Return the share of people of whom each entity holds, in [0, 1].

    It is what is known of its type, else the share of the corpus's documents that hold the value.
    """
    share = np.minimum(1.0, incidence.frequency / max(1, incidence.n_documents))
    for number, name in enumerate(incidence.types):
        if name in known:
            share[incidence.type == number] = known[name]
    return np.asarray(share)
