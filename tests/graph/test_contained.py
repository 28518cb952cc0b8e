"""A document that holds no value of its own is linked to none that holds all of its values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import oracle
from corpora import pair
from incidences import plain, random_incidence, settings
from linkmask import config, plan, schema
from linkmask.config import Settings
from linkmask.formulas import compiling, rows_of
from linkmask.graph import assess, incidence
from linkmask.graph.contained import without_contained
from linkmask.graph.links import find_links
from linkmask.records import Incidence

TYPES = {"asthma": "MEDICAL_CONDITION", "lupus": "MEDICAL_CONDITION", "mason": "DEMOGRAPHIC"}


def links_of(*documents: str, **chosen: object) -> list[tuple[int, int]]:
    """Return the links of documents, each given by its values, among some without any."""
    held = [dict.fromkeys(text.split(), 1.0) for text in documents]
    made = pair(held + [{}] * 20, TYPES)
    found = settings(**{"edge_threshold": 0.3, "link_contained": False} | chosen)
    links = find_links(incidence(made.table, made.weights, found), found)
    return list(zip(links.left.tolist(), links.right.tolist(), strict=True))


def test_a_line_with_a_value_of_another_document_is_not_linked_to_it() -> None:
    assert links_of("asthma lupus mason", "lupus") == []
    assert links_of("lupus", "asthma lupus mason") == []
    assert links_of("lupus", "lupus") == []


def test_each_of_two_linked_documents_has_a_value_that_the_other_lacks() -> None:
    assert links_of("asthma lupus", "lupus mason") == [(0, 1)]
    assert links_of("asthma lupus", "lupus mason", "lupus") == [(0, 1)]


def test_a_document_that_holds_the_values_of_two_others_is_linked_to_neither() -> None:
    assert links_of("asthma lupus mason", "asthma lupus", "lupus mason") == [(1, 2)]


def test_the_setting_links_them_and_preset_thesis_has_it() -> None:
    assert links_of("asthma lupus", "lupus", link_contained=True) == [(0, 1)]
    assert config.load(preset="thesis", environment={}).link_contained
    assert not Settings().link_contained


@examples(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    values=st.integers(2, 25),
    mentions=st.integers(10, 90),
    weightless=st.booleans(),
)
def test_links_are_those_of_the_plain_reading(
    seed: int, values: int, mentions: int, weightless: bool
) -> None:
    """Also where values of weight 0, which count in no risk, stand in some documents."""
    corpus = random_incidence(seed, documents=20, values=values, mentions=mentions)
    if weightless:
        corpus.weight[::3] = 0.0
    found = find_links(corpus, settings(edge_threshold=0.1, link_contained=False))
    want = oracle.links(plain(corpus), 0.1, link_contained=False)
    assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == list(want)
    assert found.strength.tolist() == pytest.approx(list(want.values()))


@examples(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), chosen=st.permutations(range(20)), size=st.integers(0, 20))
def test_links_between_some_documents_are_those_of_the_whole_corpus(
    seed: int, chosen: list[int], size: int
) -> None:
    corpus = random_incidence(seed, documents=20, values=10, mentions=60)
    limits = settings(edge_threshold=0.1, link_contained=False)
    found, part = find_links(corpus, limits), chosen[:size]
    whole = {
        frozenset((a, b)): strength
        for a, b, strength in zip(found.left, found.right, found.strength, strict=True)
        if a in part and b in part
    }
    few = find_links(corpus.part(part), limits)
    assert [corpus.documents[d] for d in part] == corpus.part(part).documents
    assert whole == {
        frozenset((part[a], part[b])): pytest.approx(strength)
        for a, b, strength in zip(few.left, few.right, few.strength, strict=True)
    }


def dense(seed: int) -> Incidence:
    return random_incidence(seed, documents=300, values=40, mentions=1200)


def test_compiled_and_plain_loops_leave_out_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = dense(2)
    every = find_links(corpus, settings(edge_threshold=0.1))
    slow = without_contained(every, rows_of(corpus))
    monkeypatch.setattr(compiling, "COMPILE_FROM", 0)
    quick = without_contained(every, rows_of(corpus))
    assert 0 < len(slow) < len(every)
    for column in ("left", "right", "strength"):
        assert np.array_equal(getattr(slow, column), getattr(quick, column))


@pytest.mark.parametrize(("link_contained", "masked"), [(False, 0), (True, 1)])
def test_a_line_with_a_value_masks_it_only_if_contained_documents_are_linked(
    link_contained: bool, masked: int
) -> None:
    """Whoever adds a line otherwise reads from its mask that another document holds the value."""
    made = pair([{"asthma": 1.0, "mason": 1.0}, {"asthma": 1.0}, *[{}] * 30], TYPES)
    known = settings(link_contained=link_contained, theta_chain=0.3, solver="cover")
    corpus = incidence(made.table, made.weights, known)
    chosen = plan.choose(corpus, assess(corpus, known), known, schema.load("thesis"))
    assert len(chosen.masked) == masked
