"""A value passes exactly where it meets its JSON Schema."""

from __future__ import annotations

from typing import Any

import pytest

from linkmask.llm.shape import checker

PAIR = {
    "type": "array",
    "prefixItems": [{"type": "string"}, {"type": "number", "minimum": 0, "maximum": 1}],
    "items": False,
    "minItems": 2,
}
TABLE: list[tuple[dict[str, Any], list[Any], list[Any]]] = [
    ({"type": "integer"}, [1, -2, 3.0], [1.5, True, "1", None, [1]]),
    ({"type": "number"}, [1, 1.5], [True, "1"]),
    ({"type": ["string", "null"]}, ["", None], [0, False]),
    ({"type": "boolean"}, [True], [1, "true"]),
    ({"enum": ["a", 1, None]}, ["a", 1, None], ["b", True, 1.0, "1"]),
    ({"const": "a"}, ["a"], ["A", ["a"]]),
    ({"type": "string", "minLength": 1, "maxLength": 3}, ["a", "äöü"], ["", "abcd"]),
    ({"pattern": "^[a-z]+$"}, ["abc", 5], ["a1", ""]),
    ({"minimum": 0, "exclusiveMaximum": 1}, [0, 0.5, "x"], [-1, 1]),
    ({"maximum": 1, "exclusiveMinimum": 0}, [1, 0.5], [0, 2]),
    ({"type": "array", "items": {"type": "string"}}, [[], ["a"]], [["a", 1], {}]),
    ({"maxItems": 2}, [[1, 1], "abc"], [[1, 1, 1]]),
    (PAIR, [["a", 0.5]], [["a"], ["a", 2], ["a", 0.5, 1], [1, 1], {}]),
    ({"anyOf": [{"type": "string"}, PAIR]}, ["a", ["a", 1]], [1, ["a", 7]]),
    (
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        [{"a": ""}, {"a": "", "b": 1}],
        [{}, {"a": 1}, [], "a"],
    ),
    ({"properties": {"a": {}}, "additionalProperties": False}, [{}, {"a": 1}], [{"b": 1}]),
    ({"additionalProperties": {"type": "integer"}}, [{"x": 1}], [{"x": "1"}]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "fit", "unfit"), TABLE, ids=lambda v: str(v)[:40])
def test_hits_and_misses(schema: dict[str, Any], fit: list[Any], unfit: list[Any]) -> None:
    """Each word of a schema lets by what it should, and nothing else."""
    check = checker(schema)
    assert [check(value) for value in fit] == [""] * len(fit)
    assert all(check(value) for value in unfit)


def test_unknown_words_are_refused() -> None:
    """A schema that promises what nobody checks is an error of its author."""
    with pytest.raises(ValueError, match="uniqueItems"):
        checker({"type": "array", "items": {"type": "array", "uniqueItems": True}})


def test_complaints_hold_no_value() -> None:
    """A complaint names the place and the rule; names that the schema doesn't know are values."""
    check = checker({"properties": {"a": {"maxLength": 3}}, "additionalProperties": False})
    assert check({"a": "Quist"}) == "/a: maxLength"
    assert check({"Quist": 1}) == "/?: additionalProperties"
