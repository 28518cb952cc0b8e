"""A document is its fields: each has a name and a text of its own, and is replaced by name."""

import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from linkmask.records import Document

TEXTS = st.text(st.sampled_from("aB é\u0301İß\r\n😀1."), max_size=30)
KEYS = st.text("a/~10", max_size=3)
TREES = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
)


def test_only_the_fields_that_are_named_are_replaced() -> None:
    tree = {"a": ["x", {"b": 1, "c": None}], "d": True}
    document = Document("d", "text", tree, others=tree)
    new = document.with_fields({"metadata/a/1/b": "y", "record/a/0": "z"})
    assert new.content == "text"
    assert new.metadata == {"a": ["x", {"b": "y", "c": None}], "d": True}
    assert new.others == {"a": ["z", {"b": 1, "c": None}], "d": True}
    assert document.with_fields({}) is document


@given(st.dictionaries(KEYS, TREES, max_size=3), st.dictionaries(KEYS, TREES, max_size=3))
def test_every_field_is_replaced_by_its_own_text(
    metadata: dict[str, object], others: dict[str, object]
) -> None:
    """Also where keys hold slashes: no two fields bear one name."""
    document = Document("d", "", metadata, others=others)
    fields = list(document.fields())
    assert len(dict(fields)) == len(fields)
    other = {name: f"{n}" for n, (name, _) in enumerate(fields)}
    assert list(document.with_fields(other).fields()) == list(other.items())


def test_numbers_are_fields_and_truth_values_are_not() -> None:
    document = Document("d", "x", {"n": 1.5, "yes": True, "no": None}, others={"k": 3})
    assert dict(document.fields()) == {"content": "x", "metadata/n": "1.5", "record/k": "3"}


def test_excluded_fields_are_not_searched_and_stay_fields() -> None:
    document = Document("d", "x", others={"a": "1", "b": "2"}, excluded=frozenset({"record/a"}))
    assert dict(document.fields()) == {"content": "x", "record/b": "2"}
    assert "record/a" in dict(document.every_field())


def test_a_record_is_gone_over_once_for_its_fields_and_travels_without_them() -> None:
    """A job asks for them a dozen times; a worker that is sent the document makes its own."""

    class Counted(dict[str, object]):
        asked = 0

        def items(self) -> Any:
            Counted.asked += 1
            return super().items()

    document = Document("d", "Text.", Counted(a=1, b="x"))
    fields = list(document.fields())
    assert fields == list(document.fields()) == list(document.every_field())
    assert Counted.asked == 1
    plain = Document("d", "Text.", {"a": 1, "b": "x"})
    alone = pickle.dumps(plain)
    assert list(plain.fields()) == fields
    assert pickle.dumps(plain) == alone
    assert list(pickle.loads(alone).fields()) == fields
