"""Graph and plan say what the plain reading of formulas.md §4–9 says, on random small corpora."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corpora
import oracle
from linkmask import config, graph, plan, schema
from linkmask.config import Settings
from linkmask.formulas import LEVELS, riskiest_first
from linkmask.records import Incidence, Plan, Risk

THESIS = schema.load("thesis")
LENGTHS = st.sampled_from([2, 3, 4])
SELECT = {"greedy": oracle.greedy, "knapsack": oracle.knapsack}

policies = st.builds(
    oracle.Policy,
    edge_threshold=st.sampled_from([0.0, 0.2, 0.5]),
    link_contained=st.booleans(),
    theta_doc=st.sampled_from([0.6, 0.8, 0.95]),
    doc_order=st.sampled_from(["ingest", "risk_desc"]),
    theta_chain=st.sampled_from([0.2, 0.5]),
    chain_candidates=st.sampled_from(["documents", "via"]),
)


NAMES = (
    "edge_threshold", "link_contained", "chain_length", "theta_doc", "doc_order", "theta_chain",
    "chain_candidates",
)  # fmt: skip


def settings_for(policy: oracle.Policy, **more: object) -> Settings:
    given = {name: getattr(policy, name) for name in NAMES}
    return config.load(preset="thesis", overrides=given | more, environment={})


def analyse(pair: corpora.Pair, chosen: Settings) -> tuple[Incidence, Risk]:
    found = graph.incidence(pair.table, pair.weights, chosen)
    return found, graph.assess(found, chosen)


def choose(pair: corpora.Pair, chosen: Settings) -> Plan:
    return plan.choose(*analyse(pair, chosen), chosen, THESIS)


def by_stage(made: Plan, name: str) -> list[int]:
    stages = zip(made.masked.tolist(), made.stage, strict=True)
    return [e for e, stage in stages if stage == name]


def paths(documents: np.ndarray) -> list[oracle.Path]:
    return [tuple(d for d in row if d >= 0) for row in documents.tolist()]


@settings(max_examples=60, deadline=None)
@given(corpora.pairs, policies, LENGTHS)
def test_risks_links_and_chains(
    pair: corpora.Pair, policy: oracle.Policy, chain_length: int
) -> None:
    policy.chain_length = chain_length
    corpus = pair.corpus
    found, risk = analyse(pair, settings_for(policy))

    assert dict(enumerate(found.uniqueness)) == pytest.approx(corpus.u)
    everywhere = range(len(corpus.documents))
    assert list(risk.documents) == pytest.approx(
        [oracle.document_risk(corpus, d) for d in everywhere]
    )
    links = oracle.links(corpus, policy.edge_threshold, policy.link_contained)
    ends = zip(risk.links.left.tolist(), risk.links.right.tolist(), strict=True)
    assert list(ends) == list(links)
    assert list(risk.links.strength) == pytest.approx(list(links.values()))

    known = policy.edge_threshold, chain_length, policy.link_contained
    chains = oracle.chains(corpus, *known)
    listed = paths(risk.chains.documents)
    assert set(listed) == set(chains)
    assert list(risk.chains.risk) == pytest.approx([chains[path] for path in listed])
    assert listed == sorted(chains)
    riskiest = [listed[k] for k in riskiest_first(risk.chains.risk)]
    assert riskiest == sorted(chains, key=lambda path: (-oracle.tie(chains[path]), path))
    levels = [oracle.category(r, policy) for r in chains.values()]
    assert dict(risk.chains.counts) == {level: levels.count(level) for level in LEVELS}


@settings(max_examples=60, deadline=None)
@given(corpora.pairs, policies, LENGTHS, st.sampled_from(["greedy", "knapsack"]))
def test_masked_sets_in_order_and_what_they_leave(
    pair: corpora.Pair, policy: oracle.Policy, chain_length: int, solver: str
) -> None:
    policy.chain_length = chain_length
    corpus = pair.corpus
    made = choose(pair, settings_for(policy, solver=solver))

    first = oracle.document_stage(corpus, policy)
    assert by_stage(made, "document") == first
    second, treated = oracle.chain_stage(corpus, policy, first, SELECT[solver])
    assert by_stage(made, "chain") == second
    assert made.size.masked == len(second)

    masked = {*first, *second}
    treated.sort(key=lambda t: t.path)
    assert paths(made.chains.documents) == [t.path for t in treated]
    assert list(made.chains.before) == pytest.approx([t.before for t in treated])
    assert list(made.chains.target) == pytest.approx([t.target for t in treated])
    assert [LEVELS[k] for k in made.chains.level] == [t.category for t in treated]
    after = [oracle.chain_risk(corpus, t.path, masked) for t in treated]
    assert list(made.chains.after) == pytest.approx(after)
    assert made.chains.met.all()
    left = [oracle.document_risk(corpus, d, masked) for d in range(len(corpus.documents))]
    assert list(made.after) == pytest.approx(left)


@settings(max_examples=25, deadline=None)
@given(corpora.pairs, st.sampled_from(["greedy", "knapsack"]))
def test_the_floor_comes_first_and_the_limits_choose_among_the_rest(
    pair: corpora.Pair, solver: str
) -> None:
    types = ("NAME", "EVENT_DATE", "PROVIDER", "TREATMENT", "AGE")
    policy = oracle.Policy(edge_threshold=0.2)
    chosen = settings_for(policy, solver=solver, floor=types)
    made = choose(pair, chosen)
    found, _ = analyse(pair, chosen)
    floor = [e for e in range(found.n_entities) if found.types[found.type[e]] in types]
    assert by_stage(made, "floor") == floor
    documents = oracle.document_stage(pair.corpus, policy, floor)
    assert by_stage(made, "document") == documents
    chains, _ = oracle.chain_stage(pair.corpus, policy, floor + documents, SELECT[solver])
    assert by_stage(made, "chain") == chains


@settings(max_examples=25, deadline=None)
@given(corpora.pairs, LENGTHS, st.booleans(), st.sampled_from(["cover", "exact"]))
def test_the_global_solvers_meet_every_target_and_exact_is_minimal(
    pair: corpora.Pair, chain_length: int, link_contained: bool, solver: str
) -> None:
    policy = oracle.Policy(
        edge_threshold=0.3, chain_length=chain_length, link_contained=link_contained
    )
    made = choose(pair, settings_for(policy, solver=solver))
    first = oracle.document_stage(pair.corpus, policy)
    best = oracle.smallest_plan(pair.corpus, policy, first)
    masked = {int(e) for e in made.masked}
    assert made.met == (not len(made.unmet_documents))
    for t in oracle.targets(pair.corpus, policy, first):
        assert oracle.at_most(oracle.chain_risk(pair.corpus, t.path, masked), t.target)
    assert made.size.masked >= len(best)
    assert made.size.lower_bound <= len(best)
    if solver == "exact":
        assert (made.size.masked, made.size.proven) == (len(best), True)
