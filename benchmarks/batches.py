"""What masking over record batches costs, on workers and on the driver, and what lies between.

    python benchmarks/batches.py [documents] [--style STYLE]     default: 2000, value

The corpus is that of `endtoend.py`. All is done in this process, a batch of 256 rows after another,
so that seconds are of one core; they are of the processor. `ship` is what a step's file costs:
writing it once, and reading it, which each worker process does. The last lines say what lies in
the folder that driver and workers share, per document, and how much memory the process took.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import Any

import pyarrow as pa

import endtoend
from linkmask.config import Settings
from linkmask.pipeline import plan_and_check
from linkmask.pipeline.batches import DATA, KEY, STEPS, keep_work, loaded
from linkmask.pipeline.batches.batch_job import BatchJob, Row
from linkmask.runs import Run

BATCH = 256


class Timed:
    """Runs each step over a table in this process, and notes what it took."""

    def __init__(self, table: pa.Table, place: Path) -> None:
        self.table = table.append_column(KEY, table["id"])
        self.place = place
        self.rows: dict[str, list[Row]] = {}
        self.seconds: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()

    def __call__(self, name: str, step: Any, beside: str) -> list[Row]:
        """Run a step; return its rows by ascending document, or masked rows."""
        table = self.table
        if beside:
            data = {row["document"]: row["data"] for row in self.rows[beside]}
            made = [data.get(key) for key in table[KEY].to_pylist()]
            table = table.append_column(DATA, pa.array(made, pa.binary()))
        begin = process_time()
        work = keep_work(self.place / f"{name}.work", step)
        loaded(work)
        ready = process_time()
        done = list(STEPS[name](iter(table.to_batches(BATCH)), work))
        self.seconds["ship"] += ready - begin
        self.seconds[name] += process_time() - ready
        self.bytes[f"{name}.work"] = Path(work.path).stat().st_size
        self.bytes[name] = sum(batch.nbytes for batch in done)
        rows = [row for batch in done for row in batch.to_pylist()]
        self.rows[name] = sorted(rows, key=lambda row: row.get("document", ""))
        return self.rows[name]


def main() -> None:
    """Measure one corpus."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", nargs="?", type=int, default=2000)
    parser.add_argument("--style", default="value")
    asked = parser.parse_args()
    settings = Settings(workers=1, style=asked.style)
    table = pa.Table.from_pylist(endtoend.corpus(asked.documents))
    with tempfile.TemporaryDirectory(prefix="linkmask-batches-") as folder:
        place = Path(folder)
        spread = Timed(table, place)
        with Run.create(place / "run", settings, source=place, digest="") as run:
            begin = process_time()
            job = BatchJob(run, settings, spread)
            job.detect()
            job.score()
            plan_and_check(job)
            whole = process_time() - begin
            spread.seconds["driver"] = whole - sum(spread.seconds.values())
            released = spread("release", job.release_work, "check")
        kept = {path.name: path.stat().st_size for path in (place / "run").iterdir()}
    per, n = 1e6 / asked.documents, asked.documents
    print(f"{n:,} documents of {table.nbytes / n:,.0f} bytes, {len(released):,} released")
    for name, seconds in spread.seconds.items():
        print(f"  {name:<12} {seconds:7.2f} s   {seconds * per:7.0f} µs a document")
    for name, size in [*spread.bytes.items(), ("run", sum(kept.values()))]:
        print(f"  {name:<16} {size / n:7,.0f} bytes a document")
    print(f"  peak of memory   {getrusage(RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
