"""What a whole job costs, counted: calls of functions and bytes written, in a process of its own.

The count is the same on every machine: the compiler of loops, which has its results from earlier
runs on one machine and not on another, is not counted. Nor is what one call into C costs:
expressions have their own count (`steps.py`).
"""

import cProfile
import gc
import json
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from numba.core import event

from linkmask.cli.group import COLLECT_AFTER
from linkmask.commands import mask_files
from linkmask.config import Settings
from linkmask.detect.ner.model import LOAD_FROM
from linkmask.formulas.compiling import has_kept_code
from linkmask.redact.match import Matcher


@dataclass(frozen=True)
class Cost:
    """Counted work, processor seconds and peak memory of one job; `failed` says what stopped it.

    `set_aside`: the record was not released, as it takes more work than `max_work` allows.
    """

    size: int
    work: float = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    set_aside: bool = False
    failed: str = ""


class SetAsideError(Exception):
    """A record was set aside that should have been released; it says why."""


def mask(record: dict[str, Any], most: int | None = None) -> int:
    """Mask a record as a user does, file to file, and return the bytes that were written.

    Raises:
        SetAsideError: the record was set aside.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        (folder / "in" / "1.json").write_text(json.dumps(record), encoding="utf-8")
        settings = Settings(workers=1) if most is None else Settings(workers=1, max_work=most)
        audit = mask_files(folder / "in", folder / "out", settings)
        for one in audit.set_aside:
            raise SetAsideError(one["reason"])
        return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def warmed() -> None:
    """Load what every job needs, so that the count is of the job alone.

    The search and the tagger are compiled, too, if they were not before.
    """
    long = Matcher([" ".join(["ab"] * 60)])
    while not long.compiled:
        long.find(["ab " * 5000])
    has_kept_code.cache_clear()
    mask({"id": "1", "content": "The claim was sent. " * LOAD_FROM})
    mask({"id": "1", "content": "Ms. Anna Brandvold was born on 4 May 1971. Mme Roth est là."})


def cost_of(
    record: dict[str, Any], seconds: int = 60, gigabytes: float = 4, most: int | None = None
) -> Cost:
    """Return what masking a record costs, in a child that is ended at a limit.

    `most` replaces the setting `max_work`.
    """
    size = len(json.dumps(record, ensure_ascii=False))
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        signal.alarm(3 * seconds)  # a lock that another thread held at the fork is never freed
        most_memory = _address_space() + int(gigabytes * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (most_memory,) * 2)
        os.write(write, json.dumps(_counted(record, most)).encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as said:
        told = said.read()
    return Cost(size, **json.loads(told)) if told else Cost(size, failed="a limit")


def _address_space() -> int:
    """Return the bytes of addresses this process has, which its child begins with."""
    pages = Path("/proc/self/statm")
    return int(pages.read_text().split()[0]) * resource.getpagesize() if pages.exists() else 0


class Uncounted(event.Listener):
    """Stops a counter while loops are compiled, or loaded as they were compiled before."""

    def __init__(self, counter: cProfile.Profile) -> None:
        self.counter = counter
        self.depth = 0

    def on_start(self, event: event.Event) -> None:
        """Stop counting; the compiler may be entered from within itself."""
        self.depth += 1
        self.counter.disable()

    def on_end(self, event: event.Event) -> None:
        """Count again once the outermost entry is left."""
        self.depth -= 1
        if not self.depth:
            self.counter.enable()


def _counted(record: dict[str, Any], most: int | None) -> dict[str, Any]:
    counter = cProfile.Profile()
    gc.set_threshold(COLLECT_AFTER)  # as the command does
    event.register("numba:compiler_lock", Uncounted(counter))  # type: ignore[no-untyped-call]
    begin = time.process_time()
    written, aside = 0, False
    try:
        counter.enable()
        written = mask(record, most)
    except SetAsideError as reason:
        aside = "max_work" in str(reason)
        if not aside:
            return {"failed": str(reason)}
    except BaseException as error:  # whatever ends a job is told to the parent
        return {"failed": type(error).__name__}
    finally:
        counter.disable()
    calls = counter.getstats()
    return {
        "work": sum(entry.callcount for entry in calls) + written,
        "seconds": time.process_time() - begin,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "set_aside": aside,
    }


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of Python some work runs, those of its loops each time."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def exponent(costs: Sequence[Cost], of: str = "work") -> float:
    """Return how work, or `seconds`, grows between the largest two sizes: 1 is linear, 2 square."""
    small, large = costs[-2:]
    return math.log(getattr(large, of) / getattr(small, of)) / math.log(large.size / small.size)
