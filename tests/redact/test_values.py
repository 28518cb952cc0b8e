"""Which masked entity has a value: as a dict would say it, whatever the hashes are."""

import pickle
import string
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from linkmask.redact import value_index
from linkmask.redact.sweep import _counts
from linkmask.redact.value_index import NONE, SEVERAL, Values


def bearing(asked: list[str]) -> list[Any]:
    """Mentions with these values."""
    return [SimpleNamespace(value=value) for value in asked]


@given(st.lists(st.sampled_from("abcdefghij"), max_size=12))
def test_a_value_has_the_number_of_its_only_owner(owned: list[str]) -> None:
    asked = [*"abcdefghijkl", *owned]
    expected = [
        {0: NONE, 1: owned.index(one) if one in owned else NONE}.get(owned.count(one), SEVERAL)
        for one in asked
    ]
    known = Values(owned)
    assert known(bearing(asked)).tolist() == expected
    assert pickle.loads(pickle.dumps(known))(bearing(asked)).tolist() == expected


def test_hashes_that_want_one_place_get_different_ones(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(value_index, "hash", lambda text: 16 * int(text), raising=False)
    assert Values([str(n) for n in range(7)])(bearing([str(n) for n in range(9)])).tolist() == [
        0, 1, 2, 3, 4, 5, 6, NONE, NONE,
    ]  # fmt: skip


@given(st.text() | st.text(string.printable))
def test_letters_and_digits_are_counted_alike_in_every_script(text: str) -> None:
    """ASCII has a way of its own, for speed."""
    assert _counts(text) == (sum(map(str.isalpha, text)), sum(map(str.isdigit, text)))
