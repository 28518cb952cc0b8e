"""Entities that stand in answers cost more, so that others are masked where these suffice."""

import numpy as np
import pytest

from incidences import WEIGHTS, settings
from linkmask import plan, schema
from linkmask.graph import assess, incidence
from linkmask.records import Incidence, MentionTable, Plan


def corpus_of(*documents: dict[str, float]) -> Incidence:
    """Documents of values, each with its relevance, and as many empty ones as make u nearly 1."""
    names = sorted({name for one in documents for name in one})
    rows = [(d, names.index(name), r) for d, one in enumerate(documents) for name, r in one.items()]
    document, value, relevance = zip(*rows, strict=True)
    table = MentionTable(
        documents=[f"d{d}" for d in range(len(documents) + 40)],
        values=names,
        types=("NAME",),
        document=np.array(document, np.int32),
        value=np.array(value, np.int32),
        type=np.zeros(len(value), np.int32),
        relevance=np.array(relevance),
    )
    return incidence(table, WEIGHTS, settings())


def masked(corpus: Incidence, asked: dict[int, int], **limits: object) -> set[int]:
    made = planned(corpus, asked, **limits)
    assert made.met
    return set(made.masked.tolist())


def planned(corpus: Incidence, asked: dict[int, int], **limits: object) -> Plan:
    counts = np.zeros(corpus.n_entities, np.int32)
    for entity, many in asked.items():
        counts[entity] = many
    chosen = settings(**limits)
    table = schema.load("thesis")
    return plan.choose(corpus, assess(corpus, chosen), chosen, table, asked=counts)


def test_a_document_gives_up_another_value_that_suffices() -> None:
    """1 − 0.5 · 0.2 · 0.5 = 0.95. Without the value of 0.8 it is 0.75, without one of 0.5 0.9."""
    corpus = corpus_of({"a": 0.5, "b": 0.8, "c": 0.5})
    (dear,) = corpus.entity[corpus.relevance == 0.8].tolist()
    limits = {"theta_doc": 0.95, "theta_chain": 1.0}
    assert masked(corpus, {}, **limits) == {dear}
    others = masked(corpus, {dear: 1}, **limits)
    assert len(others) == 1
    assert dear not in others


def test_a_value_in_an_answer_is_masked_where_the_others_do_not_suffice() -> None:
    corpus = corpus_of({"a": 0.1, "b": 0.8})
    (dear,) = corpus.entity[corpus.relevance == 0.8].tolist()
    assert dear in masked(corpus, {dear: 3}, theta_doc=0.5, theta_chain=1.0)


@pytest.mark.parametrize("solver", ["cover", "exact"])
def test_a_chain_gives_up_the_value_that_no_answer_holds(solver: str) -> None:
    """Both share two values alike, and either mask brings the chain under its target."""
    corpus = corpus_of({"a": 0.7, "b": 0.7}, {"a": 0.7, "b": 0.7})
    limits = {"solver": solver, "theta_doc": 1.0, "theta_chain": 0.6, "edge_threshold": 0.25}
    for asked in (0, 1):
        assert masked(corpus, {asked: 1}, **limits) == {1 - asked}


def test_a_number_is_proven_minimal_only_where_every_mask_costs_the_same() -> None:
    """Two masks suffice; where an answer holds one of them, three without it cost less."""
    values = {"x": 0.3, "y": 0.8, "z": 0.5, "u": 0.6}
    corpus = corpus_of(values, values)
    limits = {"solver": "exact", "theta_doc": 1.0, "theta_chain": 0.6, "edge_threshold": 0.1}
    smallest = planned(corpus, {}, **limits).size
    assert (smallest.masked, smallest.lower_bound, smallest.proven) == (2, 2, True)
    others = [planned(corpus, {one: 1}, **limits).size for one in range(corpus.n_entities)]
    others.append(planned(corpus, {}, cost="mentions", **limits).size)
    assert max(size.masked for size in others) == 3
    assert not any(size.proven or size.lower_bound for size in others)
