"""Turns scores into chances, and measures how well chances agree with what is true."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

BINS = 10
"""Parts of [0, 1] in which chances are compared with shares."""


def logistic(logit: np.ndarray) -> np.ndarray:
    """Return the chance of each logit."""
    return 1.0 / (1.0 + np.exp(-np.clip(logit, -500, 500)))


def platt(logit: np.ndarray, share: np.ndarray) -> tuple[float, float]:
    """Return slope and intercept that bring logits nearest to the shares (Platt 1999)."""

    def loss(line: np.ndarray) -> float:
        turned = line[0] * logit + line[1]
        return float(np.sum(np.logaddexp(0.0, turned) - share * turned))

    slope, intercept = minimize(loss, np.array([1.0, 0.0])).x
    return float(slope), float(intercept)


def brier(chance: np.ndarray, share: np.ndarray) -> float:
    """Return the mean squared distance of chance and share; 0 is best."""
    return float(np.mean((chance - share) ** 2))


def reliability(chance: np.ndarray, share: np.ndarray) -> list[tuple[int, float, float]]:
    """Return, for each tenth of [0, 1], how many chances lie there, their mean, the share's."""
    at = np.minimum((chance * BINS).astype(int), BINS - 1)
    return [
        (int(np.sum(at == k)), float(chance[at == k].mean()), float(share[at == k].mean()))
        for k in range(BINS)
        if np.any(at == k)
    ]


def expected_error(chance: np.ndarray, share: np.ndarray) -> float:
    """Return the mean distance of chance and share over the tenths, by size (ECE)."""
    return sum(n * abs(a - b) for n, a, b in reliability(chance, share)) / len(chance)


def ranked(chance: np.ndarray, whose: np.ndarray, below_it: str = "N") -> float:
    """Return how often a mention of the person's is above one that is nobody's (AUC)."""
    those = whose == below_it if below_it != "N" else np.isin(whose, ("N", ""))
    of, others = chance[whose == "P"], np.sort(chance[those])
    below = np.searchsorted(others, of, "left") + np.searchsorted(others, of, "right")
    return float(below.mean() / 2 / len(others))
