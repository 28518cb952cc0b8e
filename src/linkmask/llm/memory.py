"""Looks kept answers up by keys of requests, and checks that they still fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.llm.cache import Cache, StoredAnswer, default_path, key_of
from linkmask.llm.request import ModelAnswer, Request
from linkmask.llm.shape import Check, checker

CHUNK = 64
"""Requests looked up at once."""


class AnswerMemory:
    """Answers by what was asked: model, parameters, prompt version, schema and messages.

    Raises:
        RunError: the cache can't be used.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.cache = Cache(path_of(settings))
        self._schemas: dict[int, tuple[Mapping[str, Any], AnswerSchema]] = {}

    def shape(self, request: Request) -> AnswerSchema:
        """Return a request's schema, compiled; each schema object once."""
        schema = request.schema
        if schema is None:
            return PLAIN
        remembered = self._schemas.get(id(schema))
        if remembered is None or remembered[0] is not schema:
            text = msgspec.json.encode(schema)
            opening = {"object": "{", "array": "["}.get(str(schema.get("type")), "{[")
            remembered = schema, AnswerSchema(text, key_of(schema).hex(), checker(schema), opening)
            if len(self._schemas) > 1000:  # made anew for each request: keep none of them
                self._schemas.clear()
            self._schemas[id(schema)] = remembered
        return remembered[1]

    def key(self, request: Request) -> bytes:
        """Return the digest a request's answer is kept under."""
        settings = self.settings
        return key_of(
            settings.llm_model,
            (
                request.warmth(settings.llm_temperature),
                settings.llm_seed,
                request.max_tokens,
            ),
            request.name,
            self.shape(request).digest,
            request.messages,
        )

    def recall(self, requests: Sequence[Request]) -> list[tuple[bytes, ModelAnswer | None]]:
        """Return each request's key and kept answer; None where there is none that fits."""
        keys = [self.key(request) for request in requests]
        rows = self.cache.get(keys)
        return [
            (key, self._read(request, rows[key]) if key in rows else None)
            for key, request in zip(keys, requests, strict=True)
        ]

    def _read(self, request: Request, row: StoredAnswer) -> ModelAnswer | None:
        try:
            value = msgspec.json.decode(row.value)
        except (ValueError, RecursionError):  # a damaged row: asked for again
            return None
        if self.shape(request).check(value):
            return None
        return ModelAnswer(value, row.tokens_in, row.tokens_out, row.seconds, cached=True)

    def keep(self, key: bytes, answer: ModelAnswer) -> None:
        """Keep an answer that met its schema."""
        value = msgspec.json.encode(answer.value)
        row = StoredAnswer(value, answer.tokens_in, answer.tokens_out, answer.seconds)
        self.cache.put([(key, row)])


def path_of(settings: Settings) -> Path:
    """Return where the settings keep answers."""
    return Path(settings.llm_cache).expanduser() if settings.llm_cache else default_path()


class AnswerSchema(msgspec.Struct, frozen=True):
    """A schema, encoded and compiled. `opening`: brackets an answer may begin with."""

    text: bytes
    digest: str
    check: Check
    opening: str


PLAIN = AnswerSchema(b"", "", lambda v: "" if isinstance(v, str) and v.strip() else ": empty", "")
