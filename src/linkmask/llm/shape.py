"""Checks a value against the part of JSON Schema that structured answers need.

A server's promise of a schema is not enough: a broken byte becomes U+FFFD and a text is longer
than its `maxLength`, minimum and maximum are ignored, a format is accepted and not kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], str]
"""Returns "" for a value that fits, else the place and the rule that it breaks, without values."""

TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda v: type(v) is str,
    "number": lambda v: type(v) is float or type(v) is int,
    "integer": lambda v: type(v) is int or (type(v) is float and v.is_integer()),
    "boolean": lambda v: type(v) is bool,
    "object": lambda v: type(v) is dict,
    "array": lambda v: type(v) is list,
    "null": lambda v: v is None,
}
SILENT = {"title", "description", "$schema", "$id", "examples", "default"}


def checker(schema: Mapping[str, Any]) -> Check:
    """Compile a schema into a function that checks a parsed JSON value.

    Known words: type, enum, const, required, properties, additionalProperties, items, prefixItems,
    minItems, maxItems, minLength, maxLength, pattern (searched, as JSON Schema says), minimum,
    maximum, exclusiveMinimum, exclusiveMaximum, anyOf.

    Raises:
        ValueError: the schema holds another word: it would promise what nobody checks.
    """
    if unknown := set(schema) - set(RULES) - set(TOGETHER) - SILENT:
        raise ValueError(f"schema words that are not checked: {', '.join(sorted(unknown))}")
    checks = [RULES[word](schema[word]) for word in RULES if word in schema]
    if TOGETHER & set(schema):
        checks.append(_check_of_contents(schema))
    return _all(checks)


def _all(checks: list[Check]) -> Check:
    """Return the first complaint of several checks."""
    if not checks:
        return lambda v: ""
    first, *more = checks
    if not more:
        return first
    if len(more) == 1:
        (second,) = more
        return lambda v: first(v) or second(v)
    rest = _all(more)
    return lambda v: first(v) or rest(v)


def _type(wanted: Any) -> Check:
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    tests = [TYPES[name] for name in names]
    problem = f": not of type {' or '.join(names)}"
    if len(tests) == 1:
        test = tests[0]
        return lambda v: "" if test(v) else problem
    return lambda v: "" if any(test(v) for test in tests) else problem


def _enum(allowed: Any) -> Check:
    words = frozenset(word for word in allowed if isinstance(word, str))
    others = [word for word in allowed if not isinstance(word, str)]

    def check(value: Any) -> str:
        if type(value) is str:
            return "" if value in words else ": not one of enum"
        same = any(type(value) is type(other) and value == other for other in others)
        return "" if same else ": not one of enum"

    return check


def _any_of(schemas: Any) -> Check:
    checks = [checker(one) for one in schemas]
    return lambda v: "" if any(not check(v) for check in checks) else ": none of anyOf"


def _bound(word: str, kinds: tuple[type, ...], fits: Callable[[Any, Any], bool]) -> Any:
    def rule(bound: Any) -> Check:
        problem = f": {word}"
        return lambda v: problem if type(v) in kinds and not fits(v, bound) else ""

    return rule


def _pattern(pattern: str) -> Check:
    search = re.compile(pattern).search
    return lambda v: ": pattern" if type(v) is str and search(v) is None else ""


NUMBER, TEXT, LIST = (int, float), (str,), (list,)
RULES: dict[str, Callable[[Any], Check]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda value: _enum([value]),
    "anyOf": _any_of,
    "minLength": _bound("minLength", TEXT, lambda v, n: len(v) >= n),
    "maxLength": _bound("maxLength", TEXT, lambda v, n: len(v) <= n),
    "pattern": _pattern,
    "minimum": _bound("minimum", NUMBER, lambda v, n: v >= n),
    "maximum": _bound("maximum", NUMBER, lambda v, n: v <= n),
    "exclusiveMinimum": _bound("exclusiveMinimum", NUMBER, lambda v, n: v > n),
    "exclusiveMaximum": _bound("exclusiveMaximum", NUMBER, lambda v, n: v < n),
    "minItems": _bound("minItems", LIST, lambda v, n: len(v) >= n),
    "maxItems": _bound("maxItems", LIST, lambda v, n: len(v) <= n),
    "required": lambda names: (
        lambda v: ": required" if type(v) is dict and any(name not in v for name in names) else ""
    ),
}
"""Words that are checked each by itself, in this order: the type first."""

TOGETHER = {"properties", "additionalProperties", "items", "prefixItems"}


def _check_of_contents(schema: Mapping[str, Any]) -> Check:
    """Check what an object or array holds."""
    fields = {name: checker(one) for name, one in schema.get("properties", {}).items()}
    first = [checker(one) for one in schema.get("prefixItems", ())]
    other_field = _rest(schema.get("additionalProperties", True), ": additionalProperties")
    other_item = _rest(schema.get("items", True), ": items")

    def check(value: Any) -> str:
        if type(value) is list:
            for index, item in enumerate(value):
                of = first[index] if index < len(first) else other_item
                if of and (problem := of(item)):
                    return f"/{index}{problem}"
        elif type(value) is dict:
            for name, item in value.items():
                is_field = name in fields
                of = fields[name] if is_field else other_field
                if of and (problem := of(item)):
                    return f"/{name if is_field else '?'}{problem}"
        return ""

    return check


def _rest(schema: Any, problem: str) -> Check | None:
    """Return the check of members that are not named: `true` allows all, `false` allows none."""
    if schema is True:
        return None
    return (lambda v: problem) if schema is False else checker(schema)
