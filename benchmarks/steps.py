"""One run of `linkmask mask` from end to end, by step: seconds, processor seconds, peak memory.

    python benchmarks/steps.py [documents] [--keep FOLDER]        default: 10000

The corpus is that of benchmarks/endtoend.py, one JSONL file. Each INTERVAL the command's processes
are looked at: what passed since goes to the step at work then, and what is between the steps
(reading settings, opening the run) to `other`. Memory is the sum over the process and its workers,
pages that they share counted once (PSS). A step that takes less than INTERVAL may be missing.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import endtoend

INTERVAL = 0.5
TICKS = os.sysconf("SC_CLK_TCK")
CHILD = """
import contextlib, sys
from pathlib import Path
from linkmask.cli import main
from linkmask.pipeline.jobs.planner import Planner
at_work, step = [], Planner.step

@contextlib.contextmanager
def told(planner, name):
    at_work.append(name)
    said.write_text(name)
    try:
        with step(planner, name):
            yield
    finally:
        at_work.pop()
        said.write_text(at_work[-1] if at_work else "other")

said, Planner.step = Path(sys.argv.pop(1)), told
main()
"""


def processor(root: int) -> float:
    """Return the processor seconds of a process and its children, those that ended included."""
    total, waiting = 0, [root]
    while waiting:
        pid = waiting.pop()
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            waiting += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / TICKS


def watched(command: list[str], said: Path) -> dict[str, list[float]]:
    """Run a command; return the seconds, processor seconds and peak megabytes of each step."""
    steps: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    with (
        tempfile.TemporaryFile() as messages,
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=messages) as process,
    ):
        before = time.perf_counter(), 0.0
        while process.poll() is None:
            time.sleep(INTERVAL)
            memory, used = endtoend.resident(process.pid), processor(process.pid)
            now = time.perf_counter(), max(used, before[1])
            row = steps[said.read_text() or "other"]
            row[0] += now[0] - before[0]
            row[1] += now[1] - before[1]
            row[2] = max(row[2], memory)
            before = now
        if process.returncode not in (0, 2):
            messages.seek(0)
            raise RuntimeError(f"it ended with {process.returncode}: {messages.read()!r}")
    return steps


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("documents", nargs="?", type=int, default=10_000)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as other:
        folder = asked.keep or Path(other)
        folder.mkdir(parents=True, exist_ok=True)
        source, out, said = folder / "in.jsonl", folder / "out", folder / "step"
        said.write_text("other")
        with source.open("w") as handle:
            handle.writelines(
                json.dumps(record) + "\n" for record in endtoend.corpus(asked.documents)
            )
        command = [sys.executable, "-c", CHILD, said, "mask", source, "-o", out]
        steps = watched(list(map(str, command)), said)
        counts = json.loads((out / "summary.json").read_text())["counts"]
        kept = sum(one.stat().st_size for one in Path(f"{out}.run").rglob("*") if one.is_file())
        print(
            f"{asked.documents} documents, {source.stat().st_size / 1e6:.1f} MB; "
            f"{counts['set_aside']} set aside; the run holds {kept / 1e6:.0f} MB"
        )
    print("| Step | Seconds | Processor seconds | Peak memory |\n|---|---|---|---|")
    for name, (seconds, used, memory) in steps.items():
        print(f"| {name} | {seconds:.0f} | {used:.0f} | {memory:,.0f} MB |")
    whole = [sum(row[0] for row in steps.values()), sum(row[1] for row in steps.values())]
    peak = max(row[2] for row in steps.values())
    print(f"| all | {whole[0]:.0f} | {whole[1]:.0f} | {peak:,.0f} MB |")
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    print(f"The largest process, with what it shares with others: {largest:,.0f} MB")


if __name__ == "__main__":
    main()
