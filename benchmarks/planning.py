"""Risk and plan from a mentions table as a user runs it: seconds and peak memory of two commands.

    python benchmarks/planning.py [documents …] [-- option …]     default: 100000 1000000

`linkmask scan --mentions TABLE -o RUN`, then `linkmask plan RUN`, on the Parquet files of
`tables.py`; the options go to `scan` (`-- --preset thesis`). Each command runs in a process of its
own; start-up counts. Medians of RUNS, after one run that compiles: wall seconds, what of them was
scoring and choosing by the command's own clock (scan's with reading the table), and processor
seconds on all cores. Memory is the largest of a process. Modules are kept compiled, as pip
installs them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import tables

RUNS = 3
SIZES = (100_000, 1_000_000)
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


class Took(NamedTuple):
    """What one command took: wall seconds, seconds of its engine and of processors, peak MB."""

    seconds: float
    engine: float
    processor: float
    memory: float


def run(*arguments: object) -> Took:
    """Run a command of linkmask.

    Raises:
        RuntimeError: it failed (2, a limit unmet, is no failure).
    """
    command = [sys.executable, "-m", "linkmask", *map(str, arguments), "--json"]
    with tempfile.TemporaryFile() as said:
        begin = perf_counter()
        process = subprocess.Popen(command, stdout=said, env=ENVIRONMENT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - begin
        if os.waitstatus_to_exitcode(status) not in (0, 2):
            raise RuntimeError(f"linkmask {arguments[0]} ended with {status}")
        said.seek(0)
        steps: dict[str, Any] = json.load(said)["seconds"]
    engine = steps.get("score", 0.0) + steps.get("plan", 0.0)
    return Took(seconds, engine, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3)


def measure(documents: int, options: list[str]) -> None:
    """Print three lines: scan, plan, and both."""
    with tempfile.TemporaryDirectory() as folder:
        table, held = Path(folder) / "mentions.parquet", Path(folder) / "run"
        # In a process of its own: a child's peak memory begins with that of its parent.
        subprocess.run([sys.executable, __file__, "--write", str(documents), table], check=True)
        size = table.stat().st_size / 1e6
        print(f"{documents:,} documents, {size:.0f} MB of mentions")
        print(f"  {'':8}{'seconds':>12}{'engine':>12}{'processor':>12}{'peak MB':>12}")
        runs = []
        for _ in range(RUNS + 1):
            scan = run("scan", "--mentions", table, "-o", held, "--overwrite", *options)
            runs.append((scan, run("plan", held)))
    del runs[0]  # it compiled
    for name, some in zip(("scan", "plan"), zip(*runs, strict=True), strict=True):
        report(name, list(some))
    report("both", [Took(*map(sum, zip(*one, strict=True))) for one in runs], memory=False)


def report(name: str, runs: list[Took], memory: bool = True) -> None:
    """Print a line: medians of the seconds, the largest memory."""
    *times, peak = zip(*runs, strict=True)
    cells = [f"{median(column):12.2f}" for column in times] + [f"{max(peak):12.0f}"] * memory
    print(f"  {name:8}{''.join(cells)}", flush=True)


def main(arguments: list[str]) -> None:
    """Print the lines of each size."""
    if arguments[:1] == ["--write"]:
        tables.write(tables.table(int(arguments[1])), Path(arguments[2]))
        return
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    for documents in map(int, arguments[:cut] or SIZES):
        measure(documents, arguments[cut + 1 :])


if __name__ == "__main__":
    main(sys.argv[1:])
