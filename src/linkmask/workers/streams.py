"""Runs one generator function over many items, in order, in processes that run ahead.

The process that takes starts no thread for it, and sends nothing but what is to be done: so other
processes may be forked at any time. Each process that works waits with one result until it is
taken, and with what a pipe holds (64 kB); so no more than a few results are in memory at once.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from linkmask.errors import WorkerLost
from linkmask.workers import Failure
from linkmask.workers.processes import LOST, Lifeline, begin, uninterrupted

Item = TypeVar("Item")
Done = TypeVar("Done")

CRASHES = tuple(
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT")
    if hasattr(signal, name)
)
"""Signals by which code ends its own process; others come from outside."""


def streams(
    work: Callable[[Item], Iterator[Done]], items: Sequence[Item], workers: int
) -> Generator[Iterator[Done | Failure], None, None]:
    """Yield, for each item in order, an iterator over what `work(item)` yields.

    The n-th item is done by process n modulo `workers`. Where the work raises, or its process
    crashes, a `Failure` follows what it yielded so far, and the next items go on. `work`, items and
    results must be picklable.

    Raises:
        WorkerLost: a process was ended from outside.
    """
    lanes = [_Lane(work, items[n::workers]) for n in range(min(workers, len(items)))]
    try:
        for number in range(len(items)):
            results = lanes[number % workers].results()
            yield results
            deque(results, maxlen=0)
    finally:
        for lane in lanes:
            lane.close()


class _Lane(Generic[Item, Done]):
    """A process that does some of the items, one after the other."""

    def __init__(self, work: Callable[[Item], Iterator[Done]], items: Sequence[Item]) -> None:
        self._work, self._left = work, deque(items)
        self._start()

    def results(self) -> Iterator[Done | Failure]:
        """Yield the results of the next item."""
        item = self._left.popleft()
        try:
            while got := self._results.recv():
                yield from got
        except (EOFError, OSError):
            yield self._crash(item)

    def close(self) -> None:
        """End the process."""
        self._lifeline.cut()
        self._process.join()
        self._results.close()

    def _start(self) -> None:
        self._lifeline = Lifeline()
        self._results, sender = Pipe(duplex=False)
        ends = self._lifeline.watched, self._lifeline.held
        self._process = Process(
            target=_send_all, args=(self._work, list(self._left), sender, *ends), daemon=True
        )
        with uninterrupted():
            self._process.start()
        sender.close()

    def _crash(self, item: Item) -> Failure:
        """Go on with the next item in a new process, and say how the last one ended."""
        self._process.join()
        ended = -(self._process.exitcode or 0)
        if ended not in CRASHES:
            raise WorkerLost(LOST) from None
        self.close()
        self._start()
        return Failure(item, signal.Signals(ended).name)


def _send_all(
    work: Callable[[Any], Iterator[Any]],
    items: Sequence[Any],
    sender: Connection,
    watched: Connection,
    held: Connection,
) -> None:
    """Do the items and send each result, and an empty tuple after the last one of an item."""
    begin(watched, held)
    with suppress(BrokenPipeError):  # nobody is there to take them
        for item in items:
            try:
                for result in work(item):
                    sender.send((result,))
            except Exception as error:
                sender.send((Failure(item, type(error).__name__),))
            sender.send(())
    os._exit(0)  # what the process that started this one has open is not for this one to close
