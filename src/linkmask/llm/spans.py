"""Asks a detector's server for spans: Presidio's analyzer, or a GLiNER server as NeMo speaks to it.

Nothing is sent but to the address that the user named, without proxies and redirects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from linkmask.errors import BadAnswer, ModelUnavailable, NoAnswer, SettingsError

SECONDS = 120
"""How long an answer may take."""
LEAST = 0.3
"""Score from which on a span is asked for."""
WINDOW, OVERLAP = 20_000, 500
"""Characters that are sent at once, and by how many parts of a long text overlap."""


class ServerSpan(NamedTuple):
    """A span `[start, end)` of a text with the server's label and its score in [0, 1]."""

    start: int
    end: int
    label: str
    score: float


Ask = Callable[[str, str], list[ServerSpan]]
"""From a text and its language to the spans that a server sees in it."""


def connect_detector(url: str) -> Ask:
    """Return what asks the server at an address; a path that ends in `extract` is GLiNER's form.

    A long text is sent in overlapping parts, so that no value is cut at the end of one.

    Raises:
        SettingsError: it is no http or https address.
    """
    import httpx

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(
            "this is no address of a detector's server, such as http://127.0.0.1:5002/analyze"
        )
    form = _Gliner if parts.path.rstrip("/").endswith("extract") else _Presidio
    client = httpx.Client(timeout=SECONDS, trust_env=False, follow_redirects=False)

    def ask(text: str, language: str) -> list[ServerSpan]:
        found: set[ServerSpan] = set()
        for begin, part in windows(text):
            for one in form.spans(part, _sent(client, url, form.request(part, language))):
                if not 0 <= one.start < one.end <= len(part):
                    raise BadAnswer("the detector's server names a span outside of its text")
                found.add(one._replace(start=one.start + begin, end=one.end + begin))
        return sorted(found)

    return ask


def windows(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text with their begin; together they hold all of it."""
    begin = 0
    while True:
        yield begin, text[begin : begin + WINDOW]
        if begin + WINDOW >= len(text):
            return
        begin += WINDOW - OVERLAP


def _sent(client: Any, url: str, body: Mapping[str, Any]) -> Any:
    """Return the answer of a server to a request.

    Raises:
        ModelUnavailable: the server is not there.
        NoAnswer: it answers with an error, or with what is no JSON.
    """
    import httpx

    try:
        answer = client.post(url, json=dict(body))
    except httpx.HTTPError as error:
        raise ModelUnavailable(
            f"the detector's server does not answer ({type(error).__name__})"
        ) from None
    if answer.status_code != 200:
        raise NoAnswer(f"the detector's server answers with status {answer.status_code}")
    try:
        return answer.json()
    except ValueError:
        raise BadAnswer("the detector's server answers with what is no JSON") from None


class _Presidio:
    """POST /analyze of Presidio's analyzer (offsets are code points)."""

    @staticmethod
    def request(text: str, language: str) -> dict[str, Any]:
        return {"text": text, "language": language, "score_threshold": LEAST}

    @staticmethod
    def spans(text: str, answer: Any) -> Iterator[ServerSpan]:
        for one in _rows(answer):
            yield _span(one, "start", "end", "entity_type")


class _Gliner:
    """The GLiNER server of NeMo Guardrails (`…/v1/extract`)."""

    @staticmethod
    def request(text: str, language: str) -> dict[str, Any]:
        return {
            "text": text, "threshold": LEAST, "chunk_length": 384, "overlap": 128,
            "flat_ner": True,
        }  # fmt: skip

    @staticmethod
    def spans(text: str, answer: Any) -> Iterator[ServerSpan]:
        for one in _rows(answer.get("entities") if isinstance(answer, dict) else None):
            span = _span(one, "start_position", "end_position", "suggested_label")
            if text[span.start : span.end] != one.get("value"):
                raise BadAnswer("the detector's server names a span that does not hold its value")
            yield span


def _rows(answer: Any) -> list[Any]:
    if not isinstance(answer, list) or not all(isinstance(one, dict) for one in answer):
        raise BadAnswer("the detector's server answers with no list of entities")
    return answer


def _span(one: Mapping[str, Any], start: str, end: str, label: str) -> ServerSpan:
    try:
        return ServerSpan(
            int(one[start]), int(one[end]), str(one[label]), float(one.get("score") or 0)
        )
    except (KeyError, TypeError, ValueError):
        raise BadAnswer("the detector's server leaves out a span's offsets or label") from None
