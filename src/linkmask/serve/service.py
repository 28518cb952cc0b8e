"""Holds what routes share: workers, limits, counts, replies and faults."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from linkmask.serve.memory import CallMemory
from linkmask.serve.metrics import Metrics
from linkmask.serve.pool import Pool


class HttpError(Exception):
    """A request that is answered with an error. The message holds nothing that was sent."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, dict(headers or {})


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Limits of one request: bytes of its body, texts in it, seconds until it has arrived."""

    body: int = 2_000_000
    texts: int = 500
    seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its body, status and content type."""

    body: bytes
    status: int = 200
    kind: str = "application/json"


def as_json(value: Any, status: int = 200) -> Reply:
    """Return a reply of a value as JSON."""
    return Reply(msgspec.json.encode(value), status)


@dataclass
class Service:
    """One service.

    `originals`: it gives originals back. `all_types`: it reports under linkmask's names what
    Presidio has no name for. `images`: pictures in prompts are let through.
    """

    pool: Pool
    limits: RequestLimits = field(default_factory=RequestLimits)
    originals: bool = False
    has_run: bool = False
    all_types: bool = False
    images: bool = False
    memory: CallMemory = field(default_factory=CallMemory)
    metrics: Metrics = field(default_factory=Metrics)

    async def work(self, name: str, texts: list[str], *more: Any) -> list[Any]:
        """Have a worker find, search, mask or unmask in some texts; one result for each.

        Raises:
            HttpError: there are too many texts, or the workers did not give as many results.
            Busy, UsageError, WorkerFailed: see `Pool.do`.
        """
        if len(texts) > self.limits.texts:
            raise HttpError(413, f"A request may hold {self.limits.texts} texts")
        if not texts:
            return []
        done: list[Any] = await self.pool.do(name, texts, *more)
        if len(done) != len(texts):
            raise HttpError(500, "Internal server error")
        return done


Query = Mapping[str, str]
Handler = Callable[[Service, Any, Query], Awaitable[Reply]]
"""The service, the decoded body (None without one) and the query → the answer."""


@dataclass(frozen=True, slots=True)
class Route:
    """One route: how it is asked, what answers, and what its documentation says.

    `body` is what a request is decoded to, `answer` the type of the answer. Where the function
    checks the body itself, as other services do, `body` is Any, and `shown` says what it may hold.
    `open` routes need no token.
    """

    method: str
    path: str
    handler: Handler
    says: str
    body: Any = None
    answer: Any = None
    shown: Any = None
    open: bool = False
