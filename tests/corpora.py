"""Random small corpora, as the oracle reads them and as the package does."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import oracle
from linkmask import schema
from linkmask.records import MentionTable, entity_id

WEIGHTS = schema.load("thesis").weights


@dataclass(frozen=True)
class Pair:
    """One corpus twice. Oracle entity k is the k-th by id, as the package numbers them."""

    corpus: oracle.Corpus
    table: MentionTable

    @property
    def weights(self) -> dict[str, float]:
        return dict(WEIGHTS)


def pair(documents: list[dict[str, float]], types: dict[str, str]) -> Pair:
    """Make a corpus of documents given as {value: relevance}; `types` names each value's type."""
    values = list(types)
    kinds = tuple(WEIGHTS)
    ids = sorted(values, key=lambda value: entity_id(value, types[value]))
    used = [value for value in ids if any(value in document for document in documents)]
    number = {value: k for k, value in enumerate(used)}
    rows = [(d, v, r) for d, document in enumerate(documents) for v, r in document.items()]
    table = MentionTable(
        documents=[f"doc{d:02}" for d in range(len(documents))],
        values=values,
        types=kinds,
        document=np.array([d for d, _, _ in rows], dtype=np.int32),
        value=np.array([values.index(v) for _, v, _ in rows], dtype=np.int32),
        type=np.array([kinds.index(types[v]) for _, v, _ in rows], dtype=np.int32),
        relevance=np.array([r for _, _, r in rows], dtype=np.float64),
    )
    corpus = oracle.Corpus(
        [{number[v]: r for v, r in sorted(doc.items())} for doc in documents],
        {number[v]: WEIGHTS[types[v]] for v in used},
    )
    return Pair(corpus, table)


def build(seed: int, n_documents: int, n_values: int, n_empty: int, coarse: bool) -> Pair:
    """Make a random corpus: documents over a few values, then documents without any.

    `coarse` relevances repeat, so that risks and gains tie; others hardly ever do.
    """
    rng = random.Random(seed)
    values = [f"value {k}" for k in range(n_values)]
    types = {value: rng.choice(list(WEIGHTS)) for value in values}

    def relevance() -> float:
        return rng.choice([0.5, 0.75, 1.0]) if coarse else rng.uniform(0.3, 1.0)

    share = rng.choice([0.35, 0.5, 0.7])
    documents = [
        {value: relevance() for value in values if rng.random() < share} for _ in range(n_documents)
    ]
    return pair(documents + [{} for _ in range(n_empty)], types)


pairs = st.builds(
    build,
    seed=st.integers(0, 10**6),
    n_documents=st.integers(3, 6),
    n_values=st.integers(3, 9),
    n_empty=st.sampled_from([40, 10, 0]),
    coarse=st.booleans(),
)
