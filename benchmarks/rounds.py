"""Planning in SQL on DuckDB: seconds and memory by step, and how its mask compares with `cover`'s.

    python benchmarks/rounds.py [documents] [--slices N] [--memory 6GB] [--alone]

The mention tables are those of `tables.py`, by default of 100,000 documents; preset thesis. Seconds
are wall and processor (both cores). DuckDB works in files of a temporary folder and is given
`--memory`; the peak is the largest memory of this process, the table and the engine's result
included. With `--alone`, for what the engine can't hold, nothing is compared and entities are
numbered as the table numbers its values.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections import defaultdict
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pyarrow as pa

import engine
import tables as made_up
from linkmask import graph, plan
from linkmask.adapters.duckdb import DuckTables
from linkmask.pipeline import sql
from linkmask.pipeline.sql.statements import UNIT
from linkmask.records import Incidence, Plan, Risk


class Timed(DuckTables):
    """Adds up what each table took."""

    def __init__(self, folder: Path, memory: str) -> None:
        super().__init__(folder, memory, threads=2)
        self.seconds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])

    def keep(self, name: str, select: str) -> int:
        """Make a table of what a statement selects; return its rows."""
        wall, processor = perf_counter(), process_time()
        rows = super().keep(name, select)
        known = self.seconds[name.rstrip("_0123456789")]
        known[0] = max(known[0], rows)
        known[1] += perf_counter() - wall
        known[2] += process_time() - processor
        print(f"  {name:<18}{rows:14,} rows {peak():6.1f} GB", flush=True)
        return rows


def peak() -> float:
    """Return the largest memory of this process by now, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def put_alone(tables: DuckTables, n: int) -> None:
    """Put a corpus that no incidence is made of; a value has one type and is an entity."""
    document, value, kind, relevance = made_up.codes(n)
    weights = np.array([engine.SCHEMA.weights[name] for name in made_up.TYPES])
    entity = np.zeros(int(value.max()) + 1)
    entity[value] = weights[kind]
    columns = {"document": document, "entity": value, "relevance": relevance}
    tables.put("given", pa.table(columns))
    whole = "cast(document as bigint) as document, cast(entity as bigint) as entity"
    tables.keep("mention", f"select {whole}, relevance from given")
    tables.drop("given")
    number = np.arange(len(entity), dtype=np.int64)
    tables.put("entity", pa.table({"entity": number, "weight": entity}))


def in_memory(n: int) -> tuple[Incidence, Risk, Plan]:
    """Return what the engine makes of the same corpus."""
    held, limits = engine.corpus(n), engine.settings()
    risk = graph.assess(held, limits)
    return held, risk, plan.choose(held, risk, limits, engine.SCHEMA)


def compare(tables: DuckTables, risk: Risk, want: Plan, made: sql.SqlPlan) -> None:
    """Print how risks and mask compare with the engine's."""
    stage = np.array(want.stage)
    early, late = want.masked[stage == "document"], want.masked[stage == "chain"]
    print(f"document masks equal: {np.array_equal(early, made.documents)}")
    print(f"chains above policy: {made.chains:,}; the engine: {len(want.chains):,}")
    more = len(made.chain) / len(late) - 1
    both = len(np.intersect1d(late, made.chain))
    print(f"masked for chains: {len(made.chain):,}; cover: {len(late):,} ({more:+.2%})")
    print(f"  in both: {both:,}")


def compare_links(tables: DuckTables, risk: Risk) -> None:
    """Print whether links, strengths and risks are the engine's."""
    found = tables.read("select document, risk from risk order by document")
    off = np.abs(found["risk"].to_numpy() - risk.documents[found["document"].to_numpy()]).max()
    links = tables.read("select low, up, z from link order by low, up")
    low, up = (
        np.array_equal(links["low"], risk.links.left),
        np.array_equal(links["up"], risk.links.right),
    )
    strength = -np.expm1(links["z"].to_numpy() / -UNIT)
    strong = np.abs(strength - risk.links.strength).max() if low and up else np.nan
    print(f"links equal: {low and up} ({len(links):,})")
    print(f"  strengths off by {strong:.0e}, risks of documents by {off:.0e}")


def main() -> None:
    """Measure one size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", nargs="?", type=int, default=100_000)
    parser.add_argument("--slices", type=int, default=1)
    parser.add_argument("--memory", default="6GB")
    parser.add_argument("--alone", action="store_true")
    asked = parser.parse_args()
    n, limits = asked.documents, engine.settings()
    with tempfile.TemporaryDirectory(prefix="linkmask-rounds-") as folder:
        tables = Timed(Path(folder) / "tables", asked.memory)
        if asked.alone:
            put_alone(tables, n)
        else:
            held, risk, want = in_memory(n)
            sql.tables_of(tables, held)
        begin = perf_counter(), process_time()
        sql.load(tables, n)
        if not asked.alone:
            sql.find_links(tables, limits, asked.slices)
            compare_links(tables, risk)
            tables.drop("link")
        made = sql.choose(tables, limits, n, slices=asked.slices)
        took = perf_counter() - begin[0], process_time() - begin[1]
        if not asked.alone:
            compare(tables, risk, want, made)
        tables.close()
    print(
        f"{n:,} documents: {len(made.documents):,} masked for documents, {len(made.chain):,} for "
        f"{made.chains:,} chains in {made.rounds} rounds; {made.unmet_chains} unmet"
    )
    for name, (rows, wall, processor) in tables.seconds.items():
        print(f"  {name:<16}{int(rows):14,} rows {wall:9.1f} s {processor:9.1f} s of processor")
    print(f"  in all {took[0]:.1f} s, {took[1]:.1f} s of processor; peak of memory {peak():.1f} GB")


if __name__ == "__main__":
    main()
