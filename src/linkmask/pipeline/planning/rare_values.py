"""Counts values as a release shows them, where rare terms mask them in some documents alone.

A value that two documents share may be masked in one of them. In the release fewer documents hold
it than in the corpus, so it is more unique to whoever counts there. No document and no chain may be
over its limit to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from linkmask import graph
from linkmask import plan as planning
from linkmask.config import Settings
from linkmask.formulas import uniqueness
from linkmask.records import Incidence, Ints, Plan
from linkmask.report.explain.rare_words import under_rare_words
from linkmask.runs import Run
from linkmask.schema import RARE_TERM


def as_released(run: Run, incidence: Incidence, settings: Settings) -> Incidence | None:
    """Return the incidence without the values that rare terms mask; None if they mask none.

    A value that some documents show is as unique as in these.
    """
    if RARE_TERM not in incidence.types:
        return None
    document = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
    rare = incidence.type[incidence.entity] == incidence.types.index(RARE_TERM)
    names = {incidence.documents[n] for n in np.unique(document[rare]).tolist()}
    hidden = under_rare_words(run.mentions_of(names), settings.id_separator)
    number = {name: n for n, name in enumerate(incidence.documents)}
    entity = {name: n for n, name in enumerate(incidence.entities)}
    many = np.int64(incidence.n_entities)
    keys = [
        number[name] * many + entity[value]
        for value, where in hidden.items()
        if value in entity
        for name in where
    ]
    gone = np.isin(document * many + incidence.entity, np.array(keys, np.int64))
    if not gone.any():
        return None
    count = np.bincount(incidence.entity[~gone], minlength=incidence.n_entities).astype(np.int32)
    rarer = uniqueness(np.maximum(count, 1), incidence.n_documents)
    return replace(
        incidence,
        start=np.concatenate([[0], np.cumsum(~gone)])[incidence.start],
        entity=incidence.entity[~gone],
        relevance=incidence.relevance[~gone],
        frequency=count,
        uniqueness=np.where(
            count < incidence.frequency,
            np.maximum(rarer, incidence.uniqueness),
            incidence.uniqueness,
        ),
    )


def over_limits(released: Incidence, plan: Plan, settings: Settings) -> Ints:
    """Return the weightiest readable values of what only the release shows to be over a limit.

    Of each such document it is one value, and of each hop of such a chain one that both share.

    Args:
        released: the corpus as the release shows it, before the masks of the plan.
        plan: one that meets the limits; of another, nothing is returned.
    """
    nothing = np.zeros(0, np.int32)
    if not plan.met:
        return nothing
    left = released.uniqueness.copy()
    left[plan.masked] = 0.0
    shown = replace(released, uniqueness=left)
    risk = graph.assess(shown, settings)
    found = planning.restore(shown, risk, settings, nothing, [], np.zeros(0), nothing)
    return np.array(sorted(set(_weightiest(shown, found))), np.int32)


def _weightiest(shown: Incidence, found: Plan) -> Iterator[int]:
    """Yield the weightiest value of each document and hop that is over a limit."""
    weight = shown.uniqueness * shown.weight
    for document in found.unmet_documents.tolist():
        row = slice(shown.start[document], shown.start[document + 1])
        share = shown.relevance[row] * weight[shown.entity[row]]
        yield int(shown.entity[row][np.argmax(share)])
    for path in found.chains.documents[~found.chains.met].tolist():
        for one, other in pairwise(path):
            shared = shown.shared(one, other) if other >= 0 else shown.entity[:0]
            if len(shared):
                yield int(shared[np.argmax(weight[shared])])
