"""Answers as Presidio's anonymizer (2.2.366): `/anonymize`, `/deanonymize`, their operators."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from linkmask.serve.operators import ANONYMIZE, DEANONYMIZE, Direction, check_type, invalid, shown
from linkmask.serve.service import HttpError, Query, Reply, Route, Service, as_json


class OperatedSpan(msgspec.Struct):
    """A span `[start, end)` of a text that is operated on."""

    start: int
    end: int
    entity_type: str
    score: float | None = None


class WrittenItem(msgspec.Struct):
    """What was written: its span in the text that comes back."""

    start: int
    end: int
    entity_type: str
    text: str
    operator: str
    score: float | None


class Operated(msgspec.Struct):
    """A text after all operations; the last one comes first."""

    text: str
    items: list[WrittenItem]


class AnonymizeBody(msgspec.Struct):
    """A text and its spans, or a list of texts and a list of spans for each.

    `anonymizers` names an operator and its parameters by entity type, and DEFAULT's.
    """

    text: str | list[str]
    analyzer_results: list[OperatedSpan | list[OperatedSpan]]
    anonymizers: dict[str, dict[str, Any]] | None = None
    merge_entities_with_spaces: bool = True


class DeanonymizeBody(msgspec.Struct):
    """A text and its items, or a list of texts and a list of items for each."""

    text: str | list[str]
    deanonymizers: dict[str, dict[str, Any]]
    anonymizer_results: list[OperatedSpan | list[OperatedSpan]] | None = None


Operators = Mapping[str, Mapping[str, Any]]


async def anonymize(service: Service, body: Any, query: Query) -> Reply:
    """Write over the spans of a text, or of each of a list of texts."""
    operators = _operators(_checked(body), "anonymizers")
    if any(one["type"] == "custom" for one in operators.values()):
        raise HttpError(400, "Custom type anonymizer is not supported")
    merge = body.get("merge_entities_with_spaces", True)
    if not isinstance(merge, bool):
        raise invalid("Invalid parameter value for 'merge_entities_with_spaces'.")
    operate = partial(_anonymized, operators=operators, merge=merge)
    return as_json(_each(service, body, "analyzer_results", operate))


async def deanonymize(service: Service, body: Any, query: Query) -> Reply:
    """Take back what was encrypted in a text, or in each of a list of texts."""
    operators = _operators(_checked(body), "deanonymizers")
    operate = partial(_deanonymized, operators=operators)
    return as_json(_each(service, body, "anonymizer_results", operate))


def _checked(body: Any) -> dict[str, Any]:
    if not body or not isinstance(body, dict):
        raise HttpError(400, "Invalid request json")
    return body


def _each(service: Service, body: dict[str, Any], key: str, operate: Any) -> Any:
    """Apply a function to a text, or to each text of a list."""
    text, results = body.get("text", ""), body.get(key)
    if isinstance(text, str):
        return operate(text, results)
    if not isinstance(text, list) or not all(isinstance(one, str) for one in text):
        raise invalid("Invalid parameter value for 'text'.")
    if len(text) > service.limits.texts:
        raise HttpError(413, f"A request may hold {service.limits.texts} texts")
    given = [None] * len(text) if results is None else results
    if not isinstance(given, list) or len(given) != len(text):
        number = len(given) if isinstance(given, list) else 1
        raise invalid(
            f"Invalid input, '{key}' must contain one list of results per item in 'text' when "
            f"'text' is a list ({len(text)} text items, {number} '{key}' items)"
        )
    return [operate(*each) for each in zip(text, given, strict=True)]


def _operators(body: dict[str, Any], key: str) -> Operators:
    """Return the operators of a request by entity type.

    Raises:
        HttpError: one has no name.
    """
    given = body.get(key)
    if given is None:
        return {}
    if not isinstance(given, dict) or not all(isinstance(one, dict) for one in given.values()):
        raise invalid(f"Invalid parameter value for '{key}'.")
    for one in given.values():
        if not one.get("type"):
            raise invalid("Invalid input, operator config must contain operator_name")
    return given


def _anonymized(text: str, results: Any, operators: Operators, merge: bool) -> Operated:
    if results is None:
        raise invalid("Invalid input, request must contain analyzer results")
    spans = _resolved(sorted(_spans(results, scored=True), key=lambda one: (one.start, one.end)))
    return _operated(text, _merged(text, spans) if merge else spans, operators, ANONYMIZE)


def _deanonymized(text: str, results: Any, operators: Operators) -> Operated:
    return _operated(text, _spans(results or [], scored=False), operators, DEANONYMIZE)


def _spans(results: Any, *, scored: bool) -> list[OperatedSpan]:
    """Return the spans of a request.

    Raises:
        HttpError: one has no start, end or type, or these can't be.
    """
    if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
        raise invalid("Invalid input, the results must be a list of objects")
    return [_span(one, scored) for one in results]


def _span(one: Mapping[str, Any], scored: bool) -> OperatedSpan:
    start, end, score = one.get("start"), one.get("end"), one.get("score")
    for name, value in (("start", start), ("end", end)):
        if value is None:
            raise invalid(f"Invalid input, result must contain {name}")
        check_type(value, name, int)
    entity = one.get("entity_type")
    if not entity:
        raise invalid("Invalid input, result must contain entity_type")
    check_type(entity, "entity_type", str)
    if not isinstance(start, int) or not isinstance(end, int) or start < 0 or end < 0:
        raise invalid("Invalid input, result start and end must be positive")
    if start > end:
        raise invalid(
            f"Invalid input, start index '{start}' must be smaller than end index '{end}'"
        )
    if scored and score is None:
        raise invalid("Invalid input, analyzer result must contain score")
    if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
        raise invalid("Invalid parameter value for 'score'.")
    return OperatedSpan(int(start), int(end), entity, score)


def _resolved(spans: Sequence[OperatedSpan]) -> list[OperatedSpan]:
    """Return spans of which none holds another, from spans in the order of the text.

    Overlapping ones of one type are united. Of equal spans the one with the highest score stays;
    of these the one that comes last, where a united one comes where its last part did.
    """
    current: dict[str, tuple[int, OperatedSpan]] = {}
    united: list[tuple[int, OperatedSpan]] = []
    for position, one in enumerate(spans):
        _, before = current.get(one.entity_type, (0, None))
        if before is not None and one.start < min(one.end, before.end):
            before.end = max(before.end, one.end)
            before.score = max(before.score or 0, one.score or 0)
            current[one.entity_type] = position, before
        else:
            if before is not None:
                united.append(current[one.entity_type])
            current[one.entity_type] = position, one
    united += current.values()
    united.sort(key=lambda each: (each[1].start, -each[1].end, each[1].score or 0, each[0]))
    kept: list[OperatedSpan] = []
    for _, one in united:
        if kept and (kept[-1].start, kept[-1].end) == (one.start, one.end):
            kept[-1] = one
        elif not kept or one.end > kept[-1].end:
            kept.append(one)
    return kept


def _merged(text: str, spans: Sequence[OperatedSpan]) -> list[OperatedSpan]:
    """Return spans of which no two of one type are parted by spaces alone."""
    merged: list[OperatedSpan] = []
    for one in spans:
        before = merged[-1] if merged else None
        same = before is not None and before.entity_type == one.entity_type
        if before is not None and same and re.fullmatch(" +", text[before.end : one.start]):
            merged.pop()
            one.start = before.start
        merged.append(one)
    return merged


def _operated(
    text: str, spans: Sequence[OperatedSpan], operators: Operators, direction: Direction
) -> Operated:
    """Return a text with its spans written over, from the last to the first.

    Where two spans overlap, the earlier one ends where the later one begins.
    """
    pieces: list[tuple[OperatedSpan, str, str]] = []
    begin, rest = len(text), [""]
    for one in sorted(spans, key=lambda one: (one.start, one.end), reverse=True):
        if one.start > len(text) or one.end > len(text):
            raise invalid(
                f"Invalid analyzer result, start: {one.start} and end: {one.end}, while text "
                f"length is only {len(text)}."
            )
        end = min(one.end, begin)
        name, given = _operator_for(one.entity_type, operators, direction)
        new = direction.operators[name](text[one.start : end], one.entity_type, given)
        rest += [text[end:begin], new]
        begin = one.start
        pieces.append((one, name, new))
    rest.append(text[:begin])
    whole = "".join(reversed(rest))
    return Operated(whole, _items(text, pieces))


def _items(text: str, pieces: Sequence[tuple[OperatedSpan, str, str]]) -> list[WrittenItem]:
    """Return what was written with its place in the new text, the last one first."""
    items, at, begin = [], 0, 0
    for span, name, new in reversed(pieces):
        at += max(span.start - begin, 0)
        items.append(WrittenItem(at, at + len(new), span.entity_type, new, name, span.score))
        at, begin = at + len(new), span.end
    return items[::-1]


def _operator_for(
    entity: str, operators: Operators, direction: Direction
) -> tuple[str, Mapping[str, Any]]:
    """Return the name and the parameters of the operator for a type.

    Raises:
        HttpError: there is none, or none of this name.
    """
    given = operators.get(entity) or operators.get("DEFAULT") or {"type": direction.default}
    name = given["type"]
    if not name:
        raise HttpError(500, "Internal server error")
    if not isinstance(name, str) or name not in direction.operators:
        raise invalid(f"Invalid operator class '{shown(name)}'.")
    return name, given


async def anonymizers(service: Service, body: Any, query: Query) -> Reply:
    """List the operators of `/anonymize`."""
    return as_json(list(ANONYMIZE.listed))


async def deanonymizers(service: Service, body: Any, query: Query) -> Reply:
    """List the operators of `/deanonymize`."""
    return as_json(list(DEANONYMIZE.listed))


ROUTES = (
    Route(
        "POST", "/anonymize", anonymize, "Presidio: write over spans", Any,
        Operated | list[Operated], shown=AnonymizeBody,
    ),
    Route(
        "POST", "/deanonymize", deanonymize, "Presidio: decrypt spans", Any,
        Operated | list[Operated], shown=DeanonymizeBody,
    ),
    Route("GET", "/anonymizers", anonymizers, "Presidio: operators", answer=list[str]),
    Route("GET", "/deanonymizers", deanonymizers, "Presidio: operators", answer=list[str]),
)  # fmt: skip
