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


def candidates(terms: Any) -> tuple[Ints, Ints]:
    """Return the pairs of texts to compare, left < right, sorted.

    Args:
        terms: which text holds which term, a sparse row for each text.
    """
    n = terms.shape[0]
    if n <= ALL_PAIRS:
        left, right = np.triu_indices(n, k=1)
        return left.astype(np.int32), right.astype(np.int32)
    holders = np.bincount(terms.indices, minlength=terms.shape[1])
    rare = terms[:, (holders > 1) & (holders <= COMMON)]
    weight = np.log(n / np.maximum(1, np.bincount(rare.indices, minlength=rare.shape[1])))
    units = np.round(weight * UNITS).astype(np.int64)
    text, other = nearest_texts(rare, rare.T.tocsr(), units, MOST)
    key = np.minimum(text, other).astype(np.int64) * n
    key += np.maximum(text, other)
    key = np.unique(key)
    return (key // n).astype(np.int32), (key % n).astype(np.int32)
