"""Plans overruled by hand: what was named changes, and nothing else becomes readable."""

import msgspec
import numpy as np
import pytest

from incidences import TYPES, WEIGHTS, random_table, settings
from linkmask import schema
from linkmask.config import Settings
from linkmask.graph import assess, incidence
from linkmask.plan import SOLVERS, choose, overrule
from linkmask.records import Incidence, Plan, Risk

SCHEMA = schema.load("thesis")
SEEDS = range(12)


def planned(seed: int, given: Settings) -> tuple[Incidence, Risk, Plan]:
    """A random corpus, what it gives away, and its plan."""
    corpus = incidence(random_table(seed, documents=14, values=18, mentions=70), WEIGHTS, given)
    risk = assess(corpus, given)
    return corpus, risk, choose(corpus, risk, given, SCHEMA)


def limits(**more: object) -> Settings:
    return settings(theta_doc=0.8, theta_chain=0.3, edge_threshold=0.3, floor=(), **more)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_masking_by_hand_adds_exactly_what_was_named(seed: int, solver: str) -> None:
    given = limits(solver=solver)
    corpus, risk, plan = planned(seed, given)
    before = set(plan.masked.tolist())
    for e in range(corpus.n_entities):
        after = overrule(corpus, risk, given, plan, mask=np.array([e], dtype=np.int32))
        assert set(after.masked.tolist()) == before | {e}
        assert after.met


@pytest.mark.parametrize("length", [2, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_keeping_by_hand_takes_out_what_was_named_and_makes_nothing_else_readable(
    seed: int, length: int
) -> None:
    """What is added instead is only what a limit asks for that can be met."""
    given = limits(solver="cover", chain_length=length)
    corpus, risk, plan = planned(seed, given)
    before, made_up = set(plan.masked.tolist()), 0
    for e in sorted(before):
        after = overrule(corpus, risk, given, plan, keep=np.array([e], dtype=np.int32))
        masked = set(after.masked.tolist())
        assert e not in masked
        assert before - {e} <= masked
        made_up += len(masked - before)
    assert made_up or not before


@pytest.mark.parametrize("length", [2, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_where_keeping_leaves_a_limit_unmet_no_other_mask_would_have_met_it(
    seed: int, length: int
) -> None:
    """All but what is kept masked, the unmet documents and chains are over their limits still."""
    given = limits(solver="cover", chain_length=length)
    corpus, risk, plan = planned(seed, given)
    for e in sorted(set(plan.masked.tolist())):
        kept = np.array([e], dtype=np.int32)
        after = overrule(corpus, risk, given, plan, keep=kept)
        others = np.setdiff1d(np.arange(corpus.n_entities, dtype=np.int32), after.masked)
        others = np.setdiff1d(others, kept)
        most = overrule(corpus, risk, given, after, mask=others)
        assert set(after.unmet_documents.tolist()) == set(most.unmet_documents.tolist())
        assert after.chains.met.tolist() == most.chains.met.tolist()


def test_a_chain_that_can_not_be_met_costs_no_further_mask() -> None:
    """Two documents share a name and a town; with the name kept, the town's mask helps nobody."""
    given = limits(solver="cover")
    corpus, risk, plan = planned(3, given)
    names = np.flatnonzero(corpus.type == TYPES.index("NAME")).astype(np.int32)
    held = msgspec.structs.replace(
        given, never_mask=tuple(corpus.entities[n] for n in names.tolist())
    )
    after = overrule(corpus, risk, held, plan, keep=names)
    assert not set(after.masked.tolist()) & set(names.tolist())
    assert set(plan.masked.tolist()) - set(names.tolist()) <= set(after.masked.tolist())
