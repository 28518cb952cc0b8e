"""Document-level masking against the plain reading of formulas.md §8."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import oracle
from incidences import WEIGHTS, plain, random_incidence, settings
from linkmask.formulas import contributions, document_risks, rows_of
from linkmask.graph import incidence
from linkmask.plan.document_stage import mask_documents
from linkmask.records import Flags, Floats, Incidence, Ints, MentionTable


def stage_of(corpus: Incidence, masked: Flags, **limits: object) -> tuple[Ints, Floats, Ints]:
    rows = rows_of(corpus)
    return mask_documents(rows, contributions(rows), masked, settings(**limits))


def masked_by(corpus: Incidence, before: set[int] = frozenset(), **limits: object) -> list[int]:
    masked = np.zeros(corpus.n_entities, dtype=np.bool_)
    masked[list(before)] = True
    return stage_of(corpus, masked, **limits)[0].tolist()


@pytest.mark.parametrize("order", ["ingest", "risk_desc"])
@examples(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    theta=st.sampled_from([0.0, 0.3, 0.6, 0.8, 0.95]),
    digits=st.integers(0, 2),
)
def test_masks_what_the_plain_reading_masks_in_its_order(
    order: str, seed: int, theta: float, digits: int
) -> None:
    corpus = random_incidence(seed, digits=digits)
    policy = oracle.Policy(theta_doc=theta, doc_order=order)
    want = oracle.document_stage(plain(corpus), policy)
    assert masked_by(corpus, theta_doc=theta, doc_order=order) == want
    some = set(want[::3])
    want = oracle.document_stage(plain(corpus), policy, some)
    assert masked_by(corpus, some, theta_doc=theta, doc_order=order) == want


@examples(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), theta=st.floats(0.05, 1.0))
def test_every_document_ends_below_the_limit(seed: int, theta: float) -> None:
    corpus = random_incidence(seed)
    masked = np.zeros(corpus.n_entities, dtype=np.bool_)
    before = document_risks(rows_of(corpus), masked)
    chosen, gain, served = stage_of(corpus, masked, theta_doc=theta)
    after = document_risks(rows_of(corpus), masked)
    assert np.flatnonzero(masked).tolist() == sorted(chosen.tolist())
    assert (after < theta).all()
    assert (after <= before).all()
    assert (gain >= 0).all()
    assert (served == 1).all()


def one_document(*relevances: float) -> Incidence:
    """One document of nine, each value only there: u = 1, weight 1."""
    n = len(relevances)
    rows = MentionTable(
        documents=[f"d{d}" for d in range(9)],
        values=[f"v{v}" for v in range(n)],
        types=("NAME",),
        document=np.zeros(n, dtype=np.int32),
        value=np.arange(n, dtype=np.int32),
        type=np.zeros(n, dtype=np.int32),
        relevance=np.array(relevances),
    )
    return incidence(rows, WEIGHTS, settings())


def test_a_risk_exactly_at_the_limit_goes_on() -> None:
    """formulas.md §16.6: 0.95 on paper, whatever the rounding of 1 − 0.5 · 0.2 · 0.5."""
    corpus = one_document(0.5, 0.8, 0.5)
    (only,) = masked_by(corpus, theta_doc=0.95)
    assert corpus.relevance[corpus.entity == only] == 0.8
    assert masked_by(corpus, theta_doc=0.951) == []


def test_ranks_by_the_largest_contribution_anywhere_not_by_the_one_here() -> None:
    rows = MentionTable(
        documents=["a", "b", "c"],
        values=["x", "y"],
        types=("NAME",),
        document=np.array([0, 0, 1, 1], dtype=np.int32),
        value=np.array([0, 1, 0, 1], dtype=np.int32),
        type=np.zeros(4, dtype=np.int32),
        relevance=np.array([0.3, 0.9, 1.0, 0.1]),
    )
    corpus = incidence(rows, WEIGHTS, settings())
    first = masked_by(corpus, theta_doc=0.3)[0]
    held = corpus.entity[:2].tolist()
    assert corpus.relevance[held.index(first)] == 0.3


def test_a_document_of_thousands_of_entities_is_no_burden() -> None:
    assert len(masked_by(one_document(*np.linspace(0.1, 1, 3000)), theta_doc=0.2)) > 2900
