"""What the functions of routes share: the workers, the limits, the counts; replies and faults."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from linkmask.serve.metrics import Metrics
from linkmask.serve.pool import Pool


class Fault(Exception):  # noqa: N818 - named for what it is in HTTP
    """A request that is answered with an error. The message holds nothing that was sent."""

    def __init__(self, status: int, told: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(told)
        self.status, self.told, self.headers = status, told, dict(headers or {})


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may be: bytes of its body, texts in it, seconds it may take to arrive."""

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
    """One service: `originals` tells whether it gives originals back."""

    pool: Pool
    limits: Limits = field(default_factory=Limits)
    originals: bool = False
    has_run: bool = False
    metrics: Metrics = field(default_factory=Metrics)

    async def work(self, name: str, texts: list[str]) -> list[Any]:
        """Have a worker find, mask or unmask in some texts; one result for each.

        Raises:
            Fault: there are too many texts, or the workers did not give as many results.
            Busy, UsageError, Failed: see `Pool.do`.
        """
        if len(texts) > self.limits.texts:
            raise Fault(413, f"A request may hold {self.limits.texts} texts")
        if not texts:
            return []
        done: list[Any] = await self.pool.do(name, texts)
        if len(done) != len(texts):
            raise Fault(500, "Internal server error")
        return done


Query = Mapping[str, str]
Handler = Callable[[Service, Any, Query], Awaitable[Reply]]
"""The service, the decoded body (None without one) and the query → the answer."""


@dataclass(frozen=True, slots=True)
class Route:
    """One route: how it is asked, what answers, and what its documentation says.

    `body` and `answer` are the types of request and answer; `open` routes need no token.
    `wrong` gives the error of a body that can't be decoded, from what is wrong with it.
    """

    method: str
    path: str
    handler: Handler
    says: str
    body: Any = None
    answer: Any = None
    open: bool = False
    wrong: Callable[[str], Fault] = lambda told: Fault(400, told)
