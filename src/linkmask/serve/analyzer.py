"""Answers as Presidio's analyzer (2.2.366): `/analyze` and the lists of what it supports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from linkmask.schema.presidio import FLAGS
from linkmask.serve.adhoc import AdHoc, Hit, InvalidRecognizer, parse, pattern_of
from linkmask.serve.presidio_names import name_of, supported
from linkmask.serve.service import HttpError, Query, Reply, Route, Service, as_json
from linkmask.serve.work import FoundSpan

NOTHING_FINDS = "No matching recognizers were found to serve the request."
NO_MATCH = "allow_list_match must either be set to 'exact' or 'regex'."


class Pattern(msgspec.Struct):
    """A pattern of an ad-hoc recognizer."""

    name: str
    regex: str
    score: float


class Recognizer(msgspec.Struct):
    """An ad-hoc recognizer."""

    supported_entity: str
    name: str | None = None
    supported_language: str | None = None
    patterns: list[Pattern] = []
    deny_list: list[str] = []
    context: list[str] = []


class AnalyzeBody(msgspec.Struct):
    """A text or a list of texts, and what is looked for in it."""

    text: str | list[str]
    language: str
    entities: list[str] | None = None
    score_threshold: float | None = None
    correlation_id: str | None = None
    return_decision_process: bool | None = None
    ad_hoc_recognizers: list[Recognizer] | None = None
    context: list[str] | None = None
    allow_list: list[str] | None = None
    allow_list_match: str | None = None
    regex_flags: int | None = None


class Explanation(msgspec.Struct):
    """What found a span."""

    original_score: float
    pattern: str | None
    pattern_name: str | None
    recognizer: str
    regex_flags: int | None
    score: float
    score_context_improvement: float
    supportive_context_word: str
    textual_explanation: str | None
    validation_result: bool | None = None


class AnalyzerResult(msgspec.Struct):
    """A span `[start, end)` of the text; offsets count code points."""

    analysis_explanation: Explanation | None
    end: int
    entity_type: str
    score: float
    start: int


class AnalyzeRequest(msgspec.Struct):
    """What a request asks for, checked."""

    entities: frozenset[str] | None
    every: bool
    least: float
    explained: bool
    recognizers: list[AdHoc]
    allowed: frozenset[str]
    pattern: re.Pattern[str] | None


async def analyze(service: Service, body: Any, query: Query) -> Reply:
    """Return what is found in a text, or in each of a list of texts."""
    if not isinstance(body, dict):
        raise HttpError(400, f"{FAILED} The request must be an object")
    text = body.get("text")
    if not text:
        raise HttpError(500, "No text provided")
    texts = text if isinstance(text, list) else [text]
    if not all(isinstance(one, str) for one in texts):
        raise HttpError(400, f"{FAILED} text must be a string or a list of strings")
    language = body.get("language")
    if not language:
        raise HttpError(500, "No language provided")
    _check_language(service, language)
    try:
        asked = _request_of(body, service.all_types)
    except InvalidRecognizer as wrong:
        message = f"{FAILED} {wrong}" if wrong.status == 400 else str(wrong)
        raise HttpError(wrong.status, message) from None
    _check_entities(service, asked)
    found: list[list[FoundSpan]] = await service.work("find", texts)
    hits: list[list[Hit]] = [[]] * len(texts)
    if asked.recognizers:
        hits = await service.work("search", texts, asked.recognizers)
    results = [_results(*each, asked) for each in zip(texts, found, hits, strict=True)]
    service.metrics.worked(
        len(texts), (one.entity_type for each in results for one in each if _is_ours(one, asked))
    )
    return as_json(results if isinstance(text, list) else results[0])


FAILED = "Failed to parse /analyze request for AnalyzerEngine.analyze()."


def _is_ours(one: AnalyzerResult, asked: AnalyzeRequest) -> bool:
    """Tell whether a result's type is a name of ours, and no text that the request brought."""
    return all(one.entity_type != each.entity for each in asked.recognizers)


def _check_language(service: Service, language: Any) -> None:
    """Refuse a language that detection does not know; it determines that of a text itself.

    Raises:
        HttpError: it does not know it.
    """
    if language not in service.pool.facts.languages:
        raise HttpError(500, NOTHING_FINDS)


def _check_entities(service: Service, asked: AnalyzeRequest) -> None:
    """Refuse a request if all of its entities are unknown, since "nothing found" would mislead.

    Raises:
        HttpError: nothing finds any of them.
    """
    known = {*supported(service.pool.facts.types), *(one.entity for one in asked.recognizers)}
    if asked.entities is not None and not asked.entities & known:
        raise HttpError(500, NOTHING_FINDS)


