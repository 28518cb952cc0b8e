"""What a whole job costs, counted: calls of functions and bytes written, in a process of its own.

The count is the same on every machine. What one call into C costs is not in it: expressions have
their own count (`steps.py`).
"""

import cProfile
import json
import math
import os
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from linkmask.commands import mask_files
from linkmask.config import Settings


@dataclass(frozen=True)
class Cost:
    """Counted work, processor seconds and peak memory of one job; `failed` says what stopped it."""

    size: int
    work: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    failed: str = ""


def mask(record: dict[str, Any]) -> int:
    """Mask a record as a user does, file to file, and return the bytes that were written."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        (folder / "in" / "1.json").write_text(json.dumps(record), encoding="utf-8")
        settings = Settings(workers=1)
        mask_files(folder / "in", folder / "out", settings)
        return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def warmed() -> None:
    """Load what every job needs, so that the count is of the job alone."""
    mask({"id": "1", "content": "Ms. Anna Brandvold was born on 4 May 1971. Mme Roth est là."})


def cost_of(record: dict[str, Any], seconds: int = 60, gigabytes: float = 4) -> Cost:
    """Return what masking a record costs, in a child that is ended at a limit."""
    size = len(json.dumps(record, ensure_ascii=False))
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (int(gigabytes * 2**30),) * 2)
        os.write(write, json.dumps(_counted(record)).encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as said:
        told = said.read()
    return Cost(size, **json.loads(told)) if told else Cost(size, failed="a limit")


def _counted(record: dict[str, Any]) -> dict[str, Any]:
    counter = cProfile.Profile()
    begin = time.process_time()
    try:
        counter.enable()
        written = mask(record)
    except BaseException as error:  # whatever ends a job is told to the parent
        return {"failed": type(error).__name__}
    finally:
        counter.disable()
    calls = sum(entry.callcount for entry in counter.getstats())
    return {
        "work": calls + written,
        "seconds": time.process_time() - begin,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def exponent(costs: Sequence[Cost]) -> float:
    """Return how work grows between the largest two sizes: 1 is linear, 2 the square."""
    small, large = costs[-2:]
    return math.log(large.work / small.work) / math.log(large.size / small.size)
