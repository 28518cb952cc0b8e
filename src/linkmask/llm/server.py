"""Sends chat completions and embeddings to a server in its dialect, and reads rejections."""

from __future__ import annotations

from threading import Lock
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.errors import (
    BadAnswer,
    ContextTooLong,
    ModelError,
    NoAnswer,
    Refused,
    SettingsError,
)
from linkmask.llm import dialect, token_estimate
from linkmask.llm.cache import Cache
from linkmask.llm.dialect import Dialect
from linkmask.llm.request import Request, Usage
from linkmask.llm.wire import Rejected, Wire

Reply = tuple[dict[str, Any], int, int]
"""The text of the reply, tokens read, tokens written."""


class Server:
    """A model on a server. What the server can do is found out once, and kept in the cache.

    Raises:
        SettingsError: a setting is missing or wrong.
    """

    def __init__(self, settings: Settings, usage: Usage, cache: Cache, **clocks: Any) -> None:
        if not settings.llm_model:
            raise SettingsError("llm_model is empty: name one, such as --llm-model gpt-oss:20b")
        self.settings = settings
        self.wire = Wire(settings, usage, **clocks)
        self._cache = cache
        self._name = f"{self.wire.base} {settings.llm_model}"
        self._dialect: Dialect | None = None
        self._window_known = False
        self._finding = Lock()

    def chat(self, request: Request, schema: bytes, attempt: int, most: int) -> Reply:
        """Post one chat completion; if the server rejects the dialect, try the next one.

        `schema`: the request's, encoded. `most`: tokens it may cost.

        Raises:
            ModelError: see `LanguageModel`.
        """
        settings = self.settings
        dialect = self._known_dialect()
        while True:
            seed = settings.llm_seed + attempt
            warmth = request.warmth(settings.llm_temperature)
            body = dialect.body(settings.llm_model, request, schema, warmth, seed)
            try:
                reply = self.wire.post("chat/completions", body, most)
            except Rejected as rejected:
                better = None if _is_about_content(rejected) else dialect.without(rejected.message)
                if better is None:
                    raise self._refused(rejected) from None
                dialect = better
                continue
            if dialect != self._dialect:
                self._remember(dialect)
            if not self._window_known:  # some say it only once the model is loaded, as it is now
                with self._finding:
                    if not self._window_known:
                        self._check_window(last=True)
            return reply

    def _refused(self, rejected: Rejected) -> ModelError:
        """Return the error for a rejected request, without the server's own message."""
        settings = self.settings
        if rejected.status == 413 or dialect.TOO_LONG.search(rejected.message):
            return ContextTooLong(
                "the prompt and its answer don't fit the model's window (the server says so): "
                f"set llm_context (now {settings.llm_context}) to what it holds"
            )
        if dialect.FILTERED.search(rejected.message):
            return Refused("a filter of the model's server declined the request")
        if rejected.status == 404:
            return self.wire.leave(
                f"{self.wire.base} knows no model {settings.llm_model!r}, or is no "
                "OpenAI-compatible server (HTTP 404): correct llm_model or llm_url"
            )
        return NoAnswer(f"the model's server rejects the request ({rejected})")

    # ── what the server can do ──────────────────────────────────────────────────────────────────

    def _known_dialect(self) -> Dialect:
        """Return how the server is talked to, found out at the first request."""
        with self._finding:
            if self._dialect is None:
                kept = self._cache.server(self._name)
                try:
                    self._dialect = msgspec.json.decode(kept or b"", type=Dialect)
                except ValueError:  # nothing, or nothing that can be read
                    self._dialect = self._found()
                    self._remember(self._dialect)
                self._check_window()
            return self._dialect

    def _found(self) -> Dialect:
        probe, schema = dialect.PROBE, msgspec.json.encode(dialect.PROBE.schema)
        settings = self.settings

        def send(tried: Dialect) -> dict[str, Any]:
            body = tried.body(
                settings.llm_model, probe, schema, settings.llm_temperature, settings.llm_seed
            )
            return self.wire.post("chat/completions", body, token_estimate.of_request(probe))[0]

        try:
            return dialect.find_dialect(send)
        except Rejected as rejected:
            raise self.wire.leave(str(self._refused(rejected))) from None
        except (NoAnswer, BadAnswer, Refused) as error:
            raise self.wire.leave(
                f"{self.wire.base} fails on a first small question: {error}"
            ) from None

    def _remember(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._cache.remember(self._name, msgspec.json.encode(dialect))

    def _check_window(self, last: bool = False) -> None:
        """Refuse a server whose window is smaller than the longest request.

        Raises:
            ModelUnavailable: it is; an answer that came is not to be kept.
        """
        settings = self.settings
        holds = dialect.window(self.wire.get, self.wire.base, settings.llm_model)
        self._window_known = last or holds > 0
        if 0 < holds < settings.llm_context:
            raise self.wire.leave(
                f"the server's window for {settings.llm_model!r} holds {holds} tokens, less than "
                f"llm_context ({settings.llm_context}): set it to {holds}, or give the server more"
            )

    def vectors(self, texts: list[str]) -> tuple[list[list[float]], int]:
        """Return a vector for each text, in order, and the tokens read.

        Raises:
            BadAnswer: the reply holds no vectors, or not one for each text.
        """
        body = dialect.json_bytes({"model": self.settings.llm_model, "input": texts})
        try:
            reply, read, _ = self.wire.post(
                "embeddings", body, sum(map(token_estimate.estimated_tokens, texts))
            )
        except Rejected as rejected:
            raise self._refused(rejected) from None
        try:
            data = msgspec.convert(reply.get("data"), list[Vector])
        except msgspec.ValidationError:
            raise BadAnswer("the server's reply holds no vectors") from None
        vectors = [one.embedding for one in sorted(data, key=lambda one: one.index)]
        sizes = {len(vector) for vector in vectors}
        if len(vectors) != len(texts) or len(sizes) != 1 or sizes == {0}:
            raise BadAnswer("the server sent another number of vectors than it was asked for")
        return vectors, read


class Vector(msgspec.Struct):
    """An item of the embeddings endpoint's `data`."""

    embedding: list[float]
    index: int


def _is_about_content(rejected: Rejected) -> bool:
    message = rejected.message
    return bool(
        rejected.status in (404, 413)
        or dialect.TOO_LONG.search(message)
        or dialect.FILTERED.search(message)
    )
