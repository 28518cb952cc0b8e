"""The acceptance list of formulas.md §16 under preset `thesis`, by number (8: test_knapsack)."""

from __future__ import annotations

import os
import subprocess
import sys
from math import log
from pathlib import Path

import numpy as np
import pytest

import corpora
from linkmask import config, graph, plan, schema
from linkmask.formulas import LEVELS, hop_risk, level, target
from linkmask.records import Incidence, Plan, Risk, entity_id

TESTS = Path(__file__).parents[1]


def thesis(**overrides: object) -> config.Settings:
    return config.load(preset="thesis", overrides=overrides, environment={})


def scan(pair: corpora.Pair, settings: config.Settings) -> tuple[Incidence, Risk]:
    incidence = graph.incidence(pair.table, pair.weights, settings)
    return incidence, graph.assess(incidence, settings)


def choose(pair: corpora.Pair, settings: config.Settings) -> Plan:
    return plan.choose(*scan(pair, settings), settings, schema.load("thesis"))


def names(n: int) -> dict[str, str]:
    return {f"name {k}": "NAME" for k in range(n)}


@pytest.mark.parametrize(
    ("frequency", "expected"), [(1, 1.0), (9, 0.0458), (3, 0.5229)], ids=["one", "all", "three"]
)
def test_1_uniqueness_of_9_documents(frequency: int, expected: float) -> None:
    documents = [{"name 0": 1.0}] * frequency + [{}] * (9 - frequency)
    incidence, _ = scan(corpora.pair(documents, names(1)), thesis())
    assert incidence.uniqueness[0] == pytest.approx(expected, abs=5e-5)


def test_2_document_risk_adds_with_diminishing_returns() -> None:
    """0.5 and 0.5 make 0.75; one contribution of 1 makes 1 whatever else is there."""
    weak = {"name 0": 0.5, "name 1": 0.5}
    _, risk = scan(corpora.pair([weak, {"name 2": 0.5, "name 3": 1.0}, {}], names(4)), thesis())
    assert risk.documents == pytest.approx([0.75, 1.0, 0.0])


def test_the_example_of_finding_links_has_the_figures_of_the_page() -> None:
    """formulas.md §6.3: the third document reaches no bound, so only two are linked."""
    both, one = {"name 0": 0.6, "name 1": 0.8}, {"name 1": 0.8}
    made = corpora.pair([both, both, one, *[{}] * 6], names(2))
    incidence, risk = scan(made, thesis(edge_threshold=0.5))
    assert sorted(incidence.uniqueness.tolist()) == pytest.approx([0.5229, 0.6990], abs=5e-5)
    assert list(zip(risk.links.left.tolist(), risk.links.right.tolist(), strict=True)) == [(0, 1)]
    assert risk.links.strength == pytest.approx([0.6623], abs=5e-5)


def test_3_two_documents_and_one_shared_name() -> None:
    pair = corpora.pair([{"name 0": 1.0}, {"name 0": 0.4}], names(1))
    incidence, risk = scan(pair, thesis(edge_threshold=0.0))
    assert incidence.uniqueness[0] == pytest.approx(log(1.5) / log(3))
    assert risk.links.strength == pytest.approx([0.3691], abs=5e-5)
    assert risk.documents == pytest.approx([0.3691, 0.1476], abs=5e-5)
    assert risk.chains.risk == pytest.approx([0.2322], abs=5e-5)


def test_4_documents_scale_a_hop_between_half_its_edge_and_all_of_it() -> None:
    assert hop_risk(0.8, 0.0, 0.0) == pytest.approx(0.4)
    assert hop_risk(0.8, 1.0, 1.0) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("risk", "expected"),
    [(0.75, "HIGH"), (0.7499, "MEDIUM"), (0.5, "MEDIUM"), (0.4999, "LOW"), (1 - 0.25, "HIGH")],
)
def test_5_categories_hold_their_lower_bound(risk: float, expected: str) -> None:
    settings = thesis()
    assert LEVELS[level(risk, settings.high, settings.medium)] == expected


def test_5_an_edge_at_the_threshold_is_kept() -> None:
    """Strength 0.5 on paper, whatever the factors round to; a little less is pruned."""
    u = log(100 / 2) / log(100)
    for slightly, kept in [(0.0, 1), (1e-9, 0)]:
        shared = {"name 0": (0.5 - slightly) / u}
        _, risk = scan(corpora.pair([shared, shared] + [{}] * 97, names(1)), thesis())
        assert len(risk.links) == kept


