"""Mentions → Links, Chains, Risk: what the corpus gives away (formulas.md §4–7)."""

from __future__ import annotations

from dataclasses import replace

from linkmask.config import Settings
from linkmask.formulas import document_risks_of, none_masked, rows_of
from linkmask.formulas.link_batches import strengths_of
from linkmask.graph.chains import find_chains
from linkmask.graph.incidence import incidence
from linkmask.graph.links import find_links
from linkmask.records import Flags, Incidence, Links, Risk

__all__ = ["assess", "incidence"]


def assess(
    incidence: Incidence,
    settings: Settings,
    masked: Flags | None = None,
    links: Links | None = None,
) -> Risk:
    """Return the risks of documents, links and chains, with the entities in `masked` hidden.

    The graph is that of the unmasked corpus (formulas.md §9.1): links stay where they are, with the
    strength that is left to them, and chains run along them. Uniqueness is pinned. `links` are
    those of an earlier call on this incidence; without them the join is run.
    """
    rows = rows_of(incidence)
    mask = none_masked(incidence.n_entities) if masked is None else masked
    risks = document_risks_of(rows, mask)
    if links is None:
        links = find_links(incidence, settings, rows=rows)
    if masked is not None:
        links = replace(links, strength=strengths_of(rows, mask, links.left, links.right))
    return Risk(risks, links, find_chains(links, risks, settings))
