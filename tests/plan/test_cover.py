"""All chains at once: every target met, nothing needless, near the smallest set."""

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import oracle
from incidences import WEIGHTS, plain, random_incidence, random_table, settings
from linkmask import plan, schema
from linkmask.errors import SettingsError
from linkmask.formulas import compiling, none_masked, rows_of
from linkmask.graph import assess, incidence
from linkmask.plan.chains import find_violations
from linkmask.plan.cost import COSTS
from linkmask.plan.cover import Cover, solve
from linkmask.records import Incidence, Plan, Risk

LOOSE = 0.25
SCHEMA = schema.load("thesis")


def planned(corpus: Incidence, **limits: object) -> Plan:
    chosen = settings(**{"solver": "cover", "edge_threshold": LOOSE, "theta_chain": 0.3} | limits)
    return plan.choose(corpus, assess(corpus, chosen), chosen, SCHEMA)


def at_stage(made: Plan, stage: str) -> set[int]:
    return {int(e) for e, name in zip(made.masked, made.stage, strict=True) if name == stage}


@pytest.mark.parametrize("length", [2, 3, 4])
@examples(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_meets_every_target_and_masks_nothing_needless(length: int, seed: int) -> None:
    corpus = random_incidence(seed, documents=9, values=12, mentions=40)
    made = planned(corpus, chain_length=length)
    early, late = at_stage(made, "document"), at_stage(made, "chain")
    policy = oracle.Policy(edge_threshold=LOOSE, theta_chain=0.3, chain_length=length)
    treated = oracle.targets(plain(corpus), policy, early)

    def meets(masked: set[int]) -> bool:
        risks = ((oracle.chain_risk(plain(corpus), t.path, masked), t.target) for t in treated)
        return all(risk <= target + 1e-12 for risk, target in risks)

    assert made.met
    assert len(made.chains) == len(treated)
    assert meets(early | late)
    assert not any(meets((early | late) - {e}) for e in late)


def test_is_near_the_smallest_set_on_corpora_small_enough_to_try_all() -> None:
    sizes = []
    for seed in range(12):
        corpus = random_incidence(seed, documents=7, values=9, mentions=26)
        made = planned(corpus)
        policy = oracle.Policy(edge_threshold=LOOSE, theta_chain=0.3)
        least = oracle.smallest_plan(plain(corpus), policy, at_stage(made, "document"))
        sizes.append((len(at_stage(made, "chain")), len(least)))
    assert all(got >= least for got, least in sizes)
    assert sum(got for got, _ in sizes) <= 1.1 * sum(least for _, least in sizes)
    assert sum(least for _, least in sizes) > 20


def test_dearer_entities_are_spared_where_cost_counts_mentions() -> None:
    corpora = [random_incidence(s, documents=30, values=30, mentions=200) for s in range(6)]
    touched = {
        cost: sum(
            int(corpus.frequency[e])
            for corpus in corpora
            for e in at_stage(planned(corpus, cost=cost), "chain")
        )
        for cost in ("count", "mentions")
    }
    assert touched["mentions"] < touched["count"]


def test_of_entities_that_serve_as_well_the_one_in_fewer_documents_is_masked() -> None:
    """Against the same rounds with ties the other way about: as many masked, fewer documents."""
    masked, touched = [0, 0], [0, 0]
    for seed in range(12):
        corpus = random_incidence(seed, documents=30, values=30, mentions=90)
        limits = settings(edge_threshold=LOOSE, theta_chain=0.4)
        early, cost = none_masked(corpus.n_entities), COSTS["count"](corpus)
        stage = find_violations(rows_of(corpus), assess(corpus, limits), early, cost, limits)
        layout = Cover.of(stage)
        for way, rank in enumerate((layout.rank, -layout.rank)):
            chosen, _, _ = replace(layout, rank=rank).rounds(early.copy())
            masked[way] += len(chosen)
            touched[way] += int(corpus.frequency[chosen].sum())
    assert touched[0] < touched[1]
    assert masked[0] <= 1.02 * masked[1]


def test_repair_never_unmasks_what_earlier_stages_masked() -> None:
    corpus = random_incidence(3, documents=20, values=20, mentions=120)
    limits = settings(edge_threshold=LOOSE, theta_chain=0.3)
    early = none_masked(corpus.n_entities)
    early[::4] = True
    stage = find_violations(
        rows_of(corpus), assess(corpus, limits), early, COSTS["count"](corpus), limits
    )
    layout = Cover.of(stage)
    everything = np.ones_like(early)
    repaired = layout.repair(everything)
    assert repaired[early].all()
    assert not repaired.all()
    assert len(layout.above(repaired)) == 0
    assert len(layout.above(early)) == len(stage)
    gain, served = layout.gains(repaired, np.flatnonzero(repaired & ~early))
    assert (gain > 0).any()
    assert served.max() <= len(stage)
    assert len(solve(stage, limits).entities) > 0


@pytest.mark.parametrize("solver", ["greedy", "knapsack", "exact"])
def test_solvers_that_need_chains_listed_say_so(solver: str) -> None:
    corpus = random_incidence(0, documents=10, values=14, mentions=48)
    with pytest.raises(SettingsError, match="chain_budget"):
        planned(corpus, chain_length=3, chain_budget=1, solver=solver)


@pytest.mark.parametrize("budget", [1, 5_000_000])
def test_the_whole_engine_compiled_gives_the_same_bits(
    budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows, links, chains listed and counted, and the plan: one path, run both ways."""
    rows = random_table(2, documents=30, values=30, mentions=170)
    limits = settings(
        solver="cover", edge_threshold=LOOSE, theta_chain=0.3, chain_length=4, chain_budget=budget
    )

    def run() -> tuple[Incidence, Risk, Plan]:
        corpus = incidence(rows, WEIGHTS, limits)
        risk = assess(corpus, limits)
        return corpus, risk, plan.choose(corpus, risk, limits, SCHEMA)

    plainly = run()
    monkeypatch.setattr(compiling, "COMPILE_FROM", 0)
    compiled = run()
    assert len(plainly[1].links) > 50
    for one, other in zip(plainly, compiled, strict=True):
        assert values_of(one) == values_of(other)


def values_of(record: object) -> object:
    """A record's fields as plain values, exact to the bit."""
    if is_dataclass(record):
        return {f.name: values_of(getattr(record, f.name)) for f in fields(record)}
    return record.tolist() if isinstance(record, np.ndarray) else record


def test_floor_entities_are_masked_first_and_stay() -> None:
    corpus = random_incidence(1, documents=20, values=20, mentions=120)
    made = planned(corpus, floor=("NAME",))
    names = np.flatnonzero(corpus.type == corpus.types.index("NAME"))
    assert at_stage(made, "floor") == set(names.tolist())
    assert list(made.stage) == sorted(made.stage, key=["floor", "document", "chain"].index)


@examples(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), share=st.floats(0, 1))
def test_masking_more_never_raises_a_risk(seed: int, share: float) -> None:
    corpus = random_incidence(seed)
    draw = np.random.default_rng(seed)
    few = draw.random(corpus.n_entities) < share
    more = few | (draw.random(corpus.n_entities) < 0.3)
    limits = settings(chain_length=3, edge_threshold=LOOSE)
    less, least = assess(corpus, limits, few), assess(corpus, limits, more)
    assert (least.documents <= less.documents + 1e-12).all()
    assert (least.links.strength <= less.links.strength + 1e-12).all()

    assert np.array_equal(least.chains.documents, less.chains.documents)
    assert (least.chains.risk <= less.chains.risk + 1e-12).all()
