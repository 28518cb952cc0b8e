"""Measures of chances agree with their definitions on a few values."""

from itertools import product

import numpy as np
import pytest
from training.calibration import brier, expected_error, logistic, platt, ranked

CHANCES = np.array([0.91, 0.4, 0.93, 0.2, 0.95])
WHOSE = np.array(["P", "N", "P", "O", ""])


def test_ranking_counts_pairs_in_order_and_a_tie_as_half() -> None:
    """Of the person's and nobody's, marked or not; and of the person's and another's."""
    of, others = CHANCES[[0, 2]], CHANCES[[1, 4]]
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a, b in product(of, others)]
    assert ranked(CHANCES, WHOSE) == pytest.approx(np.mean(pairs))
    assert ranked(CHANCES, WHOSE, "O") == 1.0
    assert ranked(np.full(5, 0.5), WHOSE) == 0.5


def test_chances_that_are_the_shares_of_their_tenth_err_by_nothing() -> None:
    """And the error of others is their distance, by size."""
    chance = np.array([0.25, 0.25, 0.25, 0.25, 0.75, 0.75])
    share = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 1.0])
    assert expected_error(chance[:4], share[:4]) == 0.0
    assert expected_error(chance, share) == pytest.approx(2 / 6 * 0.25)
    assert brier(chance[4:], share[4:]) == pytest.approx(0.0625)


def test_slopes_bring_overconfident_sums_back() -> None:
    """Chances that are drawn from sums, and sums three times as large: the slope is a third."""
    rng = np.random.default_rng(0)
    logit = rng.normal(0.0, 2.0, 4000)
    drawn = (rng.random(4000) < logistic(logit)) * 1.0
    slope, intercept = platt(3 * logit, drawn)
    assert slope == pytest.approx(1 / 3, rel=0.15) and abs(intercept) < 0.15
