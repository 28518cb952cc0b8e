"""Finds released documents that became riskier by documents that came later."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from linkmask import graph
from linkmask.config import Settings
from linkmask.formulas import SLACK
from linkmask.pipeline.planning.scoring import Analysis
from linkmask.records import Flags


def riskier(
    analysis: Analysis, settings: Settings, released: Collection[str], fresh: Collection[str]
) -> list[str]:
    """Return the released documents that a chain over its limit joins to new ones.

    The chains are those of the corpus of today under the masks of the last edition: what readers
    hold, and the new documents as they would be with no further mask. Where chains are too many to
    be listed, only the riskiest count.

    Args:
        analysis: the corpus of today, scored.
        released: ids of the entities that the last edition masked.
        fresh: ids of the documents that are new or changed.

    Returns:
        Ids of documents that did not change, in input order.
    """
    incidence = analysis.incidence
    masked = np.zeros(incidence.n_entities, np.bool_)
    masked[incidence.numbers_of(released)] = True
    chains = graph.assess(incidence, settings, masked, analysis.risk.links).chains
    new = np.array([name in fresh for name in incidence.documents], np.bool_)
    paths = chains.documents[chains.risk > settings.theta_chain + SLACK]
    there: Flags = paths >= 0
    joined: Flags = np.asarray((there & new[paths]).any(axis=1))
    old = np.unique(paths[there & ~new[paths] & joined[:, None]])
    return [incidence.documents[number] for number in old.tolist()]
