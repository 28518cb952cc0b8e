"""Sorts the rows of sparse matrices by counting, in linear time."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas.compiling import fast, kernel


@kernel
def row_starts(row: Any, n_rows: int) -> Any:
    """Return where each row begins in what is sorted by row, and one more: its length.

    `row` holds whole numbers below `n_rows`, in any order.
    """
    start = np.zeros(n_rows + 1, dtype=np.int64)
    for k in range(len(row)):
        start[row[k] + 1] += 1
    for r in range(n_rows):
        start[r + 1] += start[r]
    return start


def counts_of(column: Any, n: int) -> Any:
    """Return how often each whole number below `n` stands in a column."""
    return fast(_counts, len(column))(column, n)


@kernel
def _counts(column: Any, n: int) -> Any:
    counts = np.zeros(n, dtype=np.int32)
    for x in column:
        counts[x] += 1
    return counts


@kernel
def counting_order(key: Any, order: Any, n_keys: int) -> Any:
    """Return `order` rearranged so that `key[order]` ascends; ties stay as they stand.

    `key` holds whole numbers below `n_keys`. To sort by several keys, call it for each of them, the
    last one first.
    """
    begin = row_starts(key, n_keys)
    result = np.empty_like(order)
    for k in range(len(order)):
        c = key[order[k]]
        result[begin[c]] = order[k]
        begin[c] += 1
    return result


@kernel
def transpose(start: Any, column: Any, value: Any, n_columns: int) -> Any:
    """Return (begin, row, value) of a CSR matrix by column, rows ascending in each."""
    begin = row_starts(column, n_columns)
    row = np.empty(len(column), dtype=np.int32)
    turned = np.empty_like(value)
    after = begin[:-1].copy()
    for r in range(len(start) - 1):
        for k in range(start[r], start[r + 1]):
            to = after[column[k]]
            after[column[k]] += 1
            row[to], turned[to] = r, value[k]
    return begin, row, turned


@kernel
def sort_row(key: Any, value: Any, begin: int, end: int) -> None:
    """Sort `key[begin:end]` ascending, `value` along with it: Shell's sort.

    For short rows, as usual, this is an insertion sort; a long row costs less than its square.
    """
    gap = 1
    while gap < (end - begin) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(begin + gap, end):
            mine, with_it = key[k], value[k]
            to = k
            while to - gap >= begin and key[to - gap] > mine:
                key[to], value[to] = key[to - gap], value[to - gap]
                to -= gap
            key[to], value[to] = mine, with_it
        gap //= 3


@kernel
def sort_rows(start: Any, key: Any, value: Any, first: int, last: int) -> None:
    """Sort the rows in [first, last) of a CSR matrix by `key`, `value` along with it."""
    for r in range(first, last):
        sort_row(key, value, start[r], start[r + 1])
