"""JSON is found in what models say around it."""

from __future__ import annotations

import contextlib
import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.errors import BadAnswer
from linkmask.llm.server_replies import json_in, tokens_of

VALUES = st.dictionaries(
    st.text(max_size=5),
    st.recursive(st.integers() | st.text(max_size=8), lambda v: st.lists(v, max_size=3)),
    max_size=3,
)


@settings(max_examples=100, deadline=None)
@given(VALUES, st.text(alphabet="ab \n.,:'`", max_size=20), st.text(max_size=20))
def test_any_object_is_found(value: dict[str, Any], before: str, after: str) -> None:
    """An object is found whatever brackets and quotes its texts hold, and whatever follows it."""
    assert json_in(before + json.dumps(value) + " " + after, "{") == value


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ('```json\n{"a": [1]}\n```', {"a": [1]}),
        ('<think>perhaps {"a": 1}?</think>{"a": 2}', {"a": 2}),
        ('In {braces}, here: {"a": 1}', {"a": 1}),
        ('An open { and then {"a": 1}', {"a": 1}),
        ('{"a": "}"} {"a": 2}', {"a": "}"}),
        ('[1] {"a": 1}', {"a": 1}),
    ],
)
def test_around_it(said: str, value: Any) -> None:
    """Fences, thoughts, brackets in prose and a second answer are passed over."""
    assert json_in(said, "{") == value


@pytest.mark.parametrize(
    "said", ["", "no", "{", '{"a": 1', '{"a": 1]', "{a: 1}", '{"a": NaN}', '{"a": "\\ud800"}']
)
def test_no_json(said: str) -> None:
    """What is no JSON, or can't be written as text, is a bad answer."""
    with pytest.raises(BadAnswer):
        json_in(said, "{")


@pytest.mark.parametrize("unit", ["{", "[{", '{"', '{"a":', "{}x", '"\\', "[]", '{"a":"'])
def test_hostile_answers_are_linear(unit: str) -> None:
    """Eight times the answer is about eight times the work; a quadratic search takes 64 times."""

    def work(size: int) -> float:
        start = process_time()
        with contextlib.suppress(BadAnswer):
            json_in("x" + unit * (size // len(unit)))
        return process_time() - start

    assert work(40_000) < 24 * work(5_000) + 0.05


def test_token_counts() -> None:
    """Counts are taken where they are whole numbers, and never negative."""
    assert tokens_of({"usage": {"prompt_tokens": 5, "completion_tokens": -2}}) == (5, 0)
    assert tokens_of({"usage": {"prompt_tokens": "5"}}) is None
    assert tokens_of({}) is None
