"""One function over many items, in order, on one process or several, failing closed.

Results come in the order of the items, so they are the same whatever the number of workers. An
item whose work raises becomes a `Failure`, and the rest goes on.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeVar

Item = TypeVar("Item")
Done = TypeVar("Done")

BATCH = 32
"""Items sent at a time: enough to pay for the pickling, few enough to interleave."""

ALONE = 256
"""Up to this many items the work is done in this process: starting others would take longer."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The work on one item raised. `reason` names the kind of error; messages may hold values."""

    item: Any
    reason: str


def cores() -> int:
    """Return how many processes can run at once on this machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
    workers = workers or cores()
    if workers == 1 or len(first) <= ALONE:
        return (_guarded(work, item) for item in everything)
    return _spread(work, everything, workers)


def _guarded(work: Callable[[Item], Done], item: Item) -> Done | Failure:
    try:
        return work(item)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return Failure(item, type(error).__name__)


_installed: list[Callable[[Any], Any]] = []
"""The work of this process, put here once when the process starts."""


def _batch(items: list[Any]) -> list[Any]:
    return [_guarded(_installed[0], item) for item in items]


def _spread(
    work: Callable[[Item], Done], items: Iterator[Item], workers: int
) -> Iterator[Done | Failure]:
    with ProcessPoolExecutor(workers, initializer=_installed.append, initargs=(work,)) as pool:
        waiting: deque[Future[list[Done | Failure]]] = deque()
        try:
            while batch := list(islice(items, BATCH)):
                waiting.append(pool.submit(_batch, batch))
                if len(waiting) > 4 * workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
