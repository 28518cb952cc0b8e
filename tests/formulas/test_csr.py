"""Sorting by counting gives what numpy's stable sort and scipy's matrices give."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from linkmask.formulas.csr import counting_order, row_starts, sort_row, sort_rows, transpose

COLUMNS = 9
KEYS = st.lists(st.integers(0, COLUMNS - 1), max_size=60)
ROWS = st.lists(st.lists(st.integers(0, COLUMNS - 1), max_size=50), max_size=6)


def matrix(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where rows begin, their keys, and a value for each key that tells it from all others."""
    start = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    key = np.array([one for row in rows for one in row], np.int32)
    return start, key, np.arange(1, len(key) + 1, dtype=np.float64)


@given(KEYS)
def test_rows_begin_where_smaller_numbers_end(row: list[int]) -> None:
    expected = [sum(one < r for one in row) for r in range(COLUMNS + 1)]
    assert row_starts(np.array(row, np.int32), COLUMNS).tolist() == expected


@given(KEYS, st.randoms(use_true_random=False))
def test_ties_stay_as_they_stand(key: list[int], random) -> None:
    order = list(range(len(key)))
    random.shuffle(order)
    found = counting_order(np.array(key, np.int32), np.array(order, np.int64), COLUMNS)
    assert found.tolist() == sorted(order, key=key.__getitem__)


@given(ROWS)
def test_a_matrix_is_turned_as_scipy_turns_it(rows: list[list[int]]) -> None:
    start, key, value = matrix([sorted(set(row)) for row in rows])
    shape = (len(rows), COLUMNS)
    turned = csr_array((value, key, start), shape=shape).T.tocsr()
    turned.sort_indices()
    begin, row, with_it = transpose(start, key, value, COLUMNS)
    assert begin.tolist() == turned.indptr.tolist()
    assert (row.tolist(), with_it.tolist()) == (turned.indices.tolist(), turned.data.tolist())


@given(ROWS, st.data())
def test_some_rows_are_sorted_with_their_values_and_others_stay(
    rows: list[list[int]], data: st.DataObject
) -> None:
    start, key, value = matrix(rows)
    first = data.draw(st.integers(0, len(rows)))
    last = data.draw(st.integers(first, len(rows)))
    before = dict(zip(value.tolist(), key.tolist(), strict=True))
    sort_rows(start, key, value, first, last)
    for r, row in enumerate(rows):
        found = key[start[r] : start[r + 1]].tolist()
        assert found == (sorted(row) if first <= r < last else row)
    assert dict(zip(value.tolist(), key.tolist(), strict=True)) == before


@given(st.lists(st.integers(-5, 5), min_size=40, max_size=200))
def test_a_long_row_is_sorted_and_what_lies_beside_it_is_not(row: list[int]) -> None:
    key, value = np.array(row), np.arange(len(row))
    sort_row(key, value, 5, len(row) - 5)
    assert key.tolist() == [*row[:5], *sorted(row[5:-5]), *row[-5:]]
    assert [row[at] for at in value.tolist()] == key.tolist()
