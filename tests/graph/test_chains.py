"""Chains against the plain reading: every path listed, or all counted without a path."""

import numpy as np
import pytest

import oracle
from incidences import plain, random_incidence, settings
from linkmask.formulas import riskiest_first
from linkmask.graph import assess


@pytest.mark.parametrize("length", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_lists_every_path_once(seed: int, length: int) -> None:
    corpus = random_incidence(seed, documents=9, values=12, mentions=36)
    risk = assess(corpus, settings(chain_length=length, edge_threshold=LOOSE))
    want = oracle.chains(plain(corpus), LOOSE, length)
    got = [tuple(d for d in path if d >= 0) for path in risk.chains.documents.tolist()]
    assert got == sorted(want)
    assert risk.chains.risk == pytest.approx([want[path] for path in got], abs=1e-12)
    assert [got[k] for k in riskiest_first(risk.chains.risk)] == list(want)
    levels = [oracle.category(r, oracle.Policy()) for r in want.values()]
    assert risk.chains.counts == {k: levels.count(k) for k in ("HIGH", "MEDIUM", "LOW")}
    assert risk.chains.complete


LOOSE = 0.25


@pytest.mark.parametrize("length", [2, 3, 4])
@pytest.mark.parametrize("seed", [0, 3, 8])
def test_counts_every_path_by_level_without_making_one(seed: int, length: int) -> None:
    corpus = random_incidence(seed, documents=10, values=14, mentions=44, digits=3)
    chains = assess(
        corpus, settings(chain_length=length, chain_budget=1, edge_threshold=LOOSE)
    ).chains
    risks = oracle.chains(plain(corpus), LOOSE, length)
    levels = [oracle.category(r, oracle.Policy()) for r in risks.values()]
    assert not chains.complete
    assert len(risks) > 10
    assert chains.counts == {k: levels.count(k) for k in ("HIGH", "MEDIUM", "LOW")}


def test_under_a_mask_links_stay_and_weaken() -> None:
    corpus = random_incidence(5)
    masked = np.random.default_rng(0).random(corpus.n_entities) < 0.4
    before, after = assess(corpus, settings()), assess(corpus, settings(), masked)
    again = assess(corpus, settings(), masked, links=before.links)
    assert np.array_equal(before.links.left, after.links.left)
    assert np.array_equal(after.links.strength, again.links.strength)
    assert (after.links.strength <= before.links.strength).all()
    want = oracle.edge_strength(
        plain(corpus), int(after.links.left[0]), int(after.links.right[0]), np.flatnonzero(masked)
    )
    assert after.links.strength[0] == pytest.approx(want, abs=1e-12)


def test_a_corpus_without_links_has_no_chains() -> None:
    corpus = random_incidence(1, documents=3, values=40, mentions=3)
    risk = assess(corpus, settings(chain_length=4, edge_threshold=0.99))
    assert len(risk.chains) == len(risk.links) == 0
    assert risk.chains.counts == {"HIGH": 0, "MEDIUM": 0, "LOW": 0}
