"""The knapsack solver on one chain: never worse than greedy, nearly always minimal."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from linkmask.plan.greedy import greedy
from linkmask.plan.knapsack import knapsack

Chain = tuple[list[int], Callable[[Collection[int]], float]]
SEEDS = st.integers(0, 10**6)
TARGETS = st.sampled_from([0.02, 0.1, 0.2, 0.35, 0.5])


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 12), st.integers(2, 4), TARGETS)
def test_it_reads_as_the_specification(
    chain_of: Callable[..., Chain], seed: int, n: int, documents: int, target: float
) -> None:
    candidates, risk = chain_of(seed, n, documents)
    chosen = knapsack(candidates, risk, target)
    assert [e for e, _ in chosen] == oracle.knapsack(candidates, risk, target)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 14), st.integers(2, 4), TARGETS)
def test_it_meets_the_target_with_no_more_than_greedy_and_no_member_too_many(
    chain_of: Callable[..., Chain], seed: int, n: int, documents: int, target: float
) -> None:
    candidates, risk = chain_of(seed, n, documents)
    chosen = [e for e, _ in knapsack(candidates, risk, target)]
    assert risk(set(chosen)) <= target
    assert len(chosen) <= len(greedy(candidates, risk, target))
    assert all(risk(set(chosen) - {e}) > target for e in chosen)


def test_it_is_nearly_always_as_small_as_trying_every_set(
    chain_of: Callable[..., Chain],
) -> None:
    """formulas.md §16.8: on 200 random chains of one hop, up to 12 candidates, 97 % are equal."""
    equal = 0
    for seed in range(200):
        candidates, risk = chain_of(seed, 1 + seed % 12)
        target = [0.05, 0.15, 0.3, 0.5][seed % 4]
        best = oracle.smallest(candidates, risk, target)
        found = knapsack(candidates, risk, target)
        assert len(found) >= len(best)
        equal += len(found) == len(best)
    assert equal >= 194, equal


def test_the_fewest_items_win_then_the_larger_sum_then_the_first() -> None:
    """0.3 is needed: one of 0.4 and 0.5 beats two of 0.2; 0.5 leaves less; equals go by order."""

    def additive(gain: dict[int, float]) -> Callable[[Collection[int]], float]:
        return lambda masked: 0.8 - sum(gain[e] for e in masked)

    def chosen(gain: dict[int, float]) -> list[int]:
        return [e for e, _ in knapsack(list(gain), additive(gain), 0.5)]

    assert chosen({1: 0.15, 2: 0.15, 3: 0.4, 4: 0.5}) == [4]
    assert chosen({1: 0.2, 2: 0.2, 3: 0.2}) == [1, 2]
    assert chosen({3: 0.2, 2: 0.2, 1: 0.2}) == [3, 2]


def test_impacts_too_small_for_the_scale_are_reached_by_single_steps() -> None:
    """Each impact rounds down to nothing at S = 1000; greedy steps still meet the target."""

    def risk(masked: Collection[int]) -> float:
        return 0.5 - 0.0004 * len(masked)

    assert len(knapsack(range(8), risk, 0.498)) == 5


def test_a_cut_of_candidates_is_logged_and_the_target_still_met(
    chain_of: Callable[..., Chain], caplog: pytest.LogCaptureFixture
) -> None:
    candidates, risk = chain_of(3, 12)
    with caplog.at_level(logging.INFO):
        chosen = knapsack(candidates, risk, 0.05, limit=2)
    assert "2 of 12 candidates" in caplog.text
    assert risk({e for e, _ in chosen}) <= 0.05


def test_no_candidate_helps_no_candidate_is_masked() -> None:
    assert knapsack([1, 2], lambda masked: 0.9, 0.5) == []
