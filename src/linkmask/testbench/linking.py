"""Do documents of one person still find each other? Record linkage by likeness of words.

Likeness is the cosine of TF-IDF vectors (log counts), with what masks leave taken out: an attacker
knows that "[NAME]" stands in every document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkmask import schema
from linkmask.records import Floats
from linkmask.testbench.indexes import Terms
from linkmask.testbench.measures import auc
from linkmask.testbench.tested import Corpus

Raw = dict[str, Any]


def among(texts: Sequence[str], corpus: Corpus) -> Raw:
    """Rank all other texts by likeness to each; the same person's should come first."""
    vectors = _vectors(_unmarked(texts))
    return _ranked(_alike(vectors, vectors), corpus)


def against(known: Sequence[str], texts: Sequence[str], corpus: Corpus) -> Raw:
    """Rank the masked texts by likeness to each text as it was, that text's own version aside."""
    both = _vectors([*known, *_unmarked(texts)])
    count = len(known)
    return _ranked(_alike(both[:count], both[count:]), corpus)


def _ranked(alike: Floats, corpus: Corpus) -> Raw:
    cluster = np.array(corpus.cluster)
    np.fill_diagonal(alike, -1.0)
    rows = []
    for number, person in enumerate(corpus.persons):
        own = [d for d in person.documents if len(person.documents) > 1]
        hits = [bool(cluster[int(np.argmax(alike[d]))] == number) for d in own]
        rows.append({"id": person.id, "risk": person.risk, "hits": sum(hits), "of": len(own)})
    same = cluster[:, None] == cluster[None, :]
    off = ~np.eye(len(cluster), dtype=bool)
    return {
        "persons": rows,
        "pooled": {"auc": auc(alike[same & off].tolist(), alike[~same & off].tolist())},
    }


def _unmarked(texts: Sequence[str]) -> list[str]:
    marks = schema.placeholders(schema.load("insurance").types)
    return [marks.sub(" ", text) for text in texts]


def _vectors(texts: Sequence[str]) -> Any:
    terms = Terms(texts)
    counts = terms.counts.copy()
    idf = np.log((1 + len(texts)) / (1 + terms.found)) + 1
    counts.data = (1 + np.log(counts.data)) * idf[counts.indices]
    length = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
    counts.data = counts.data / np.repeat(np.where(length == 0, 1, length), np.diff(counts.indptr))
    return counts


def _alike(left: Any, right: Any) -> Floats:
    # Rounded, so that ties are ties whatever the order of summation.
    return np.asarray(np.round((left @ right.T).toarray(), 12))
