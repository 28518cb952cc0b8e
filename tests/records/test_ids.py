"""Ids as one text against a list of them."""

from bisect import bisect_left

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.records.ids import Ids

LISTS = st.lists(st.text("0123456789abcdef", min_size=32, max_size=32), max_size=9)


@given(LISTS)
def test_ids_are_the_sequence_that_a_list_of_them_is(ids: list[str]) -> None:
    packed = Ids("".join(ids))
    assert list(packed) == ids
    assert len(packed) == len(ids)
    assert [packed[n - len(ids)] for n in range(len(ids))] == ids
    assert packed[1::2] == ids[1::2]
    assert [bisect_left(Ids("".join(sorted(ids))), one) for one in ids] == [
        bisect_left(sorted(ids), one) for one in ids
    ]
    with pytest.raises(IndexError):
        packed[len(ids)]


def test_ids_are_taken_in_the_order_asked_for() -> None:
    ids = [f"{n:032x}" for n in range(5)]
    assert list(Ids("".join(ids)).take(np.array([3, 0, 3]))) == [ids[3], ids[0], ids[3]]
    assert len(Ids("").take(np.zeros(0, dtype=np.int32))) == 0


@pytest.mark.parametrize("text", ["0" * 31, "é" * 32])
def test_a_text_that_is_no_ids_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="ids"):
        Ids(text)
