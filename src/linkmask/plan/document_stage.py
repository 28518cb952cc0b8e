"""Brings every document below θ_doc, one after another (formulas.md §8)."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    Rows,
    document_risk,
    document_risks_of,
    fast,
    kept_with,
    kernel,
    order_key,
    order_keys,
    reaches,
)
from linkmask.records import Flags, Floats, Ints


def mask_documents(
    rows: Rows, best: Floats, masked: Flags, settings: Settings
) -> tuple[Ints, Floats, Ints]:
    """Mask the largest contributors of each document until its risk lies below θ_doc.

    Entities rank by their global contribution, `best`, ties by their contribution to the document,
    then by id. An entity masked for one document is masked in all, and later documents start from
    there. Documents come in input order or, with `doc_order` "risk_desc", riskiest first.
    `masked` is updated in place.

    Returns:
        Entities in order of choice, the drop in risk each brought to its document, and the
        documents it was chosen for (always 1).

    References:
        formulas.md §8.
    """
    work = len(rows.entity)
    order = np.arange(len(rows.start) - 1)
    if settings.doc_order == "risk_desc":
        risks = document_risks_of(rows, masked)
        order = np.argsort(-order_keys(risks), kind="stable")
    rank = order_keys(best)
    chosen, gain = fast(_mask, work)(rows, masked, rank, order, settings.theta_doc)
    return chosen, gain, np.ones(len(chosen), dtype=np.int32)


@kernel
def _mask(rows: Rows, masked: Any, best: Any, order: Any, theta: float) -> tuple[Any, Any]:
    chosen = np.empty(len(masked), dtype=np.int32)
    gain = np.empty(len(masked))
    size = 0
    longest = 0
    for d in range(len(rows.start) - 1):
        longest = max(longest, rows.start[d + 1] - rows.start[d])
    held, rank = np.empty((2, longest), dtype=np.int64)
    clean = np.empty(longest + 1)  # clean[n]: 1 − R(d) when only held[:n] is left unmasked
    clean[0] = 1.0
    for d in order:
        if not reaches(document_risk(rows, masked, d), theta):
            continue
        n = 0
        for k in range(rows.start[d], rows.start[d + 1]):
            if not masked[rows.entity[k]]:
                held[n], rank[n] = k, best[rows.entity[k]]
                n += 1
        _sort(rows, rank, held, n)
        for m in range(n):
            clean[m + 1] = kept_with(clean[m], rows.share[held[m]])
        while n > 0 and reaches(1.0 - clean[n], theta):
            n -= 1
            chosen[size] = rows.entity[held[n]]
            gain[size] = clean[n] - clean[n + 1]
            masked[chosen[size]] = True
            size += 1
    return chosen[:size].copy(), gain[:size].copy()


@kernel
def _sort(rows: Rows, rank: Any, held: Any, n: int) -> None:
    """Sort `held[:n]`, mentions of one document, so that what is masked first comes last.

    `rank[i]` is the global contribution of `held[i]`, sorted along. Shell's sort, as in
    `formulas.csr.sort_row`.
    """
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, n):
            mine, own, to = held[k], rank[k], k
            while to >= gap and (
                rank[to - gap] > own
                or (rank[to - gap] == own and _before(rows, held[to - gap], mine))
            ):
                held[to], rank[to] = held[to - gap], rank[to - gap]
                to -= gap
            held[to], rank[to] = mine, own
        gap //= 3


@kernel
def _before(rows: Rows, a: int, b: int) -> bool:
    """Tell whether mention a is masked before b, of the same document and of equal rank."""
    c, d = order_key(rows.share[a]), order_key(rows.share[b])
    return c > d if c != d else bool(rows.entity[a] < rows.entity[b])
