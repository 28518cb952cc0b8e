"""Posts to a server with retries and waits, counts them, and never reports what was sent."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import msgspec

from linkmask.config import Settings
from linkmask.errors import ModelError, ModelUnavailable, NoAnswer
from linkmask.llm.budget import RequestBudget
from linkmask.llm.request import Usage
from linkmask.llm.server_replies import tokens_of
from linkmask.llm.transport import CONNECT, SLOW, Transport, TryFailed

if TYPE_CHECKING:
    import httpx

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds before the second try; doubled for each further one up to a maximum, half at random."""

PATIENCE = 300.0
"""A server that asks to wait longer than these seconds is not waited for."""

LOST = 20
"""Number of requests in a row without a reply after which the server counts as gone."""


class Rejected(Exception):  # noqa: N818 - what the server did
    """The server won't have the request as it is. `message` may hold parts of it: never show it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"HTTP {status}")
        self.status, self.message = status, message


class Wire:
    """A server at a URL. Any thread may post; connections are kept and used again.

    `clock` and `sleep` are for tests; `sleep` returns True when the client was closed meanwhile.
    """

    def __init__(
        self,
        settings: Settings,
        usage: Usage,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Any] | None = None,
    ) -> None:
        self._timeout, self._tries = settings.llm_timeout, settings.llm_retries + 1
        self._budget = RequestBudget(settings.llm_budget_requests, settings.llm_budget_tokens)
        self._usage, self.clock = usage, clock
        self._closed, self._lock = Event(), Lock()
        self._sleep = sleep or self._closed.wait
        self._chance = random.Random(settings.llm_seed)  # noqa: S311 - spreads tries in time
        self._line = Transport(settings, clock)
        self.base = self._line.base
        self._not_before = 0.0
        self._lost = 0
        self.gone: ModelUnavailable | None = None

    def post(self, path: str, body: bytes, reserve: int) -> tuple[dict[str, Any], int, int]:
        """Return the reply as a JSON object, and tokens read and written.

        `reserve`: the most tokens it may cost, held from the budget meanwhile. A 429, 5xx, timeout
        or cut connection is tried again, `llm_retries` times; a 429 does not count as long as the
        request has not waited longer than an answer may take.

        Raises:
            Rejected: the server won't have it (HTTP 400, 404, 413, 422 …).
            NoAnswer: it failed each time.
            ModelUnavailable, BudgetSpent: nothing more will be answered.
        """
        since, tries, failed = self.clock(), 0, 0
        while True:
            self._ready()
            self._budget.reserve(reserve)
            spent = 0
            try:
                reply, seconds = self._try(path, body)
                read, written = tokens_of(reply) or (reserve, 0)
                spent = read + written
                self._usage.add(tokens_in=read, tokens_out=written, seconds=seconds)
                self._lost = 0
                return reply, read, written
            except TryFailed as failure:
                patient = failure.busy and self.clock() - since < self._timeout
                tries += 1
                failed += not patient
                if failed >= self._tries:
                    raise self._given_up(failure) from None
                wait = failure.wait or self._back_off(tries)
                everyone = failure.busy or failure.wait > 0
            finally:
                self._budget.refund(reserve, spent)
            self._usage.add(retries=1)
            if everyone:
                self._not_before = max(self._not_before, self.clock() + wait)
            else:
                self._sleep(wait)

    def get(self, url: str) -> Any:
        """Return what a server says of itself, as JSON; None where it says nothing."""
        import httpx

        try:
            status, _, data = self._line.send("GET", url, b"", CONNECT)
            return msgspec.json.decode(data) if status == 200 else None
        except (TryFailed, httpx.HTTPError, msgspec.DecodeError, UnicodeError, RecursionError):
            return None

    def _ready(self) -> None:
        """Wait for a server that asked everybody to; stop where nothing more is answered."""
        if (wait := self._not_before - self.clock()) > 0:
            self._sleep(wait)
        if self._closed.is_set():
            raise ModelUnavailable("the client was closed")
        if self.gone is not None:
            raise ModelUnavailable(str(self.gone))

    def _back_off(self, tries: int) -> float:
        with self._lock:
            chance = self._chance.random()
        wait = min(FIRST_WAIT * 2.0 ** min(tries - 1, 10), LONGEST_WAIT)
        return wait * (0.5 + 0.5 * chance)

    def _given_up(self, failure: TryFailed) -> ModelError:
        """Return the error of a request that failed for good; a gone server fails all others."""
        with self._lock:
            self._lost += 1
            lost = self._lost
        if not failure.there or lost >= LOST:
            again = f"{failure.hint}, then run again to go on from here"
            return self.leave(f"the model's server at {self.base} {failure}: {again}")
        return NoAnswer(f"the model's server {failure}, {self._tries} times")

    def leave(self, message: str) -> ModelUnavailable:
        """Send no further requests, for the given reason."""
        self.gone = self.gone or ModelUnavailable(message)
        return self.gone

    def _try(self, path: str, body: bytes) -> tuple[dict[str, Any], float]:
        """Post once. Return the reply and the seconds it took."""
        import httpx

        since = self.clock()
        self._usage.add(requests=1)
        try:
            url = f"{self.base}/{path}"
            status, headers, data = self._line.send("POST", url, body, self._timeout)
            if status != 200:
                raise self._refusal(status, headers, data)
        except httpx.ConnectTimeout:
            raise TryFailed("does not take the connection", there=False) from None
        except httpx.TimeoutException:
            raise TryFailed(f"takes longer than {self._timeout:g} s", hint=SLOW) from None
        except httpx.ConnectError as error:
            if "CERTIFICATE" in str(error).upper():
                raise self.leave(f"the certificate of {self.base} is not trusted") from None
            raise TryFailed("can't be reached", there=False) from None
        except httpx.HTTPError as error:
            raise TryFailed(f"cut the connection ({type(error).__name__})") from None
        except RuntimeError:  # the client was closed under a request
            raise ModelUnavailable("the client was closed") from None
        try:
            reply = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise TryFailed("sends what is not JSON") from None
        if not isinstance(reply, dict):
            raise TryFailed("sends what is not a JSON object")
        if "error" in reply and "choices" not in reply and "data" not in reply:
            raise TryFailed("sends an error in place of an answer")
        return reply, self.clock() - since

    def _refusal(self, status: int, headers: httpx.Headers, data: bytes) -> Exception:
        """Return what an HTTP status other than 200 means."""
        message = data[:4000].decode("utf-8", "replace")
        if status == 429 and "insufficient_quota" in message:
            return self.leave(f"the account at {self.base} has no quota left (HTTP 429)")
        if status in (408, 409, 425, 429) or status >= 500:
            wait = retry_after(headers.get("retry-after", ""))
            if wait > PATIENCE:
                return self.leave(f"{self.base} asks to wait {wait:.0f} s (HTTP {status})")
            return TryFailed(f"answers HTTP {status}", wait=wait, busy=status == 429)
        if status in (401, 403):
            hint = "name the variable that holds the right key in llm_key_env"
            return self.leave(f"{self.base} refuses the key (HTTP {status}): {hint}")
        if 300 <= status < 400:
            return self.leave(f"{self.base} sends elsewhere (HTTP {status}): correct llm_url")
        return Rejected(status, message)

    def close(self) -> None:
        """Close all connections; waiting tries end."""
        self._closed.set()
        self._line.close()


def retry_after(value: str) -> float:
    """Return the seconds that a `Retry-After` header asks for; 0 where it can't be read."""
    try:
        return max(float(value), 0.0) if value.strip()[:1].isdigit() else _until(value)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _until(date: str) -> float:
    return max(parsedate_to_datetime(date).timestamp() - time.time(), 0.0)
