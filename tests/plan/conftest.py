"""Random chains as the solvers see them: candidates and a risk."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection

import pytest

import oracle

Chain = tuple[list[int], Callable[[Collection[int]], float]]


def random_chain(seed: int, n_candidates: int, n_documents: int = 2) -> Chain:
    """A path of documents over some entities; about two thirds of an entity's documents shared."""
    rng = random.Random(seed)
    documents: list[dict[int, float]] = [{} for _ in range(n_documents)]
    for e in range(n_candidates):
        for d in rng.sample(range(n_documents), rng.choice([1, 2, 2])):
            documents[d][e] = rng.uniform(0.2, 1.0)
    weight = {e: rng.choice([1.0, 0.9, 0.8, 0.6, 0.35]) for e in range(n_candidates)}
    corpus = oracle.Corpus(documents + [{} for _ in range(40)], weight)
    path = tuple(range(n_documents))
    return list(range(n_candidates)), lambda masked: oracle.chain_risk(corpus, path, masked)


@pytest.fixture(scope="session")
def chain_of() -> Callable[..., Chain]:
    return random_chain
