"""Runs processes that work for the service, so that its event loop only reads and writes."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from linkmask.errors import LinkmaskError, TooMuchWork, UsageError
from linkmask.serve.work import Facts, Worker, WorkerSource

RETRY_SECONDS = 1.0
"""Seconds until a process that could not be loaded is tried again."""


class Busy(Exception):  # noqa: N818 - named for what is so
    """As much work is under way as is allowed, or none can be done now; ask again later."""


class TookTooLong(Busy):
    """The time that a piece of work may take is over."""


class WorkerFailed(Exception):  # noqa: N818
    """A worker failed on a request. `kind` names the error; its message is not passed on."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class WorkAnswer(NamedTuple):
    """What came of a piece of work: its result, or the kind and the message of an error.

    The message is empty unless the error is one of linkmask's, which hold no value.
    """

    result: Any = None
    kind: str = ""
    message: str = ""


class Pool:
    """Some processes with a worker each; with 0 processes, a thread of this one.

    Args:
        source: what the workers are made of.
        processes: how many there are.
        most: pieces of work that may be under way or wait; one more is `Busy`.
        seconds: how long one may take.
    """

    def __init__(self, source: WorkerSource, processes: int, most: int, seconds: float) -> None:
        self._processes, self._most, self._seconds = processes, most, seconds
        self._now = 0
        self._source = source
        self._team: _Team | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._swapping = asyncio.Lock()

    @property
    def ready(self) -> bool:
        """Whether the workers are loaded."""
        return self._team is not None

    @property
    def under_way(self) -> int:
        """Number of pieces of work that are being done or wait."""
        return self._now

    @property
    def facts(self) -> Facts:
        """Languages, entity types and detectors of the workers.

        Raises:
            Busy: they are not loaded.
        """
        if self._team is None:
            raise Busy
        return self._team.facts

    async def start(self) -> None:
        """Load the workers.

        Raises:
            LinkmaskError: they can't be; the message says why.
        """
        self._team = await _Team.ready(self._source, self._processes)

    async def swap(self) -> None:
        """Load workers anew and give them the work from now on; the old ones finish theirs.

        Raises:
            LinkmaskError: they can't be loaded; the old ones go on.
        """
        async with self._swapping:
            before, self._team = self._team, await _Team.ready(self._source, self._processes)
            if before is not None:
                leaving = asyncio.create_task(before.leave())
                self._leaving.add(leaving)
                leaving.add_done_callback(self._leaving.discard)

    async def stop(self) -> None:
        """Let the workers finish and go."""
        if self._team is not None:
            team, self._team = self._team, None
            await asyncio.gather(team.leave(), *self._leaving)

    async def do(self, name: str, *given: Any) -> Any:
        """Have a worker do what the method `name` does, and return the result.

        Work that waits until its time is over is not begun: nobody would read its result.

        Raises:
            Busy: too much is under way, or the process was lost.
            TookTooLong: its time is over.
            UsageError: what was asked for can't be done.
            WorkerFailed: the worker failed.
        """
        if self._team is None or self._now >= self._most:
            raise Busy
        self._now += 1
        work = asyncio.create_task(self._team.do(name, given, monotonic() + self._seconds))
        work.add_done_callback(self._done)
        try:
            answer = await asyncio.wait_for(asyncio.shield(work), self._seconds)
        except TimeoutError:
            raise TookTooLong from None
        except BrokenExecutor:
            raise Busy from None
        return _result(answer)

    def _done(self, work: asyncio.Task[WorkAnswer]) -> None:
        """Count work as done when it is, and not when nobody waits for it any more."""
        self._now -= 1
        if not work.cancelled():
            work.exception()


def _result(answer: WorkAnswer) -> Any:
    if answer.kind == TooMuchWork.__name__:
        raise TooMuchWork(answer.message)
    if answer.kind == TookTooLong.__name__:
        raise TookTooLong
    if answer.message:
        raise UsageError(answer.message)
    if answer.kind:
        raise WorkerFailed(answer.kind)
    return answer.result


