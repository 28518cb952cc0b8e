"""Asks the server of another detector: Presidio's analyzer, or a GLiNER server of NeMo's form.

Texts are sent only to the address that the user named, without proxies and redirects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from linkmask.detect.other_detectors.spans import LEAST, DetectorSpan, OtherDetector, windows
from linkmask.errors import BadAnswer, ModelUnavailable, NoAnswer, SettingsError

SECONDS = 120
"""How long an answer may take."""


def connect_detector(url: str) -> OtherDetector:
    """Return the detector behind an address; a path that ends in `extract` has GLiNER's form.

    A long text is sent in overlapping parts, so that no value is cut at the end of one.

    Raises:
        SettingsError: the address is not one of http or https.
    """
    import httpx

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(
            "this is no address of a detector's server, such as http://127.0.0.1:5002/analyze"
        )
    form = _Gliner if parts.path.rstrip("/").endswith("extract") else _Presidio
    client = httpx.Client(timeout=SECONDS, trust_env=False, follow_redirects=False)

    def ask(text: str, language: str) -> list[DetectorSpan]:
        found: set[DetectorSpan] = set()
        for begin, part in windows(text):
            for one in form.spans(part, _sent(client, url, form.request(part, language))):
                if not 0 <= one.start < one.end <= len(part):
                    raise BadAnswer("the detector's server names a span outside of its text")
                found.add(one._replace(start=one.start + begin, end=one.end + begin))
        return sorted(found)

    return ask


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
    def spans(text: str, answer: Any) -> Iterator[DetectorSpan]:
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
    def spans(text: str, answer: Any) -> Iterator[DetectorSpan]:
        for one in _rows(answer.get("entities") if isinstance(answer, dict) else None):
            span = _span(one, "start_position", "end_position", "suggested_label")
            if text[span.start : span.end] != one.get("value"):
                raise BadAnswer("the detector's server names a span that does not hold its value")
            yield span


def _rows(answer: Any) -> list[Any]:
    if not isinstance(answer, list) or not all(isinstance(one, dict) for one in answer):
        raise BadAnswer("the detector's server answers with no list of entities")
    return answer


def _span(one: Mapping[str, Any], start: str, end: str, label: str) -> DetectorSpan:
    try:
        return DetectorSpan(
            int(one[start]), int(one[end]), str(one[label]), float(one.get("score") or 0)
        )
    except (KeyError, TypeError, ValueError):
        raise BadAnswer("the detector's server leaves out a span's offsets or label") from None
