"""Answers requests from the cache or the server, checks the answers, and keeps their order.

Threads, not asyncio: measured over httpx at 80 requests a second, a request costs the client
0.8 ms of CPU on threads and 1.3 ms on asyncio. The threads are daemons, so that an interrupted
program does not wait for answers nobody reads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from queue import SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.errors import BadAnswer, ContextTooLong, ModelError
from linkmask.llm import token_estimate
from linkmask.llm.cache import StoredAnswer, key_of
from linkmask.llm.memory import CHUNK, PLAIN, AnswerMemory, AnswerSchema
from linkmask.llm.request import ModelAnswer, Request, Usage
from linkmask.llm.server import Server
from linkmask.llm.server_replies import content_of, json_in

AHEAD = 256
"""Requests read ahead of the answer that is waited for."""

BAD_ANSWERS = 3
"""Answers that can't be used before a request is given up."""

TEXTS = 64
"""Texts sent to the embeddings endpoint at once."""


class Client:
    """A `LanguageModel` behind an OpenAI-compatible server, with a cache of answers and a budget.

    Not to be taken into a forked process: ask in the process that made it.

    Raises:
        SettingsError: a setting is missing or wrong.
        RunError: the cache can't be used.
    """

    def __init__(self, settings: Settings, **clocks: Any) -> None:
        self.settings = settings
        self.usage = Usage()
        self._memory = AnswerMemory(settings)
        self._server = Server(settings, self.usage, self._memory.cache, **clocks)
        self._jobs: SimpleQueue[PendingRequest | None] = SimpleQueue()
        self._threads: list[Thread] = []

    def ask(self, request: Request) -> ModelAnswer:
        """Answer one request; see `LanguageModel`."""
        answer = next(self.ask_all([request]))
        if isinstance(answer, ModelError):
            raise answer
        return answer

    def ask_all(self, requests: Iterable[Request]) -> Iterator[ModelAnswer | ModelError]:
        """Yield an answer or an error for each request, in input order; see `LanguageModel`."""
        stream = iter(requests)
        waiting: deque[PendingRequest] = deque()
        size = min(self.settings.llm_connections, CHUNK)  # enough to begin with
        try:
            while chunk := list(islice(stream, size)):
                size = CHUNK
                waiting.extend(self._started(chunk, waiting))
                while len(waiting) > AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for job in waiting:  # nobody reads on: what is not under way is not asked
                job.dropped = True

    def _started(
        self, requests: Sequence[Request], waiting: Iterable[PendingRequest]
    ) -> list[PendingRequest]:
        """Answer from the cache, and hand the others to the threads."""
        under_way = {job.key: job for job in waiting if not job.done.is_set()}
        jobs = []
        for request, (key, answer) in zip(requests, self._memory.recall(requests), strict=True):
            job = PendingRequest(key, request)
            if answer is not None:
                self.usage.add(cached=1)
                job.set_outcome(answer)
            elif key in under_way:
                job.same = under_way[key]
            else:
                under_way[key] = job
                self._jobs.put(job)
                self._staff()
            jobs.append(job)
        return jobs

    def _staff(self) -> None:
        if len(self._threads) < self.settings.llm_connections:
            thread = Thread(target=self._work, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            if job.dropped:
                continue
            try:
                job.set_outcome(self._ask_until_valid(job.request, job.key))
            except ModelError as error:
                self.usage.add(failure=type(error).__name__)
                job.set_outcome(error)
            except BaseException as error:  # told to the caller, whose thread can end the run
                job.set_outcome(error)

    def _ask_until_valid(self, request: Request, key: bytes) -> ModelAnswer:
        """Ask until an answer meets the schema, and keep it."""
        schema = self._memory.shape(request)
        most = token_estimate.of_request(request)
        if most > self.settings.llm_context:
            raise ContextTooLong(
                f"a prompt and its answer need more than llm_context ({self.settings.llm_context}):"
                " raise it, if the model's window holds more"
            )
        read = written = 0
        since = self._server.wire.clock()
        last = min(BAD_ANSWERS, self.settings.llm_retries + 1) - 1
        for attempt in range(last + 1):
            if attempt:
                self.usage.add(retries=1)
            try:
                reply, *cost = self._server.chat(request, schema.text, attempt, most)
                read, written = read + cost[0], written + cost[1]
                _seen_whole(request, cost[0], self.settings)
                value = _value(reply, schema)
                break
            except ModelError as error:
                if attempt < last and isinstance(error, BadAnswer):
                    continue
                error.tokens_in, error.tokens_out = read, written
                error.seconds = self._server.wire.clock() - since
                raise
        seconds = self._server.wire.clock() - since
        answer = ModelAnswer(value, read, written, seconds, cached=False)
        self._memory.keep(key, answer)
        return answer

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text, from `/v1/embeddings`; see `LanguageModel`."""
        keys = [key_of("embed", self.settings.llm_model, text) for text in texts]
        kept = self._memory.cache.get(keys)
        known = {key: vector for key, row in kept.items() if (vector := _vector(row.value))}
        self.usage.add(cached=sum(key in known for key in keys))
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        stream = iter(fresh.items())
        while some := list(islice(stream, TEXTS)):
            since = self._server.wire.clock()
            vectors, read = self._server.vectors([text for _, text in some])
            seconds = (self._server.wire.clock() - since) / len(some)
            made = {key: vector for (key, _), vector in zip(some, vectors, strict=True)}
            self._memory.cache.put(
                (key, StoredAnswer(msgspec.json.encode(vector), read // len(some), 0, seconds))
                for key, vector in made.items()
            )
            known |= made
        return [known[key] for key in keys]

    def close(self) -> None:
        """Close connections, threads and the cache; see `LanguageModel`."""
        self._server.wire.close()
        for _ in self._threads:
            self._jobs.put(None)
        self._memory.cache.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


class PendingRequest:
    """A request under way, answered by a thread and waited for by the caller."""

    __slots__ = ("done", "dropped", "key", "outcome", "request", "same")

    def __init__(self, key: bytes, request: Request) -> None:
        self.key, self.request = key, request
        self.same: PendingRequest | None = None
        self.done, self.dropped = Event(), False
        self.outcome: ModelAnswer | BaseException | None = None

    def set_outcome(self, outcome: ModelAnswer | BaseException) -> None:
        """Set the answer, or what came instead."""
        self.outcome = outcome
        self.done.set()

    def result(self) -> ModelAnswer | ModelError:
        """Wait for the answer and return it, or its `ModelError`; raise any other error."""
        if self.same is not None:
            first = self.same.result()
            if isinstance(first, ModelAnswer):
                return ModelAnswer(
                    first.value, first.tokens_in, first.tokens_out, first.seconds, True
                )
            return type(first)(str(first))  # the first one has the cost
        self.done.wait()
        if isinstance(self.outcome, ModelAnswer | ModelError):
            return self.outcome
        assert self.outcome is not None
        raise self.outcome


def _vector(kept: bytes) -> list[float] | None:
    """Return a kept vector; None where it is damaged."""
    try:
        return msgspec.json.decode(kept, type=list[float])
    except (ValueError, RecursionError):
        return None


def _value(reply: Any, schema: AnswerSchema) -> Any:
    """Return what a reply says, once it meets the schema.

    Raises:
        BadAnswer: it does not; the message names the place and the rule, and no value.
        Refused: there is none.
    """
    text, cut = content_of(reply)
    try:
        value = text if schema is PLAIN else json_in(text, schema.opening)
    except BadAnswer as error:
        if not cut:
            raise
        raise BadAnswer(f"{error}: it was cut at max_tokens; raise llm_max_tokens") from None
    if problem := schema.check(value):
        raise BadAnswer(f"the answer does not meet its schema at {problem}")
    if schema is PLAIN and cut:
        raise BadAnswer("the answer was cut at max_tokens; raise llm_max_tokens")
    return value


def _seen_whole(request: Request, read: int, settings: Settings) -> None:
    """Refuse an answer if the server silently cut the prompt: it read fewer tokens than words.

    Raises:
        ContextTooLong: the answer is about a part of the text only.
    """
    words = sum(token_estimate.least_tokens(content) for _, content in request.messages)
    if 0 < read < words:
        raise ContextTooLong(
            f"the server read {read} tokens of a prompt of {words} words, so it cut it: start it "
            f"with a window of llm_context ({settings.llm_context}), or set that to what it holds"
        )
