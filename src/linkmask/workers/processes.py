"""Makes processes that work for another: they end with it, and leave signals to it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread

LOST = (
    "a working process was ended from outside, perhaps for want of memory: run the same command "
    "again, with fewer --workers"
)
"""What a `WorkerLost` says."""

_held: set[Connection] = set()
"""The ends of pipes that this process holds while others work for it: they end when it lets go."""


class Lifeline:
    """A pipe: a process holds one end, and its workers watch the other to see whether it lives."""

    def __init__(self) -> None:
        self.watched, self.held = Pipe(duplex=False)
        _held.add(self.held)

    def cut(self) -> None:
        """Let go: those who watch end at once."""
        _held.discard(self.held)
        self.held.close()
        self.watched.close()


def stop() -> None:
    """End all processes that work for this one, in the middle of their work."""
    while _held:
        _held.pop().close()


def begin(watched: Connection, held: Connection) -> None:
    """Ready a process that works: signals of the terminal are for the one that started it."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(AttributeError):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    held.close()  # a fork has a copy of what its parent holds, here and for other work
    stop()
    Thread(target=_watch, args=(watched,), daemon=True).start()


def _watch(end: Connection) -> None:
    """End this process when the other end of the pipe is closed, or its holder is gone."""
    with suppress(EOFError, OSError):
        end.recv_bytes()
    os._exit(1)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C from processes that are just starting: it waits until they can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
