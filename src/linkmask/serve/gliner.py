"""Answers as NeMo Guardrails' GLiNER server: `/v1/extract` and `/v1/labels`."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from linkmask.schema import words
from linkmask.serve.service import Query, Reply, Route, Service, as_json
from linkmask.serve.work import FoundSpan

THRESHOLD = 0.5
"""Least score where a request names none, as NeMo's server has it."""


class ExtractBody(msgspec.Struct):
    """A text and the labels that are looked for; linkmask itself decides how the text is cut."""

    text: str
    labels: list[str] | None = None
    threshold: float | None = None
    chunk_length: int | None = None
    overlap: int | None = None
    flat_ner: bool | None = None


class EntityAnswer(msgspec.Struct):
    """A span `[start_position, end_position)` of the text."""

    value: str
    suggested_label: str
    start_position: int
    end_position: int
    score: float


class ExtractAnswer(msgspec.Struct):
    """All spans, and the text with `[value](label)` in their places."""

    entities: list[EntityAnswer]
    total_entities: int
    tagged_text: str


class LabelsAnswer(msgspec.Struct):
    """The labels that are reported where a request names none."""

    labels: list[str]
    count: int


async def extract(service: Service, body: ExtractBody, query: Query) -> Reply:
    """Return each span of a text, also where a value stands several times."""
    found: list[list[FoundSpan]] = await service.work("find", [body.text])
    labels = _labels(service.pool.facts.types, body.labels)
    least = body.threshold or THRESHOLD
    entities = [
        EntityAnswer(
            body.text[one.start : one.end], labels[one.type], one.start, one.end, one.score
        )
        for one in found[0]
        if one.type in labels and one.score >= least
    ]
    service.metrics.worked(1, (one.type for one in found[0]))
    return as_json(ExtractAnswer(entities, len(entities), _tagged(body.text, entities)))


def _labels(types: Sequence[str], asked: Sequence[str] | None) -> dict[str, str]:
    """Return the label of each type that is reported; of several labels of one type the first.

    A label that belongs to no type is not reported.
    """
    if not asked:
        return {name: name.lower() for name in types}
    table = words("labels_of_others")["types"]
    labels: dict[str, str] = {}
    for label in asked:
        name = label.strip().upper().replace(" ", "_").replace("-", "_")
        labels.setdefault(name if name in types else table.get(name, ""), label)
    return labels


def _tagged(text: str, entities: Sequence[EntityAnswer]) -> str:
    pieces, begin = [], 0
    for one in entities:
        pieces.append(text[begin : one.start_position])
        pieces.append(f"[{one.value}]({one.suggested_label})")
        begin = one.end_position
    return "".join([*pieces, text[begin:]])


async def labels(service: Service, body: None, query: Query) -> Reply:
    """List the labels."""
    names = list(_labels(service.pool.facts.types, None).values())
    return as_json(LabelsAnswer(names, len(names)))


ROUTES = (
    Route("POST", "/v1/extract", extract, "NeMo: find spans", ExtractBody, ExtractAnswer),
    Route("GET", "/v1/labels", labels, "NeMo: labels", answer=LabelsAnswer),
)
