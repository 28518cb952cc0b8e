"""Reloads the run when it has changed, while requests are answered."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from linkmask.errors import LinkmaskError
from linkmask.runs.file_names import PLAN, RELEASED, VAULT
from linkmask.runs.run_paths import run_at

log = logging.getLogger("linkmask.serve")
FILES = (RELEASED, PLAN, "mentions.jsonl", VAULT, "key", "tokens")
"""Files of a run by which texts are masked and unmasked."""
RETRY_SECONDS = 10.0
"""Seconds until a run that could not be opened is tried again."""

State = list[tuple[str, int, int, int]]


def state_of(path: Path) -> State:
    """Return name, number, size and time of each of a run's files that is there."""
    found = []
    for name in FILES:
        with suppress(OSError):
            stat = (run_at(path) / name).stat()
            found.append((name, stat.st_ino, stat.st_size, stat.st_mtime_ns))
    return found


async def watch(
    path: Path, loaded: State, reload: Callable[[], Awaitable[None]], seconds: float
) -> None:
    """Reload a run each time that its files have changed and rest, or SIGHUP asks for it.

    Args:
        path: the run.
        loaded: its state before it was loaded.
        reload: loads it; where that fails, the run is served as it was, and tried again.
        seconds: how often to look.
    """
    before, asked = loaded, asyncio.Event()
    with _on_hangup(asked.set):
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(asked.wait(), seconds)
            now = state_of(path)
            if asked.is_set() or now == before != loaded:
                asked.clear()
                try:
                    await reload()
                except LinkmaskError as error:
                    log.error("The run has changed and can't be opened: %s", error)
                    await asyncio.sleep(RETRY_SECONDS)
                else:
                    loaded = now
                    log.info("The run was loaded again")
            before = now


@contextmanager
def _on_hangup(call: Callable[[], None]) -> Iterator[None]:
    """Call a function at each SIGHUP, where signals can be had: in the main thread."""
    loop = asyncio.get_running_loop()
    number = getattr(signal, "SIGHUP", None)
    taken = False
    if number is not None:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, call)
            taken = True
    try:
        yield
    finally:
        if taken and number is not None:
            loop.remove_signal_handler(number)
