"""Which pairs of texts are compared at all: every pair of few texts, of many those that share.

Blocking keeps the work linear: a text is compared with the `MOST` texts with which it shares most
of its rare terms, and a term that more than `COMMON` texts hold brings nobody together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.records import Ints

ALL_PAIRS = 1000
"""Texts up to which every pair is compared."""
MOST = 40
"""Texts that one is compared with, of many."""
COMMON = 100
"""Texts that may share a term that brings them together."""
CHUNK = 2000
"""Texts that are joined with all others at a time."""


def candidates(terms: Any) -> tuple[Ints, Ints]:
    """Return the pairs of texts to compare, left < right, sorted.

    Args:
        terms: which text holds which term, a sparse row for each text.
    """
    n = terms.shape[0]
    if n <= ALL_PAIRS:
        left, right = np.triu_indices(n, k=1)
        return left.astype(np.int32), right.astype(np.int32)
    found = np.bincount(terms.indices, minlength=terms.shape[1])
    rare = terms[:, (found > 1) & (found <= COMMON)]
    rows = rare.copy()
    weight = np.log(n / np.maximum(1, np.bincount(rare.indices, minlength=rare.shape[1])))
    rows.data = weight[rows.indices]
    held = rare.copy()
    held.data = np.ones(len(held.data))
    across = held.T.tocsr()
    pairs = [_nearest(rows[a : a + CHUNK] @ across, a) for a in range(0, n, CHUNK)]
    key = np.unique(np.concatenate([np.minimum(a, b) * n + np.maximum(a, b) for a, b in pairs]))
    return (key // n).astype(np.int32), (key % n).astype(np.int32)


def _nearest(shared: Any, first: int) -> tuple[Any, Any]:
    """Return for each row the numbers of the `MOST` others with the largest sums."""
    row = np.repeat(np.arange(shared.shape[0], dtype=np.int64), np.diff(shared.indptr)) + first
    other, score = shared.indices.astype(np.int64), shared.data
    apart = row != other
    row, other, score = row[apart], other[apart], score[apart]
    order = np.lexsort((other, -np.round(score, 9), row))
    row, other = row[order], other[order]
    start = np.searchsorted(row, np.arange(first, first + shared.shape[0]))
    kept = np.arange(len(row)) - start[row - first] < MOST
    return row[kept], other[kept]
