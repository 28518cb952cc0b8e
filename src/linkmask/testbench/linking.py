"""Links documents of one person by similar words.

Similarity is the cosine of TF-IDF vectors (log counts) without placeholders, since an attacker
knows that "[NAME]" stands in every document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from linkmask import schema
from linkmask.records import Floats
from linkmask.testbench.corpus import BenchCorpus
from linkmask.testbench.indexes import TermCounts
from linkmask.testbench.pair_scores import PairScores
from linkmask.testbench.readable_values import text_without_values

Raw = dict[str, Any]

Flags = npt.NDArray[np.bool_]

DECOYS = 4
"""Persons nearest in topic among whom one is to be told from: by chance one in five is right."""


def among(texts: Sequence[str], corpus: BenchCorpus) -> Raw:
    """Rank all other texts by likeness to each; the same person's should come first."""
    vectors = _vectors(_unmarked(texts))
    return _ranked(_alike(vectors, vectors), corpus)


def against(known: Sequence[str], texts: Sequence[str], corpus: BenchCorpus) -> Raw:
    """Rank the masked texts by likeness to each text as it was, that text's own version aside."""
    both = _vectors([*known, *_unmarked(texts)])
    count = len(known)
    return _ranked(_alike(both[:count], both[count:]), corpus)


def _ranked(alike: Floats, corpus: BenchCorpus) -> Raw:
    cluster = np.array(corpus.cluster)
    np.fill_diagonal(alike, -1.0)
    rows = []
    for number, (person, decoys) in enumerate(zip(corpus.persons, decoys_of(corpus), strict=True)):
        own = [d for d in person.documents if len(person.documents) > 1]
        mine, few = cluster == number, np.isin(cluster, [number, *decoys])
        rows.append(
            {
                "id": person.id,
                "risk": person.risk,
                "hits": sum(_hit(alike[d], mine) for d in own),
                "decoys": sum(_hit(alike[d][few], mine[few]) for d in own),
                "of": len(own),
            }
        )
    left, right = np.nonzero(~np.eye(len(cluster), dtype=bool))
    both = left.astype(np.int32), right.astype(np.int32)
    pairs = PairScores(*both, alike[left, right], cluster, ordered=True)
    return {
        "persons": rows,
        "pooled": {"auc": pairs.auc()},
        "intervals": {"auc": pairs.interval(pairs.auc)},
    }


def _hit(alike: Floats, mine: Flags) -> float:
    """Return how likely the most similar text is the person's; ties are guessed."""
    return float(mine[alike == alike.max()].mean())


def decoys_of(corpus: BenchCorpus) -> list[list[int]]:
    """Return for each person the `DECOYS` others nearest in topic, by their numbers.

    The topic is the similarity of words without the person's own values.
    """
    told = [
        " ".join(
            text_without_values(person, corpus.documents[d].content, range(len(person.values)))
            for d in person.documents
        )
        for person in corpus.persons
    ]
    vectors = _vectors(told)
    alike = _alike(vectors, vectors)
    np.fill_diagonal(alike, -1.0)
    count = min(DECOYS, len(told) - 1)
    return [np.argsort(-row, kind="stable")[:count].tolist() for row in alike]


def _unmarked(texts: Sequence[str]) -> list[str]:
    marks = schema.placeholders(schema.load("insurance").types)
    return [marks.sub(" ", text) for text in texts]


def _vectors(texts: Sequence[str]) -> Any:
    terms = TermCounts(texts)
    counts = terms.counts.copy()
    idf = np.log((1 + len(texts)) / (1 + terms.found)) + 1
    counts.data = (1 + np.log(counts.data)) * idf[counts.indices]
    length = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
    counts.data = counts.data / np.repeat(np.where(length == 0, 1, length), np.diff(counts.indptr))
    return counts


def _alike(left: Any, right: Any) -> Floats:
    # Rounded, so that ties are ties whatever the order of summation.
    return np.asarray(np.round((left @ right.T).toarray(), 12))
