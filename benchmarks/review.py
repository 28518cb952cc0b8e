"""What the review page takes to answer on a large corpus: processor seconds by kind of question.

    python benchmarks/review.py [documents …]                  default: 10000 100000

The corpus is a table of mentions of `tables.py`, scanned and planned. Each question is asked five
times of the page's own functions, each time of another value or with other limits; medians. It is
processor time, which other work on the machine does not change; of two threads it counts both.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from statistics import median
from time import process_time

import tables
from linkmask import commands
from linkmask.config import load
from linkmask.review.clusters import clusters
from linkmask.review.entities import Query, table
from linkmask.review.estimates import estimate, plan_change, with_choice
from linkmask.review.session import ReviewSession
from linkmask.review.why import links_of_document
from linkmask.runs import Run

TIMES = 5
SIZES = (10_000, 100_000)


def measure(documents: int) -> None:
    """Print a line for each question."""
    with tempfile.TemporaryDirectory() as folder:
        mentions, run = Path(folder) / "mentions.parquet", Path(folder) / "run"
        tables.write(tables.table(documents), mentions)
        commands.scan_files(None, run, load(environment={}), mentions=mentions)
        _as_if_detected(run)
        commands.plan_run(run, {})
        begin = process_time()
        review = ReviewSession(run, "benchmark")
        print(f"{documents:,} documents, {review.opened.incidence.n_entities:,} values")
        print(f"  {'open the run':40}{process_time() - begin:8.2f} s")
        opened, decisions, now = review.opened, review.decisions, review.planned
        masked, pending = now.plan.masked, decisions.pending
        ids = opened.incidence.entities

        def keep(k: int) -> object:
            return estimate(opened, with_choice(pending, ids[masked[k * 7]], "keep"))

        def retype(k: int) -> object:
            return estimate(opened, pending._replace(correct={ids[masked[k * 7]]: "EVENT"}))

        def limits(k: int) -> object:
            return plan_change(
                opened, now, pending._replace(limits={"theta_chain": 0.3 + 0.02 * k})
            )

        def search(k: int) -> object:
            return table(decisions, now.plan, Query(q=str(k), page=k + 1))

        questions: dict[str, Callable[[int], object]] = {
            "what if a value were kept": keep,
            "what if a value were of another type": retype,
            "what if the limits were others": limits,
            "a page of the table, searched": search,
            "why a document is linked": lambda k: links_of_document(opened, now.plan, k * 31),
            "clusters": lambda k: clusters(opened, now.after),
        }
        for name, ask in questions.items():
            took = []
            for k in range(TIMES + 1):
                begin = process_time()
                ask(k)
                took.append(process_time() - begin)
            print(f"  {name:40}{median(took[1:]):8.2f} s", flush=True)
        review.close()


def _as_if_detected(run: Path) -> None:
    """Write the mentions as detection does: only then can a person say what values are."""
    with Run.open(run, write=True) as opened:
        rows = groupby(list(opened.mentions()), key=attrgetter("document"))
        opened.replace_log("mentions", ((name, list(own)) for name, own in rows))


if __name__ == "__main__":
    for size in map(int, sys.argv[1:] or SIZES):
        measure(size)