class _Team:
    """Processes, each with a worker of one source. One that is lost is replaced."""

    facts: Facts

    def __init__(self, source: WorkerSource, processes: int) -> None:
        self._source, self._processes = source, processes
        self._idle: asyncio.Queue[_Process] = asyncio.Queue()
        self._replacing: set[asyncio.Task[None]] = set()
        self._left = False

    @classmethod
    async def ready(cls, source: WorkerSource, processes: int) -> _Team:
        """Return a team whose workers are loaded."""
        team = cls(source, processes)
        members = [_Process(source, processes > 0) for _ in range(max(processes, 1))]
        try:
            for answer in await asyncio.gather(*(one.do("facts", ()) for one in members)):
                team.facts = _result(answer)
        except BaseException as error:
            for one in members:
                one.leave()
            if isinstance(error, BrokenExecutor):
                raise LinkmaskError("the workers end as they start: too little memory?") from None
            if isinstance(error, WorkerFailed):
                raise LinkmaskError(f"the workers fail as they start ({error.kind})") from None
            raise
        for one in members:
            team._idle.put_nowait(one)
        return team

    async def do(self, name: str, given: tuple[Any, ...], until: float) -> WorkAnswer:
        """Have the next free process do a piece of work until a time of the monotonic clock.

        Raises:
            BrokenExecutor: the process was lost.
        """
        try:
            one = await asyncio.wait_for(self._idle.get(), until - monotonic())
        except TimeoutError:
            return WorkAnswer(kind=TookTooLong.__name__)
        try:
            answer = await one.do(name, given, until)
        except BrokenExecutor:
            task = asyncio.create_task(self._replace(one))
            self._replacing.add(task)
            task.add_done_callback(self._replacing.discard)
            if monotonic() < until:
                raise
            return WorkAnswer(kind=TookTooLong.__name__)
        self._idle.put_nowait(one)
        return answer

    async def _replace(self, lost: _Process) -> None:
        """Load a process in place of a lost one, and try again until one can be loaded."""
        while not self._left:
            lost.leave()
            lost = _Process(self._source, self._processes > 0)
            with suppress(BrokenExecutor):
                if not (await lost.do("facts", ())).kind:
                    break
            await asyncio.sleep(RETRY_SECONDS)
        self._idle.put_nowait(lost)

    async def leave(self) -> None:
        """Let each process end when all the work that was given to the team is done."""
        self._left = True
        for _ in range(max(self._processes, 1)):
            one = await self._idle.get()  # those who wait for a process before get it before
            await asyncio.to_thread(one.leave, True)


class _Process:
    """A process that holds a worker, or a thread of this one."""

    def __init__(self, source: WorkerSource, apart: bool) -> None:
        self._executor: Executor
        if apart:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["linkmask.serve.work"])
            self._executor = ProcessPoolExecutor(1, context, _start, (source,))
            self._do: Callable[..., WorkAnswer] = _do
        else:
            self._executor = ThreadPoolExecutor(1)
            self._do = partial(_did, _Lazy(source))

    async def do(self, name: str, given: tuple[Any, ...], until: float = inf) -> WorkAnswer:
        """Do a piece of work; in a process, it ends at `until`, and the process with it.

        Raises:
            BrokenExecutor: the process was lost.
        """
        return await asyncio.wrap_future(self._executor.submit(self._do, name, given, until))

    def leave(self, wait: bool = False) -> None:
        """Let the process end when its work is done."""
        self._executor.shutdown(wait=wait)


class _Lazy:
    """A worker that is loaded by the thread that uses it."""

    def __init__(self, source: WorkerSource) -> None:
        self._source = source
        self._worker: Worker | None = None

    def __call__(self) -> Worker:
        if self._worker is None:
            self._worker = self._source.worker()
        return self._worker


_mine: list[_Lazy] = []
"""The worker of this process."""


def _start(source: WorkerSource) -> None:
    """Ready a process: signals are for the one that started it, and it ends when that one does."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _mine[:] = [_Lazy(source)]


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _do(name: str, given: tuple[Any, ...], until: float) -> WorkAnswer:
    """Do a piece of work in this process, and end the process when the time is over.

    An exception at that time would leave what the worker keeps in memory half changed, and code
    that catches any exception would go on. Where there is no such timer, the work is finished.
    """
    if until == inf or not hasattr(signal, "setitimer"):
        return _did(_mine[0], name, given, until)
    signal.setitimer(signal.ITIMER_REAL, max(until - monotonic(), 1e-6))
    try:
        return _did(_mine[0], name, given, until)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _did(
    worker: Callable[[], Worker], name: str, given: tuple[Any, ...], until: float
) -> WorkAnswer:
    """Do a piece of work; errors come back as their kind, because messages may hold values."""
    if monotonic() > until:
        return WorkAnswer(kind=TookTooLong.__name__)
    try:
        done = getattr(worker(), name)
        return WorkAnswer(done(*given) if callable(done) else done)
    except LinkmaskError as error:
        return WorkAnswer(kind=type(error).__name__, message=str(error))
    except Exception as error:
        return WorkAnswer(kind=type(error).__name__)
