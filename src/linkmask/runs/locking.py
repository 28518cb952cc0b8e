"""Locks a run's folder for one process, and completes exchanges that a killed one decided."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from linkmask.errors import RunError
from linkmask.runs import exchange
from linkmask.runs.exchange import Journal
from linkmask.runs.log import private


def recover(path: Path) -> Journal | None:
    """Complete what was decided in a run before a kill, and return it; None if nothing was.

    Raises:
        RunError: another process is on it, or it can't be completed.
    """
    if not (path / exchange.JOURNAL).exists():
        return None
    lock = take_lock(path)
    try:
        return exchange.complete(path)
    finally:
        os.close(lock)


def take_lock(path: Path) -> int:
    """Take the folder for this process, until it ends or lets go.

    Raises:
        RunError: another process has it.
    """
    descriptor = -1
    try:
        descriptor = private(path / ".lock", 0)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunError(f"another run is using {path}: wait for it, or give another --run") from None
    except OSError as error:
        raise RunError(f"can't write to {path}: {error.strerror}") from None
    return descriptor
