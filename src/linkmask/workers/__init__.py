"""Runs one function over many items, in order, on one process or several, failing closed.

Results come in the order of the items, so they are the same whatever the number of workers. An
item whose work raises becomes a `Failure`, and the rest goes on. The processes end with the one
that started them, however it ends (`processes`). `streams` runs generators in them.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from linkmask.errors import TooMuchWork, WorkerLost
from linkmask.machine import usable_cores
from linkmask.workers.processes import LOST, Lifeline, begin, uninterrupted

Item = TypeVar("Item")
Done = TypeVar("Done")

BATCH = 32
"""Items sent at a time: enough to pay for the pickling, few enough to interleave."""

ALONE = 256
"""Up to this many items the work is done in this process: starting others would take longer."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The work on one item raised. `reason` names the kind of error; messages may hold values.

    `message` is the message of the error if its class guarantees that it holds no value, else "".
    """

    item: Any
    reason: str
    message: str = ""

    def message_or(self, failed: str) -> str:
        """Return the message, or if there is none, what failed and the kind of error."""
        return self.message or f"{failed} ({self.reason})"


def _one(item: Any) -> int:
    return 1


@dataclass(frozen=True, slots=True)
class Batched(Generic[Item, Done]):
    """Work that is faster on many items at once; `one` does the same on a single one.

    `many` gets items until their sizes add up to `most`. Where it raises, each item is tried alone,
    so that the others are not lost.
    """

    one: Callable[[Item], Done]
    many: Callable[[list[Item]], list[Done]]
    size: Callable[[Item], int] = _one
    most: int = BATCH

    def __call__(self, item: Item) -> Done:
        """Do the work on a single item."""
        return self.one(item)


def ordered(
    work: Callable[[Item], Done], items: Iterable[Item], workers: int
) -> Iterator[Done | Failure]:
    """Yield `work(item)` for each item, in order, on up to `workers` processes (0: one per core).

    `work` is sent to each process once and must be picklable; so must items and results. At most
    a few batches per worker are under way, so the items may be an endless generator.
    """
    stream = iter(items)
    first = list(islice(stream, ALONE + 1))
    everything = chain(first, stream)
    workers = workers or usable_cores()
    if workers == 1 or len(first) <= ALONE:
        return chain.from_iterable(_all(work, batch) for batch in _rows(work, everything, 1))
    return _spread(work, everything, workers)


def batches(
    items: Iterable[Item], most: int, size: Callable[[Item], int] = _one
) -> Iterator[list[Item]]:
    """Yield the items in rows as short as their sizes add up to `most`; the last may be shorter."""
    batch: list[Item] = []
    if size is _one:
        stream = iter(items)
        while batch := list(islice(stream, most)):
            yield batch
        return
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= most:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def _rows(work: Callable[[Item], Done], items: Iterable[Item], most: int) -> Iterator[list[Item]]:
    if isinstance(work, Batched):
        return batches(items, work.most, work.size)
    return batches(items, most)


def _all(work: Callable[[Item], Done], items: list[Item]) -> list[Done | Failure]:
    done = _together(work, items) if isinstance(work, Batched) else None
    return [_guarded(work, item) for item in items] if done is None else list(done)


def _together(work: Batched[Item, Done], items: list[Item]) -> list[Done] | None:
    """Return the work on all items, None where it raised, be it on one of them."""
    try:
        return work.many(items)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        return None


def _guarded(work: Callable[[Item], Done], item: Item) -> Done | Failure:
    try:
        return work(item)
    except (KeyboardInterrupt, SystemExit):
        raise
    except TooMuchWork as error:
        return Failure(item, type(error).__name__, str(error))
    except BaseException as error:
        return Failure(item, type(error).__name__)


_installed: list[Callable[[Any], Any]] = []
"""The work of this process, put here once when the process starts."""


def _install(work: Callable[[Any], Any], watched: Connection, held: Connection) -> None:
    begin(watched, held)
    gc.freeze()  # who looks for garbage among what is shared copies all of it
    _installed.append(work)


@contextmanager
def _pool(work: Callable[[Any], Any], workers: int) -> Iterator[ProcessPoolExecutor]:
    """Give processes that do some work, and that end where this is left by an error."""
    lifeline = Lifeline()
    try:
        ends = lifeline.watched, lifeline.held
        with ProcessPoolExecutor(workers, initializer=_install, initargs=(work, *ends)) as pool:
            results = pool._result_queue
            try:
                yield pool
            except BaseException:
                lifeline.cut()
                # A worker that ends while it writes a result leaves a part of it. The thread that
                # reads it here, which Python waits for, learns so only if nobody else may write.
                results._writer.close()  # type: ignore[attr-defined]
                raise
    finally:
        lifeline.cut()


def _batch(items: list[Any]) -> list[Any]:
    return _all(_installed[0], items)


def _spread(
    work: Callable[[Item], Done], items: Iterator[Item], workers: int
) -> Iterator[Done | Failure]:
    # The first item is done here: what the work loads is loaded once, and the processes, forked
    # thereafter, have it. They start before anything is yielded: no caller has threads by then.
    first: Future[list[Done | Failure]] = Future()
    first.set_result(_all(work, list(islice(items, 1))))
    with _pool(work, workers) as pool:
        waiting = deque([first])
        try:
            for batch in _rows(work, items, BATCH):
                with uninterrupted():
                    waiting.append(pool.submit(_batch, batch))
                if len(waiting) > 4 * workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool:
            raise WorkerLost(LOST) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