@pytest.mark.parametrize(("relevance", "masked"), [(0.95, 1), (0.9499, 0)])
def test_6_document_masking_continues_at_exactly_theta(relevance: float, masked: int) -> None:
    made = choose(corpora.pair([{"name 0": relevance}], names(1)), thesis())
    assert len(made.masked) == masked
    assert made.met


def test_7_a_chain_must_lose_a_share_of_its_risk_and_reach_the_ceiling() -> None:
    """R = 0.56 is MEDIUM: 0.7 of it is 0.392, below the ceiling 0.5."""
    assert target(0.56, 1, 0.5, 0.5, 0.7) == pytest.approx(0.392)
    u = log(100 / 2) / log(100)
    s = ((1 + 8 * 0.56) ** 0.5 - 1) / 2  # s(1 + s)/2 = 0.56
    shared = {"name 0": s / u}
    made = choose(corpora.pair([shared, shared] + [{}] * 97, names(1)), thesis())
    assert made.chains.before == pytest.approx([0.56])
    assert made.chains.target == pytest.approx([0.392])
    assert made.chains.met.all()


@pytest.mark.parametrize(("solver", "masked"), [("cover", {"x"}), ("greedy", {"y", "z"})])
def test_the_example_of_cover_has_the_figures_of_the_page(solver: str, masked: set[str]) -> None:
    """formulas.md §9.7: the value that both chains share is masked instead of two others."""
    a, c = {"x": 0.9, "y": 0.7}, {"x": 0.9, "z": 0.7}
    made = corpora.pair([a, a | c, c, *[{}] * 6], dict.fromkeys("xyz", "NAME"))
    incidence, risk = scan(made, thesis())
    chosen = plan.choose(incidence, risk, thesis(solver=solver), schema.load("thesis"))
    ids = {entity_id(value, "NAME") for value in masked}
    assert {incidence.entities[e] for e in chosen.masked} == ids
    assert chosen.chains.before == pytest.approx([0.6551] * 2, abs=5e-5)
    assert chosen.chains.target == pytest.approx([0.4586] * 2, abs=5e-5)
    assert solver != "cover" or chosen.chains.after == pytest.approx([0.3949] * 2, abs=5e-5)


def test_10_masking_is_corpus_wide() -> None:
    """What A's limit masks is masked in B, whose risk falls though it was below the limit."""
    types = names(2) | {"fact": "UNIQUE_FACT"}
    documents = [{"name 0": 1.0, "name 1": 1.0}, {"name 0": 0.5, "fact": 0.5}] + [{}] * 60
    made = choose(corpora.pair(documents, types), thesis())
    assert made.before[0] >= 0.95
    assert made.before[1] < 0.95
    assert made.after[1] == pytest.approx(0.5 * 0.78)


def digest() -> bytes:
    """Everything a plan holds, for one corpus and each solver."""
    found = b""
    pair = corpora.build(5, 6, 9, 40, coarse=True)
    for solver in ("cover", "greedy", "knapsack", "exact"):
        made = choose(pair, thesis(solver=solver, edge_threshold=0.2, chain_length=3))
        arrays = (made.masked, made.gain, made.served, made.after, made.chains.after)
        found += b"".join(a.tobytes() for a in arrays) + repr((made.stage, made.size)).encode()
    return found


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_11_the_same_input_gives_the_same_bytes(hash_seed: str) -> None:
    """Also in another process, whose sets and dicts hash in another order."""
    here = digest()
    code = "from plan.test_spec import digest; import sys; sys.stdout.buffer.write(digest())"
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(TESTS)}
    there = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True, cwd=TESTS
    )
    assert there.stdout == here


def test_11_the_order_of_mentions_does_not_matter() -> None:
    pair = corpora.build(5, 6, 9, 40, coarse=True)
    table = pair.table
    order = np.random.default_rng(0).permutation(len(table))
    shuffled = type(table)(
        table.documents,
        table.values,
        table.types,
        table.document[order],
        table.value[order],
        table.type[order],
        table.relevance[order],
    )
    one = choose(pair, thesis())
    other = choose(corpora.Pair(pair.corpus, shuffled), thesis())
    assert one.masked.tolist() == other.masked.tolist()
    assert one.gain.tolist() == other.gain.tolist()