def _request_of(body: dict[str, Any], every: bool) -> AnalyzeRequest:
    """Return what a request asks for.

    Raises:
        InvalidRecognizer: a part of it has another form.
    """
    least = body.get("score_threshold")
    if least is not None and (isinstance(least, bool) or not isinstance(least, int | float)):
        raise InvalidRecognizer("score_threshold must be a number")
    flags = body.get("regex_flags")
    if flags is not None and (isinstance(flags, bool) or not isinstance(flags, int)):
        raise InvalidRecognizer("regex_flags must be a number")
    flags = FLAGS if flags is None else flags
    entities, allowed = _strings(body, "entities"), _strings(body, "allow_list")
    _strings(body, "context")
    match = body.get("allow_list_match") or "exact"
    if match not in ("exact", "regex"):
        raise InvalidRecognizer(NO_MATCH, 500)
    given = body.get("ad_hoc_recognizers")
    return AnalyzeRequest(
        frozenset(entities) if entities else None,
        every,
        float(least or 0.0),
        bool(body.get("return_decision_process")),
        parse(given, body["language"]) if given else [],
        frozenset(allowed) if match == "exact" else frozenset(),
        pattern_of(allowed, flags) if allowed and match == "regex" else None,
    )


def _strings(body: dict[str, Any], key: str) -> list[str]:
    value = body.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InvalidRecognizer(f"{key} must be a list of strings")
    return value


def _results(
    text: str, found: Sequence[FoundSpan], hits: Sequence[Hit], asked: AnalyzeRequest
) -> list[AnalyzerResult]:
    """Return the requested spans of a text; best scores first, as Presidio does."""
    results = [
        _result(one, name, asked.explained)
        for one in found
        if (name := name_of(one, asked.entities, asked.every)) is not None
    ]
    for hit in hits:
        recognizer = asked.recognizers[hit.number]
        if asked.entities is None or recognizer.entity in asked.entities:
            results.append(_result_of_hit(hit, recognizer, asked.explained))
    kept = [one for one in results if one.score >= asked.least and not _allowed(text, one, asked)]
    return sorted(_without_held(kept), key=lambda one: (-one.score, one.start, -one.end))


def _without_held(results: list[AnalyzerResult]) -> list[AnalyzerResult]:
    """Leave out results within another of the same type that scores as much or more."""
    ordered = sorted(results, key=lambda one: (one.start, -one.end, -one.score, one.entity_type))
    kept: list[AnalyzerResult] = []
    for one in ordered:
        if not any(_holds(each, one) for each in kept):
            kept.append(one)
    return kept


def _allowed(text: str, one: AnalyzerResult, asked: AnalyzeRequest) -> bool:
    value = text[one.start : one.end]
    return value in asked.allowed or bool(asked.pattern and asked.pattern.search(value))


def _holds(outer: AnalyzerResult, inner: AnalyzerResult) -> bool:
    """Tell whether a result that begins no later makes another one superfluous."""
    return (
        outer.entity_type == inner.entity_type
        and inner.end <= outer.end
        and inner.score <= outer.score
    )


def _result(one: FoundSpan, name: str, explained: bool) -> AnalyzerResult:
    why = None
    if explained:
        why = Explanation(
            one.score, None, one.rule or None, one.detector, None, one.score, 0, "", None
        )
    return AnalyzerResult(why, one.end, name, one.score, one.start)


def _result_of_hit(hit: Hit, recognizer: AdHoc, explained: bool) -> AnalyzerResult:
    why = None
    if explained:
        before = recognizer.row.score
        why = Explanation(
            before, recognizer.pattern or None, recognizer.pattern_name, recognizer.name,
            recognizer.flags, hit.score, hit.score - before, hit.word, None,
        )  # fmt: skip
    return AnalyzerResult(why, hit.end, recognizer.entity, hit.score, hit.start)


async def recognizers(service: Service, body: Any, query: Query) -> Reply:
    """List what finds spans."""
    _check_query(service, query)
    return as_json(list(service.pool.facts.detectors))


async def entities(service: Service, body: Any, query: Query) -> Reply:
    """List the names that a request may ask for."""
    _check_query(service, query)
    return as_json(supported(service.pool.facts.types))


def _check_query(service: Service, query: Query) -> None:
    if "language" in query:
        _check_language(service, query["language"])


async def health(service: Service, body: Any, query: Query) -> Reply:
    """Tell that the service is up."""
    return Reply(b"linkmask (Presidio-compatible) service is up", kind="text/html; charset=utf-8")


ROUTES = (
    Route(
        "POST", "/analyze", analyze, "Presidio: find spans", Any,
        list[AnalyzerResult | list[AnalyzerResult]],
        shown=AnalyzeBody,
    ),
    Route("GET", "/recognizers", recognizers, "Presidio: what finds spans", answer=list[str]),
    Route("GET", "/supportedentities", entities, "Presidio: names of types", answer=list[str]),
    Route("GET", "/health", health, "Presidio: whether it is up", answer=str, open=True),
)  # fmt: skip
