"""Answers linkmask's own routes: mask, unmask, explain, metrics and health."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

from linkmask.errors import UsageError
from linkmask.masker import MaskedSpan, MaskedText
from linkmask.serve.service import HttpError, Query, Reply, Route, Service, as_json


class MaskBody(msgspec.Struct, forbid_unknown_fields=True):
    """Texts to mask, each by itself."""

    texts: list[str]


SPAN = """A span that was written over. Offsets count code points, `masked_…` in the masked text.

    `entity` is a label that is equal for equal entities; `known` tells whether the run holds it.
    """
SpanAnswer = msgspec.defstruct(
    "SpanAnswer", list(get_type_hints(MaskedSpan).items()), namespace={"__doc__": SPAN}
)
"""The members of `MaskedSpan`, which JSON would write as a list, as an object."""


class MaskAnswer(msgspec.Struct):
    """The masked texts, and the spans of each."""

    texts: list[str]
    spans: list[list[SpanAnswer]]  # type: ignore[valid-type]


class UnmaskBody(msgspec.Struct, forbid_unknown_fields=True):
    """Texts in which masks stand."""

    texts: list[str]


class UnmaskAnswer(msgspec.Struct):
    """The texts with originals in place of masks."""

    texts: list[str]


class ExplainBody(msgspec.Struct, forbid_unknown_fields=True):
    """One question: an entity (label, id or value), a document, two documents, or a person."""

    entity: str = ""
    document: str = ""
    pair: list[str] = []
    person: str = ""
    show_values: bool = False


class Readiness(msgspec.Struct):
    """Whether the service can answer."""

    status: str


async def mask(service: Service, body: MaskBody, query: Query) -> Reply:
    """Mask texts."""
    masked: list[MaskedText] = await service.work("mask", body.texts)
    service.metrics.worked(len(masked), (span.type for one in masked for span in one.spans))
    spans = [[SpanAnswer(*span) for span in one.spans] for one in masked]
    return as_json(MaskAnswer([one.text for one in masked], spans))


async def unmask(service: Service, body: UnmaskBody, query: Query) -> Reply:
    """Put originals back."""
    _may_show(service)
    return as_json(UnmaskAnswer(await service.work("unmask", body.texts)))


async def explain(service: Service, body: ExplainBody, query: Query) -> Reply:
    """Answer a question about the run."""
    if body.show_values:
        _may_show(service)
    asked = {name: value for name, value in msgspec.structs.asdict(body).items() if value}
    if len(asked.keys() - {"show_values"}) != 1:
        raise HttpError(422, "Ask about one thing: entity, document, pair or person")
    if len(body.pair) not in (0, 2):
        raise HttpError(422, "A pair is two documents")
    if not service.has_run:
        raise HttpError(409, WITHOUT_RUN)
    try:
        return as_json(await service.pool.do("explain", asked))
    except UsageError:  # its message may hold what was asked for
        raise HttpError(404, "The run holds nothing of this name, or several") from None


async def metrics(service: Service, body: Any, query: Query) -> Reply:
    """Give counts and durations."""
    page = service.metrics.page(service.pool.under_way)
    return Reply(page.encode(), kind="text/plain; version=0.0.4; charset=utf-8")


async def is_alive(service: Service, body: Any, query: Query) -> Reply:
    """Tell that the process answers."""
    return as_json(Readiness("alive"))


async def is_ready(service: Service, body: Any, query: Query) -> Reply:
    """Tell whether the workers are loaded."""
    return as_json(Readiness("ready")) if service.pool.ready else as_json(Readiness("loading"), 503)


WITHOUT_RUN = "This needs a run: start linkmask serve with --run"


def _may_show(service: Service) -> None:
    """Refuse what shows originals, unless it was switched on.

    Raises:
        HttpError: it was not.
    """
    if not service.has_run:
        raise HttpError(409, WITHOUT_RUN)
    if not service.originals:
        raise HttpError(403, "Originals are not given back: start linkmask serve with --originals")


ROUTES = (
    Route("POST", "/v1/mask", mask, "Mask texts", MaskBody, MaskAnswer),
    Route("POST", "/v1/unmask", unmask, "Put originals back", UnmaskBody, UnmaskAnswer),
    Route("POST", "/v1/explain", explain, "Explain the plan", ExplainBody, dict[str, Any]),
    Route("GET", "/v1/metrics", metrics, "Counts and durations", answer=str),
    Route("GET", "/healthz", is_alive, "Whether the process answers", answer=Readiness, open=True),
    Route("GET", "/readyz", is_ready, "Whether it can work", answer=Readiness, open=True),
)
