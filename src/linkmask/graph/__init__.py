"""Mentions → Links, Chains, Risk: what the corpus gives away (SPEC §6)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import document_risks, edge_strength, fast, none_masked, rows_of
from linkmask.graph.chains import find_chains
from linkmask.graph.incidence import incidence
from linkmask.graph.links import find_links
from linkmask.records import Flags, Incidence, Risk

__all__ = ["assess", "incidence"]


def assess(incidence: Incidence, settings: Settings, masked: Flags | None = None) -> Risk:
    """Return the risks of documents, links and chains, with the entities in `masked` hidden.

    The graph is that of the unmasked corpus: links and chains stay what they are, with the
    strength that is left to them.
    """
    rows = rows_of(incidence)
    found = find_links(incidence, settings)
    mask = none_masked(incidence.n_entities) if masked is None else masked
    risks = fast(document_risks, incidence.n_mentions)(rows, mask)
    if masked is not None:
        pairs = zip(found.left.tolist(), found.right.tolist(), strict=True)
        left = [edge_strength(rows, mask, i, j) for i, j in pairs]
        found = replace(found, strength=np.array(left))
    return Risk(risks, found, find_chains(found, risks, settings))
