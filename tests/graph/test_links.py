"""The prefix join against every pair of documents, at ties and at the threshold itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import oracle
from incidences import TYPES, WEIGHTS, plain, random_incidence, settings
from linkmask.graph import incidence, join, links
from linkmask.records import Incidence, MentionTable


def brute_force(corpus: Incidence, threshold: float) -> dict[tuple[int, int], float]:
    """Every pair that shares an entity and reaches the threshold, up to rounding noise."""
    every = oracle.links(plain(corpus), 0.0)
    return {pair: s for pair, s in every.items() if s >= threshold - 1e-12}


def joined(corpus: Incidence, **limits: object) -> dict[tuple[int, int], float]:
    found = links.find_links(corpus, settings(**limits))
    assert found.blocked == 0
    pairs = list(zip(found.left.tolist(), found.right.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    return dict(zip(pairs, found.strength.tolist(), strict=True))


@pytest.mark.parametrize(
    "sizes",
    [
        {"LEAF": 24},
        {"LEAF": 0},
        {"LEAF": 3, "RANKS": 4, "PAIRS": 2, "HEADS": 2, "FETCHED": 2},
    ],
)
@examples(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    documents=st.integers(2, 40),
    values=st.integers(2, 30),
    threshold=st.sampled_from([0.0, 0.2, 0.3, 0.5, 0.7, 1.0]),
)
def test_finds_exactly_the_pairs_that_brute_force_finds(
    sizes: dict[str, int], seed: int, documents: int, values: int, threshold: float
) -> None:
    """Also where every group is split as far as it goes, and where every table is small."""
    corpus = random_incidence(seed, documents=documents, values=values, mentions=4 * documents)
    with pytest.MonkeyPatch.context() as patch:
        for name, size in sizes.items():
            patch.setattr(join, name, size)
        got = joined(corpus, edge_threshold=threshold)
    assert got == pytest.approx(brute_force(corpus, threshold), abs=1e-12)


def boilerplate(documents: int, common: int) -> Incidence:
    """Documents that all share the same few values."""
    pairs = [(d, v) for d in range(documents) for v in range(common)]
    rows = MentionTable(
        documents=[f"d{d}" for d in range(documents)],
        values=[f"v{v}" for v in range(common)],
        types=TYPES,
        document=np.array([d for d, _ in pairs], dtype=np.int32),
        value=np.array([v for _, v in pairs], dtype=np.int32),
        type=np.zeros(len(pairs), dtype=np.int32),
        relevance=np.ones(len(pairs)),
    )
    return incidence(rows, WEIGHTS, settings())


def test_a_link_exactly_at_the_threshold_is_kept() -> None:
    """τ is set to the strength itself, and to the next number that is more than noise above."""
    corpus = boilerplate(5, 3)
    (strength,) = set(brute_force(corpus, 0.0).values())
    assert len(joined(corpus, edge_threshold=strength)) == 10
    assert len(joined(corpus, edge_threshold=strength + 1e-11)) == 0


def test_thirty_common_values_in_every_document_do_not_explode() -> None:
    """Each pair shares 30 weak values: it is met once, not once per subset of them."""
    assert len(joined(boilerplate(40, 30), edge_threshold=0.15)) == 40 * 39 // 2


def test_a_group_above_its_budget_is_counted_not_expanded() -> None:
    found = links.find_links(boilerplate(40, 12), settings(edge_threshold=0.05, group_budget=100))
    assert len(found) == 0
    assert found.blocked >= 40 * 39 // 2


def test_threads_change_nothing() -> None:
    corpus = random_incidence(4, documents=60, values=30, mentions=300)
    one, three = (links.find_links(corpus, settings(edge_threshold=0.3), n) for n in (1, 3))
    for column in ("left", "right", "strength"):
        assert np.array_equal(getattr(one, column), getattr(three, column))
