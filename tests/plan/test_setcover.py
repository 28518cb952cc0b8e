"""Set cover with costs: as cheap as trying every set, with a bound that holds."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.plan.setcover import cheapest_cover, minimal_cuts

N = 9
cuts_of = st.lists(st.frozensets(st.integers(0, N - 1), min_size=1, max_size=5), max_size=14)
costs = st.lists(st.sampled_from([1.0, 1.5, 2.0, 4.0]), min_size=N, max_size=N)


def cheapest(cuts: list[frozenset[int]], cost: list[float]) -> float:
    return min(
        sum(cost[e] for e in chosen)
        for size in range(N + 1)
        for chosen in combinations(range(N), size)
        if all(cut & set(chosen) for cut in cuts)
    )


@settings(max_examples=80, deadline=None)
@given(cuts_of, st.one_of(st.just([1.0] * N), costs))
def test_it_is_as_cheap_as_trying_every_set(cuts: list[frozenset[int]], cost: list[float]) -> None:
    best = cheapest(cuts, cost)
    chosen, bound = cheapest_cover(minimal_cuts(cuts), np.array(cost), 0.0, sum(cost))
    assert all(cut & set(chosen.tolist()) for cut in cuts)
    assert sum(cost[e] for e in chosen) == pytest.approx(best)
    assert bound == pytest.approx(best)


@settings(max_examples=30, deadline=None)
@given(cuts_of, costs, st.sampled_from([0.5, 3.0]))
def test_with_slack_the_bound_stays_below_the_cheapest(
    cuts: list[frozenset[int]], cost: list[float], slack: float
) -> None:
    best = cheapest(cuts, cost)
    chosen, bound = cheapest_cover(minimal_cuts(cuts), np.array(cost), slack, sum(cost))
    assert bound <= best + 1e-6
    assert all(cut & set(chosen.tolist()) for cut in cuts)


@given(cuts_of)
def test_minimal_cuts_hold_no_other_and_lie_in_every_one(cuts: list[frozenset[int]]) -> None:
    kept = minimal_cuts(cuts)
    assert not any(a <= b for a, b in permutations(kept, 2))
    assert all(any(small <= cut for small in kept) for cut in cuts)
    assert set(kept) <= set(cuts)


def test_an_empty_cut_is_refused() -> None:
    """Nothing hits it: a chain that no mask brings to its target."""
    with pytest.raises(ValueError, match="empty cut"):
        minimal_cuts([frozenset({1}), frozenset()])
