"""Chooses the pairs of texts that are compared: all of few texts; of many those that share terms.

Blocking keeps the work linear: a text is compared with the `MOST` texts with which it shares most
of its rare terms, and a term that more than `COMMON` texts hold brings nobody together. So a text
meets at most `COMMON` others for each of its terms.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.graph.linkage.pairs import nearest_texts
from linkmask.records import Ints

ALL_PAIRS = 1000
"""Texts up to which every pair is compared."""
MOST = 40
"""Number of texts with which each of many texts is compared."""
COMMON = 100
"""Largest number of texts that may hold a term by which pairs are chosen."""
UNITS = 1e9
"""A weight is rounded to one part in so many: sums are whole numbers, and ties are ties."""


def candidates(terms: Any, own: int = 0) -> tuple[Ints, Ints]:
    """Return the pairs of texts to compare, left < right, sorted.

    Args:
        terms: which text holds which term, a sparse row for each text.
        own: if it is not 0, only the first `own` texts are compared, and only with the others.
    """
    n = terms.shape[0]
    if n <= ALL_PAIRS:
        left, right = (side.astype(np.int32) for side in np.triu_indices(n, k=1))
        across = (left < own) & (right >= own) if own else slice(None)
        return left[across], right[across]
    holders = np.bincount(terms.indices, minlength=terms.shape[1])
    rare = terms[:, (holders > 1) & (holders <= COMMON)]
    weight = np.log(n / np.maximum(1, np.bincount(rare.indices, minlength=rare.shape[1])))
    units = np.round(weight * UNITS).astype(np.int64)
    rows, others = (_part(rare, 0, own), _part(rare, own, n)) if own else (rare, rare)
    text, other = nearest_texts(rows, others.T.tocsr(), units, MOST)
    key = np.minimum(text, other).astype(np.int64) * n
    key += np.maximum(text, other)
    key = np.unique(key)
    return (key // n).astype(np.int32), (key % n).astype(np.int32)


def _part(rows: Any, first: int, last: int) -> Any:
    """Return sparse rows of which those before `first` and from `last` on are empty."""
    from scipy.sparse import csr_array

    begin, end = rows.indptr[[first, last]]
    start = np.clip(rows.indptr, begin, end) - begin
    return csr_array((rows.data[begin:end], rows.indices[begin:end], start), shape=rows.shape)
