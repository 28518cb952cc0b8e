"""Defines a request to a language model and its answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from types import TracebackType
from typing import Any, Protocol

from linkmask.errors import ModelError


@dataclass(frozen=True, slots=True)
class Request:
    """One question.

    `messages`: (role, content) pairs, role "system", "user" or "assistant". `schema`: the JSON
    Schema that the answer must meet (the part of it that `shape` knows), or None for plain text;
    use one and the same object for many requests. `name`: the prompt's name and version, such as
    `stage1/1`; with model, parameters and messages it makes the cache key, so a prompt that changes
    takes a new version. `max_tokens`: longest answer, the model's thinking included. `temperature`:
    how freely the model chooses its words; None: as the settings say.
    """

    messages: tuple[tuple[str, str], ...]
    schema: Mapping[str, Any] | None
    name: str
    max_tokens: int
    temperature: float | None = None

    def warmth(self, usual: float) -> float:
        """Return the request's temperature, or the usual one."""
        return usual if self.temperature is None else self.temperature


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model said: `value` meets the request's schema; without one it is a str.

    `tokens_in`, `tokens_out`, `seconds`: what this answer cost when it was asked for, failed
    tries included. `cached`: it cost nothing now.
    """

    value: Any
    tokens_in: int
    tokens_out: int
    seconds: float
    cached: bool


class LanguageModel(Protocol):
    """A language model, whatever stands behind it."""

    @property
    def usage(self) -> Usage:
        """What was asked and spent so far."""

    def ask(self, request: Request) -> ModelAnswer:
        """Answer one request.

        Raises:
            ModelError: there is no answer that can be used; its class says why.
        """

    def ask_all(self, requests: Iterable[Request]) -> Iterator[ModelAnswer | ModelError]:
        """Yield an answer, or the error in its place, for each request in input order.

        `requests` may be endless: a few hundred are read ahead, in the caller's thread. One that
        fails does not end the others. Once an error `stops`, further requests fail at once, but
        for those answered before.
        """

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text.

        Raises:
            ModelError: there are no vectors.
        """

    def close(self) -> None:
        """Close connections, threads and the cache."""

    def __enter__(self) -> LanguageModel: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None: ...


@dataclass(slots=True)
class Usage:
    """What was asked and spent since the client was made.

    `requests`: sent to the server, all tries counted; `cached`: answered without one. `tokens_in`
    and `tokens_out` as the server counts them. `seconds`: sum over requests, so with 16
    connections it grows up to 16 times as fast as the clock. `retries`: tries after a first one.
    `failures`: requests that got no answer, by the name of their error.
    """

    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    retries: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    def add(
        self,
        *,
        requests: int = 0,
        cached: int = 0,
        tokens_in: int = 0,
        tokens_out: int = 0,
        seconds: float = 0.0,
        retries: int = 0,
        failure: str = "",
    ) -> None:
        """Count; safe from any thread."""
        with self._lock:
            self.requests += requests
            self.cached += cached
            self.tokens_in += tokens_in
            self.tokens_out += tokens_out
            self.seconds += seconds
            self.retries += retries
            if failure:
                self.failures[failure] += 1

    def as_data(self) -> dict[str, Any]:
        """Return the counts as plain data, for a log and the report."""
        with self._lock:
            return {
                "requests": self.requests,
                "cached": self.cached,
                "tokens_in": self.tokens_in,
                "tokens_out": self.tokens_out,
                "seconds": round(self.seconds, 3),
                "retries": self.retries,
                "failures": dict(sorted(self.failures.items())),
            }
