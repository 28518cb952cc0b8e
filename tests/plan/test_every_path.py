"""Every path over the same documents counts: in planning, in `met`, in proofs, in the report."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import oracle
from incidences import plain, random_incidence, settings
from linkmask import plan, schema
from linkmask.formulas import LEVELS
from linkmask.graph import assess
from linkmask.plan import long_chains
from linkmask.records import Incidence, Plan, Risk

LOOSE = 0.25
SCHEMA = schema.load("thesis")
LISTED = [(solver, 5_000_000) for solver in ("cover", "greedy", "knapsack", "exact")]
WAYS = [*LISTED, ("cover", 1)]
"""Solver and `chain_budget`: chains listed, and chains counted."""

Path = tuple[int, ...]


def planned(corpus: Incidence, **limits: object) -> tuple[Risk, Plan]:
    chosen = settings(**{"edge_threshold": LOOSE} | limits)
    risk = assess(corpus, chosen)
    return risk, plan.choose(corpus, risk, chosen, SCHEMA)


def early_of(made: Plan) -> set[int]:
    """What was masked when the chain stage began."""
    names = zip(made.masked.tolist(), made.stage, strict=True)
    return {e for e, name in names if name != "chain"}


def treated(corpus: Incidence, made: Plan, **limits: float) -> dict[Path, oracle.Treatment]:
    """Every path above policy when the chain stage began, by the formulas read aloud."""
    policy = oracle.Policy(edge_threshold=LOOSE, **limits)
    return {t.path: t for t in oracle.targets(plain(corpus), policy, early_of(made))}


def above(corpus: Incidence, made: Plan, paths: dict[Path, oracle.Treatment]) -> set[Path]:
    """Those of the paths that the plan leaves above target."""
    text, masked = plain(corpus), set(made.masked.tolist())
    return {
        path
        for path, t in paths.items()
        if not oracle.at_most(oracle.chain_risk(text, path, masked), t.target)
    }


def listed(made: Plan, which: np.ndarray | None = None) -> list[Path]:
    documents = made.chains.documents if which is None else made.chains.documents[which]
    return [tuple(d for d in path if d >= 0) for path in documents.tolist()]


@pytest.mark.parametrize(("solver", "budget"), WAYS)
@pytest.mark.parametrize("length", [2, 3, 4])
@examples(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), theta=st.sampled_from([0.3, 0.5]))
def test_a_plan_that_is_met_leaves_no_path_above_its_target(
    solver: str, budget: int, length: int, seed: int, theta: float
) -> None:
    corpus = random_incidence(seed, documents=12, values=16, mentions=52)
    limits = {"chain_length": length, "theta_chain": theta}
    risk, made = planned(corpus, solver=solver, chain_budget=budget, **limits)
    paths = treated(corpus, made, **limits)
    assert made.met
    assert not above(corpus, made, paths)
    levels = [
        oracle.category(r, oracle.Policy())
        for r in oracle.chains(plain(corpus), LOOSE, length).values()
    ]
    assert risk.chains.counts == {name: levels.count(name) for name in LEVELS}
    if risk.chains.complete:
        assert listed(made) == sorted(paths)
        wanted = [paths[path].target for path in listed(made)]
        assert made.chains.target.tolist() == pytest.approx(wanted)
    else:
        assert listed(made) == sorted(path for path in paths if len(path) == 2)


@pytest.mark.parametrize(("solver", "budget"), WAYS)
@pytest.mark.parametrize("seed", range(4))
def test_links_that_masking_weakens_unevenly_hide_no_path(
    seed: int, solver: str, budget: int
) -> None:
    """The riskiest path over three documents before masking is not the riskiest after."""
    corpus = random_incidence(seed, documents=24, values=30, mentions=110)
    _, made = planned(corpus, solver=solver, chain_budget=budget, chain_length=3)
    assert made.met
    assert not above(corpus, made, treated(corpus, made, chain_length=3))


@pytest.mark.parametrize("length", [3, 4])
@examples(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_what_exact_proves_is_the_smallest_set_for_all_paths(length: int, seed: int) -> None:
    corpus = random_incidence(seed, documents=7, values=9, mentions=28)
    _, made = planned(corpus, solver="exact", exact_gap=0.0, chain_length=length)
    policy = oracle.Policy(edge_threshold=LOOSE, chain_length=length)
    least = len(oracle.smallest_plan(plain(corpus), policy, early_of(made)))
    assert made.size.lower_bound <= least <= made.size.masked
    assert made.size.proven
    assert made.size.masked == least


@pytest.mark.parametrize("budget", [1, 5_000_000])
@pytest.mark.parametrize("length", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_plan_that_a_person_thinned_names_every_path_it_leaves_above_target(
    seed: int, length: int, budget: int
) -> None:
    """Also where chains are counted: those of three and four documents are found again."""
    corpus = random_incidence(seed, documents=10, values=14, mentions=48)
    limits = {"chain_length": length, "theta_chain": 0.3}
    chosen = settings(solver="cover", edge_threshold=LOOSE, chain_budget=budget, **limits)
    risk = assess(corpus, chosen)
    made = plan.choose(corpus, risk, chosen, SCHEMA)
    late = [i for i, name in enumerate(made.stage) if name == "chain"]
    seen = 0
    for gone in [*combinations(late[:3], 1), late]:
        stays = np.setdiff1d(np.arange(len(made.masked)), gone)
        names = [made.stage[i] for i in stays.tolist()]
        thinned = plan.restore(
            corpus, risk, chosen, made.masked[stays], names, made.gain[stays], made.served[stays]
        )
        want = above(corpus, thinned, treated(corpus, thinned, **limits))
        assert set(listed(thinned, ~thinned.chains.met)) == want
        assert len(set(listed(thinned))) == len(thinned.chains)
        assert thinned.chains.complete
        assert thinned.met == (not want and not len(thinned.unmet_documents))
        assert sorted(thinned.chains.reason) == np.flatnonzero(~thinned.chains.met).tolist()
        seen += len(want)
    assert seen > 5


def test_paths_above_target_are_listed_up_to_a_bound_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = random_incidence(1, documents=10, values=14, mentions=48)
    chosen = settings(
        solver="cover", edge_threshold=LOOSE, chain_length=4, chain_budget=1, theta_chain=0.3
    )
    risk = assess(corpus, chosen)
    none = np.zeros(0, dtype=np.int32)
    everything = plan.restore(corpus, risk, chosen, none, [], np.zeros(0), none)
    monkeypatch.setattr(long_chains, "UNMET", 5)
    few = plan.restore(corpus, risk, chosen, none, [], np.zeros(0), none)
    assert everything.chains.complete
    assert not few.chains.complete
    assert not few.met
    wide = [path for path in listed(few) if len(path) > 2]
    assert len(wide) == 5
    assert set(wide) < set(listed(everything))


@pytest.mark.parametrize("budget", [1, 5_000_000])
def test_what_a_person_keeps_is_made_up_for_on_every_path(budget: int) -> None:
    """Kept entities leave paths above target only where nothing else on them can be masked."""
    seen = 0
    for seed in range(4):
        corpus = random_incidence(seed, documents=10, values=14, mentions=48)
        limits = {"chain_length": 4, "theta_chain": 0.3}
        chosen = settings(solver="cover", edge_threshold=LOOSE, chain_budget=budget, **limits)
        risk = assess(corpus, chosen)
        made = plan.choose(corpus, risk, chosen, SCHEMA)
        kept = made.masked[-1:]
        again = plan.overrule(corpus, risk, chosen, made, keep=kept)
        everything = set(range(corpus.n_entities)) - set(kept.tolist())
        left = above(corpus, again, treated(corpus, again, **limits))
        for path in left:
            target = treated(corpus, again, **limits)[path].target
            assert not oracle.at_most(oracle.chain_risk(plain(corpus), path, everything), target)
        assert set(listed(again, ~again.chains.met)) == left
        seen += len(again.masked) > len(made.masked) - 1
    assert seen
