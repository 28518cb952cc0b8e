"""Lays rows out in memory so that many pairs of documents are compared fast."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas import (
    Rows,
    counts_of,
    fast,
    hop_risk,
    in_parts,
    kept_with,
    kernel,
    open_rows,
    renumbered,
)
from linkmask.records import Floats, Ints

BATCH = 256
"""Links per batch: their rows are fetched from memory in parallel."""


def linking_rows(rows: Rows) -> tuple[Ints, Rows]:
    """Return the entities that two documents share, ascending, and rows that number only them.

    Few entities are left after masking, so tables by entity then fit into the processor's cache.
    """
    shared = counts_of(rows.entity, len(rows.ceiling)) >= 2
    linking = np.flatnonzero(shared).astype(np.int32)
    number = np.full(len(shared), -1, dtype=np.int32)
    number[linking] = np.arange(len(linking), dtype=np.int32)
    return linking, renumbered(rows, number, rows.ceiling[linking])


def strengths_of(rows: Rows, masked: Any, left: Ints, right: Ints) -> Floats:
    """Return the strength of each pair of documents under a mask, on all cores (formulas.md §6.1).

    The values are those of `edge_strength`; it is faster where `left` ascends.
    """
    work = len(rows.entity) + len(left)
    few, loop = linking_rows(open_rows(rows, masked))[1], fast(_strengths, work)
    strength = np.empty(len(left))
    in_parts(lambda a, b: loop(few, left[a:b], right[a:b], strength[a:b]), len(left), work)
    return strength


@kernel
def _strengths(rows: Rows, left: Any, right: Any, strength: Any) -> None:
    own = np.full(len(rows.ceiling), -1.0)
    batch, begin, end = np.empty((3, BATCH), dtype=np.int64)
    touched = np.empty(BATCH)
    held = -1
    for first in range(0, len(left), BATCH):
        n = min(BATCH, len(left) - first)
        for q in range(n):
            batch[q] = first + q
        find_rows(rows, right, batch, n, begin, end, touched)
        for q in range(n):
            if left[first + q] != held:
                load_shares(rows, own, held, left[first + q])
                held = left[first + q]
            kept = 1.0
            for x in range(begin[q], end[q]):
                mine = own[rows.entity[x]]
                if mine >= 0.0:
                    kept = kept_with(kept, max(mine, rows.share[x]))
            strength[first + q] = 1.0 - kept


def hops_kept(rows: Rows, masked: Any, left: Ints, right: Ints, risks: Floats) -> Floats:
    """Return 1 − hop risk of each pair of documents under a mask, given the documents' risks."""
    strength = strengths_of(rows, masked, left, right)
    return kept_along(left, right, strength, risks)


def kept_along(left: Ints, right: Ints, strength: Floats, risks: Floats) -> Floats:
    """Return 1 − hop risk of each pair of documents, given its strength (formulas.md §7.2)."""
    work, kept = 10 * (len(left) + len(risks)), np.empty(len(left))
    keep = fast(_keep, work)
    in_parts(lambda a, b: keep(left, right, strength, risks, kept, a, b), len(left), work)
    return kept


@kernel
def _keep(
    left: Any, right: Any, strength: Any, risks: Any, kept: Any, first: int, last: int
) -> None:  # fmt: skip
    for k in range(first, last):
        kept[k] = 1.0 - hop_risk(strength[k], risks[left[k]], risks[right[k]])


@kernel
def find_rows(
    rows: Rows, documents: Any, batch: Any, n: int, begin: Any, end: Any, touched: Any
) -> None:  # fmt: skip
    """Find where the documents numbered by `batch[:n]` have their rows, and touch each.

    The rows lie anywhere in memory. No read here depends on another one, so the processor fetches
    them in parallel.
    """
    for q in range(n):
        d = documents[batch[q]]
        begin[q], end[q] = rows.start[d], rows.start[d + 1]
    for q in range(n):
        if begin[q] < end[q]:
            touched[q] = rows.entity[begin[q]] + rows.share[begin[q]]


@kernel
def load_shares(rows: Rows, own: Any, last: int, document: int) -> None:
    """Fill `own` with a document's shares by entity (−1 elsewhere), after clearing those of `last`.

    To look up each entity of one row is faster than to merge two rows.
    """
    if last >= 0:
        for k in range(rows.start[last], rows.start[last + 1]):
            own[rows.entity[k]] = -1.0
    for k in range(rows.start[document], rows.start[document + 1]):
        own[rows.entity[k]] = rows.share[k]
