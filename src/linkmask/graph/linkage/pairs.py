"""Loops over many pairs of texts: finds those that share terms, and sums their features.

Pairs are two columns of numbers of texts, `left` < `right`, sorted by left and then by right.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas import fast, in_parts, kernel
from linkmask.formulas.csr import counting_order, row_starts
from linkmask.records import Floats, Ints

AS_ONE = 16
"""Steps of an inner loop here that take as long, not compiled, as other loops do for a mention."""


class Sides(NamedTuple):
    """Where the pairs of each text are.

    Text t is the left one of pairs `left[t]` to `left[t + 1]` (the last excluded), and the right
    one of the pairs that `order[right[t]:right[t + 1]]` numbers.
    """

    left: Ints
    right: Ints
    order: Ints


def sides_of(left: Ints, right: Ints, n: int) -> Sides:
    """Return where the pairs of each of `n` texts are."""
    starts, by_key = fast(row_starts, len(left)), fast(counting_order, len(left))
    order = by_key(right, np.arange(len(right), dtype=np.int32), n)
    return Sides(starts(left, n), starts(right, n), order)


def usual_of(score: Floats, sides: Sides, near: int) -> Floats:
    """Return for each text the mean of its `near` largest scores, 0 where it has no pair."""
    usual = np.zeros(len(sides.left) - 1)
    loop = fast(_usual, len(score))
    in_parts(lambda a, b: loop(score, sides, near, usual, a, b), len(usual), len(score))
    return usual


@kernel
def _usual(score: Any, sides: Sides, near: int, usual: Any, first: int, last: int) -> None:
    largest = np.empty(near)  # falling
    for text in range(first, last):
        own = sides.left[text + 1] - sides.left[text]
        pairs = own + sides.right[text + 1] - sides.right[text]
        held = 0
        for k in range(pairs):
            pair = sides.left[text] + k if k < own else sides.order[sides.right[text] + k - own]
            mine = score[pair]
            if held == near:
                if mine <= largest[near - 1]:
                    continue
                held -= 1
            to = held
            while to > 0 and largest[to - 1] < mine:
                largest[to] = largest[to - 1]
                to -= 1
            largest[to] = mine
            held += 1
        if held > 0:
            total = 0.0
            for k in range(held):
                total += largest[k]
            usual[text] = total / held


def products(rows: Any, left: Ints, right: Ints) -> Floats:
    """Return the product of two rows of a sparse matrix for each pair."""
    total = np.empty(len(left))
    steps = int(np.diff(rows.indptr)[right].sum())
    work = steps // AS_ONE
    loop = fast(_products, work)
    arrays = rows.indptr, rows.indices, rows.data, rows.shape[1]
    in_parts(lambda a, b: loop(*arrays, left[a:b], right[a:b], total[a:b]), len(left), work)
    return total


@kernel
def _products(
    start: Any, column: Any, value: Any, columns: int, left: Any, right: Any, total: Any
) -> None:  # fmt: skip
    own = np.zeros(columns)
    held = -1
    for pair in range(len(left)):
        if left[pair] != held:
            if held >= 0:
                for k in range(start[held], start[held + 1]):
                    own[column[k]] = 0.0
            held = left[pair]
            for k in range(start[held], start[held + 1]):
                own[column[k]] = value[k]
        summed = 0.0
        for k in range(start[right[pair]], start[right[pair] + 1]):
            summed += own[column[k]] * value[k]
        total[pair] = summed


def days_apart(start: Ints, day: Ints, left: Ints, right: Ints) -> Floats:
    """Return the days between the nearest two of each pair's dates, infinite where one has none.

    Args:
        start, day: the days of text t are `day[start[t]:start[t + 1]]`, ascending.
    """
    apart = np.empty(len(left))
    loop = fast(_days_apart, len(left))
    arrays = start, day
    in_parts(lambda a, b: loop(*arrays, left[a:b], right[a:b], apart[a:b]), len(left), len(left))
    return apart


@kernel
def _days_apart(start: Any, day: Any, left: Any, right: Any, apart: Any) -> None:
    for pair in range(len(left)):
        i, j = start[left[pair]], start[right[pair]]
        nearest = np.inf
        while i < start[left[pair] + 1] and j < start[right[pair] + 1]:
            nearest = min(nearest, float(abs(day[i] - day[j])))
            if day[i] < day[j]:
                i += 1
            else:
                j += 1
        apart[pair] = nearest


def nearest_texts(rows: Any, across: Any, weight: Floats, most: int) -> tuple[Ints, Ints]:
    """Return for each text those with which it shares the largest sums of weights.

    Args:
        rows, across: which text holds which term, and which term is held by which text: sparse
            matrices without values.
        weight: of each term, in fixed-point units, so that sums and ties are exact.
        most: texts to return for each, those of lower number where sums are equal.

    Returns:
        The text of each pair and its near one, by text and then by falling sum.
    """
    n, holders = rows.shape[0], np.diff(across.indptr).astype(np.int64)
    work = int((holders * holders).sum()) // AS_ONE
    near, held = np.empty((n, most), np.int32), np.zeros(n, np.int32)
    loop = fast(_nearest_texts, work)
    arrays = rows.indptr, rows.indices, across.indptr, across.indices, weight
    in_parts(lambda a, b: loop(*arrays, near, held, a, b), n, work)
    there = np.arange(most) < held[:, None]
    return np.repeat(np.arange(n, dtype=np.int32), held), near[there]


@kernel
def _nearest_texts(
    start: Any, term: Any, begin: Any, holder: Any, weight: Any,
    near: Any, held: Any, first: int, last: int,
) -> None:  # fmt: skip
    n, most = near.shape
    shared = np.zeros(n, np.int64)
    met = np.empty(n, np.int32)
    best = np.empty(most, np.int64)  # falling
    for text in range(first, last):
        some = 0
        for k in range(start[text], start[text + 1]):
            for at in range(begin[term[k]], begin[term[k] + 1]):
                other = holder[at]
                if shared[other] == 0:
                    met[some] = other
                    some += 1
                shared[other] += weight[term[k]]
        count = 0
        for k in range(some):
            other = met[k]
            mine = shared[other]
            shared[other] = 0
            if other == text:
                continue
            if count == most:
                worst = best[most - 1]
                if mine < worst or (mine == worst and other > near[text, most - 1]):
                    continue
                count -= 1
            to = count
            while to > 0 and (
                best[to - 1] < mine or (best[to - 1] == mine and near[text, to - 1] > other)
            ):
                best[to] = best[to - 1]
                near[text, to] = near[text, to - 1]
                to -= 1
            best[to] = mine
            near[text, to] = other
            count += 1
        held[text] = count
