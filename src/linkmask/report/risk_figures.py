"""Counts risks before and after masking: distributions, levels, limits, people who fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask import formulas
from linkmask.config import Settings
from linkmask.formulas import SLACK
from linkmask.formulas.singling_out import people_who_fit
from linkmask.records import Floats, Incidence, Plan, Risk

BINS = 20
"""Bars of a risk distribution, each 0.05 wide; the last one holds 1.0."""
FEW = 5
"""Number of people below which a person is not hidden among the others."""


def risk_figures(
    before: Risk, after: Risk | None, plan: Plan | None, settings: Settings
) -> dict[str, Any]:
    """Return the limits, and what risks are before and after masking."""
    return {
        "limits": {
            "theta_doc": settings.theta_doc,
            "theta_chain": settings.theta_chain,
            "rho": {"HIGH": settings.rho_high, "MEDIUM": settings.rho_medium},
            "high": settings.high,
            "medium": settings.medium,
        },
        "before": _state(before, settings),
        "after": None if after is None else _state(after, settings),
        "unmet_documents": 0 if plan is None else len(plan.unmet_documents),
        "unmet_chains": 0 if plan is None else int((~plan.chains.met).sum()),
        "all_unmet_chains_listed": plan is None or plan.chains.complete,
        "blocked_pairs": before.links.blocked,
        "all_chains_listed": before.chains.complete,
    }


def singling_out_figures(
    incidence: Incidence, plan: Plan | None, settings: Settings
) -> dict[str, Any]:
    """Say of how many documents fewer than `FEW` people fit what can be read (formulas.md §5.2)."""
    masked = formulas.none_masked(incidence.n_entities)
    found = {"before": masked.copy()}
    if plan is not None:
        masked[plan.masked] = True
        found["after"] = masked
    rows: dict[str, Any] = {"population": settings.population, "few": FEW}
    for when, mask in found.items():
        fit = people_who_fit(incidence, mask, settings.known_shares, settings.population)
        rows[when] = int((fit < FEW).sum())
    return rows


def _state(risk: Risk, settings: Settings) -> dict[str, Any]:
    return {
        "documents": histogram(risk.documents),
        "documents_over": int((risk.documents >= settings.theta_doc).sum()),
        "mean_document": round(float(risk.documents.mean()), 4) if len(risk.documents) else 0.0,
        "chains": histogram(risk.chains.risk),
        "levels": dict(risk.chains.counts),
        "links": _links(risk, settings),
        **_chains(risk),
    }


def _chains(risk: Risk) -> dict[str, Any]:
    """Return how many of the chains before masking have risk 0 now, and the range of the others.

    Masking removes no chain from the list, so their number alone says little.
    """
    above_zero = risk.chains.risk[risk.chains.risk > 0]
    listed = risk.chains.complete
    return {
        "chains_gone": len(risk.chains) - len(above_zero) if listed else None,
        "chains_lowest": round(float(above_zero.min()), 6) if listed and len(above_zero) else None,
        "chains_highest": round(float(above_zero.max()), 6) if listed and len(above_zero) else None,
    }


def _links(risk: Risk, settings: Settings) -> int:
    """Return how many links still reach the threshold; the graph itself does not change."""
    strength = risk.links.strength
    return int(((strength > 0) & (strength >= settings.edge_threshold - SLACK)).sum())


def histogram(values: Floats) -> list[int]:
    """Count values of [0, 1] in `BINS` equal bins; 1.0 falls into the last."""
    return [int(n) for n in np.histogram(values, bins=BINS, range=(0.0, 1.0))[0]]
