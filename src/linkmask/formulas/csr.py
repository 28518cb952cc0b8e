"""Counting sorts: how rows of a sparse matrix are put in order, in linear time."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas.compiling import kernel


@kernel
def counting_order(key: Any, order: Any, n_keys: int) -> Any:
    """Return `order` rearranged so that `key[order]` ascends; ties stay as they stand.

    `key` holds whole numbers below `n_keys`. From the last key to the first, it sorts by many.
    """
    begin = np.zeros(n_keys + 1, dtype=np.int64)
    for k in range(len(key)):
        begin[key[k] + 1] += 1
    for c in range(n_keys):
        begin[c + 1] += begin[c]
    result = np.empty_like(order)
    for k in range(len(order)):
        c = key[order[k]]
        result[begin[c]] = order[k]
        begin[c] += 1
    return result


@kernel
def transpose(start: Any, column: Any, n_columns: int) -> Any:
    """Return (begin, row, position) of a CSR matrix by column, rows ascending in each.

    `position[k]` is where the k-th entry stands in the original order.
    """
    begin = np.zeros(n_columns + 1, dtype=np.int64)
    for k in range(len(column)):
        begin[column[k] + 1] += 1
    for c in range(n_columns):
        begin[c + 1] += begin[c]
    row = np.empty(len(column), dtype=np.int32)
    position = np.empty(len(column), dtype=np.int64)
    after = begin[:-1].copy()
    for r in range(len(start) - 1):
        for k in range(start[r], start[r + 1]):
            to = after[column[k]]
            after[column[k]] += 1
            row[to] = r
            position[to] = k
    return begin, row, position
