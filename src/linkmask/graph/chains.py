"""Chains: simple paths of links, their risk and category."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import LEVELS, hop_risk
from linkmask.records import Chains, Floats, Links


def find_chains(links: Links, risks: Any, settings: Settings) -> Chains:
    """Return the chains of 2 documents, riskiest first."""
    strength: Any = links.strength
    hop: Any = hop_risk(strength, risks[links.left], risks[links.right])
    risk: Floats = 1.0 - (1.0 - hop)
    order = np.argsort(-np.round(risk, 12), kind="stable")
    levels = np.where(
        risk >= settings.high - 1e-12, 0, np.where(risk >= settings.medium - 1e-12, 1, 2)
    )
    counts = np.bincount(levels, minlength=3)
    documents = np.stack([links.left, links.right], axis=1)
    return Chains(documents[order], risk[order], dict(zip(LEVELS, counts.tolist(), strict=True)))
