"""The exact solver: the smallest set over all chains at once, and a bound that holds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corpora
import oracle
from linkmask.formulas import compiling, make_rows
from linkmask.plan.exact import ExactAnswer, hitting_set
from linkmask.records import Flags, Floats, Ints


class Instance:
    """A small corpus after its document stage, with the chains and targets of the oracle."""

    def __init__(self, pair: corpora.Pair, chain_length: int, theta: float = 0.95) -> None:
        self.corpus = corpus = pair.corpus
        policy = oracle.Policy(edge_threshold=0.3, chain_length=chain_length, theta_doc=theta)
        self.before = set(oracle.document_stage(corpus, policy))
        self.treated = oracle.targets(corpus, policy, self.before)
        self.n = len(corpus.weight)
        start = np.cumsum([0] + [len(document) for document in corpus.documents])
        entities = [e for document in corpus.documents for e in sorted(document)]
        relevance = [document[e] for document in corpus.documents for e in sorted(document)]
        self.rows = make_rows(
            start,
            np.array(entities, dtype=np.int32),
            np.array(relevance),
            np.array([corpus.u[e] * corpus.weight[e] for e in range(self.n)]),
        )
        self.paths = np.full((len(self.treated), chain_length), -1, dtype=np.int32)
        for i, t in enumerate(self.treated):
            self.paths[i, : len(t.path)] = t.path
        self.targets = np.array([t.target for t in self.treated])

    def met(self, masked: set[int]) -> bool:
        return all(
            oracle.at_most(oracle.chain_risk(self.corpus, t.path, masked), t.target)
            for t in self.treated
        )

    def repair(self, flags: Flags) -> Flags:
        """Mask everything if need be, then take back what no chain needs: plain, not minimal."""
        masked = {int(e) for e in np.flatnonzero(flags)}
        if not self.met(masked):
            masked = set(range(self.n))
        for e in range(self.n):
            if e not in self.before and self.met(masked - {e}):
                masked -= {e}
        return np.array([e in masked for e in range(self.n)], dtype=np.bool_)

    def solve(self, cost: list[float] | None = None, **options: float) -> ExactAnswer:
        flags = np.array([e in self.before for e in range(self.n)], dtype=np.bool_)
        costs = np.array(cost or [1.0] * self.n)
        return hitting_set(
            self.rows,
            flags,
            ~flags,
            costs,
            self.above,
            self.repair,
            **options,  # type: ignore[arg-type]
        )

    def above(self, flags: Flags) -> tuple[Ints, Floats]:
        masked = {int(e) for e in np.flatnonzero(flags)}
        open_ = [
            not oracle.at_most(oracle.chain_risk(self.corpus, t.path, masked), t.target)
            for t in self.treated
        ]
        return self.paths[open_], self.targets[open_]

    def further(self, answer: ExactAnswer) -> set[int]:
        return {int(e) for e in np.flatnonzero(answer.masked)} - self.before


@settings(max_examples=40, deadline=None)
@given(corpora.pairs, st.sampled_from([2, 3, 4]))
def test_it_is_as_small_as_trying_every_set(pair: corpora.Pair, chain_length: int) -> None:
    instance = Instance(pair, chain_length)
    answer = instance.solve()
    best = oracle.smallest_plan(
        instance.corpus,
        oracle.Policy(edge_threshold=0.3, chain_length=chain_length),
        instance.before,
    )
    assert answer.proven
    assert answer.cost == answer.bound == len(best)
    assert len(instance.further(answer)) == len(best)
    assert instance.met(instance.before | instance.further(answer))


@settings(max_examples=25, deadline=None)
@given(corpora.pairs, st.integers(0, 10**6))
def test_it_is_as_cheap_as_trying_every_set_at_unequal_costs(pair: corpora.Pair, seed: int) -> None:
    instance = Instance(pair, 2)
    cost = [float(c) for c in np.random.default_rng(seed).uniform(0.5, 9.0, instance.n)]
    answer = instance.solve(cost)
    free = [e for e in range(instance.n) if e not in instance.before]
    best = min(
        sum(cost[e] for e in choice)
        for size in range(len(free) + 1)
        for choice in combinations(free, size)
        if instance.met(instance.before | set(choice))
    )
    assert answer.cost == pytest.approx(best)
    assert instance.met(instance.before | instance.further(answer))


@settings(max_examples=25, deadline=None)
@given(corpora.pairs, st.integers(1, 2))
def test_the_bound_holds_where_it_stops_early(pair: corpora.Pair, rounds: int) -> None:
    """After one or two rounds the answer is feasible and lies between the bound and the repair."""
    instance = Instance(pair, 3)
    early, full = instance.solve(rounds=rounds), instance.solve()
    assert early.bound <= full.cost <= early.cost
    assert early.proven == (early.cost == early.bound)
    assert early.rounds <= rounds
    assert instance.met(instance.before | instance.further(early))


def test_what_was_masked_before_stays_masked_and_costs_nothing() -> None:
    instance = Instance(corpora.build(3, 6, 9, 40, coarse=False), 2, theta=0.5)
    answer = instance.solve()
    assert instance.before
    assert instance.before <= {int(e) for e in np.flatnonzero(answer.masked)}
    assert answer.cost == len(instance.further(answer))


def test_compiled_and_plain_loops_give_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = Instance(corpora.build(11, 6, 9, 40, coarse=False), 3)
    plain = instance.solve()
    monkeypatch.setattr(compiling, "COMPILE_FROM", 0)
    compiled = instance.solve()
    assert plain.cost > 0
    assert np.array_equal(plain.masked, compiled.masked)
    assert (plain.cost, plain.bound, plain.rounds) == (
        compiled.cost,
        compiled.bound,
        compiled.rounds,
    )


def test_nothing_above_target_costs_nothing() -> None:
    instance = Instance(corpora.pair([{"a": 0.5}, {"b": 0.5}], {"a": "NAME", "b": "AGE"}), 2)
    answer = instance.solve()
    assert (answer.cost, answer.bound, answer.proven) == (0, 0, True)
