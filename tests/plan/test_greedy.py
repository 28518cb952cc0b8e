"""The greedy solver on one chain."""

from __future__ import annotations

from collections.abc import Callable, Collection

from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from linkmask.plan.greedy import greedy

ADDITIVE = {1: 0.3, 2: 0.3, 3: 0.2, 4: 0.0}


def additive(masked: Collection[int]) -> float:
    return 0.8 - sum(ADDITIVE[e] for e in masked)


def test_nothing_is_chosen_at_or_below_the_target() -> None:
    assert greedy([1, 2, 3, 4], additive, 0.8) == []


def test_a_tie_goes_to_the_first_candidate() -> None:
    assert greedy([1, 2, 3, 4], additive, 0.5)[0][0] == 1
    assert greedy([2, 1, 3, 4], additive, 0.5)[0][0] == 2


def test_gains_that_differ_only_by_rounding_are_a_tie() -> None:
    gain = {1: 0.3, 2: 0.3 + 1e-15}
    assert greedy([1, 2], lambda m: 0.8 - sum(gain[e] for e in m), 0.5)[0][0] == 1


def test_it_stops_where_no_candidate_helps() -> None:
    """The chain stays unmet and the useless candidate stays readable."""
    assert [e for e, _ in greedy([1, 2, 3, 4], additive, -1.0)] == [1, 2, 3]


def test_impacts_are_looked_at_anew_after_each_choice() -> None:
    """2 and 3 hide the same thing: after one of them the other is worth nothing, 4 is."""

    def risk(masked: Collection[int]) -> float:
        return 1.0 - 0.4 * bool({2, 3} & set(masked)) - 0.1 * (4 in masked)

    assert [e for e, _ in greedy([2, 3, 4], risk, 0.5)] == [2, 4]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12), st.sampled_from([0.05, 0.2, 0.35, 0.5]))
def test_it_reads_as_the_specification(
    chain_of: Callable[..., tuple[list[int], Callable[..., float]]],
    seed: int,
    n: int,
    target: float,
) -> None:
    candidates, risk = chain_of(seed, n)
    chosen = greedy(candidates, risk, target)
    assert [e for e, _ in chosen] == oracle.greedy(candidates, risk, target)
    assert risk({e for e, _ in chosen}) <= target
    assert abs(sum(g for _, g in chosen) - (risk(set()) - risk({e for e, _ in chosen}))) < 1e-9
