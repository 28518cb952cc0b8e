"""How fast the analysis is: incidence → risk → plan, on heavy-tailed tables.

    python benchmarks/engine.py [documents …]        default: 1000 10000 100000 1000000

Each size runs in a process of its own, so that its peak memory is its own. Prints, per size,
medians of the stages with the loops compiled, the processor time of risk and plan, its share that
one thread takes alone (what two cores can't divide), the growth exponent in mentions + links, the
ratio to the plain reading at 10,000 documents with the same links, risks and plan size, chains of
four at 100,000, and the default solver against the bound that `exact` proves at 10,000.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from math import log
from statistics import median
from time import perf_counter, process_time, thread_time
from typing import Any

import numpy as np

import plain
import tables
from linkmask import config, graph, plan, schema
from linkmask.config import Settings
from linkmask.records import Incidence

SCHEMA = schema.load("thesis")
SIZES = (1_000, 10_000, 100_000, 1_000_000)


def settings(**overrides: Any) -> Settings:
    return config.load(preset="thesis", overrides={"solver": "cover"} | overrides, environment={})


def corpus(n: int) -> Incidence:
    return graph.incidence(tables.table(n), SCHEMA.weights, settings())


def timed(work: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    start = perf_counter()
    result = work(*arguments)
    return perf_counter() - start, result


def measure(n: int) -> dict[str, float]:
    """Return sizes, medians in seconds and peak memory for one table."""
    mentions = tables.table(n)
    limits = settings()
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds: dict[str, list[float]] = {"incidence": [], "risk": [], "plan": []}
    seconds |= {"cpu": [], "alone": []}
    for _ in range(2 if n >= 1_000_000 else 6):
        took, held = timed(graph.incidence, mentions, SCHEMA.weights, limits)
        seconds["incidence"].append(took)
        spent, alone = process_time(), thread_time()
        took, risk = timed(graph.assess, held, limits)
        seconds["risk"].append(took)
        took, made = timed(plan.choose, held, risk, limits, SCHEMA)
        seconds["plan"].append(took)
        seconds["cpu"].append(process_time() - spent)
        seconds["alone"].append((thread_time() - alone) / seconds["cpu"][-1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "documents": n,
        "mentions": held.n_mentions,
        "links": len(risk.links),
        "above": len(made.chains),
        "masked": len(made.masked),
        "met": made.met,
        **{name: median(runs[1:]) for name, runs in seconds.items()},  # the first one compiles
        "peak": peak / 1e6,
        "base": base / 1e6,
    }


def against_plain(n: int = 10_000) -> None:
    """Print how much faster the engine is than the plain reading, with equal results."""
    held = corpus(n)
    took, want = timed(plain.analyse, held)
    for solver in ("greedy", "cover"):
        limits = settings(solver=solver)
        runs = []
        for _ in range(6):
            start = perf_counter()
            risk = graph.assess(held, limits)
            made = plan.choose(held, risk, limits, SCHEMA)
            runs.append(perf_counter() - start)
        equal = {
            "links": list(want.links) == list(zip(risk.links.left, risk.links.right, strict=True)),
            "risks": bool(np.allclose(want.risks, risk.documents, rtol=0, atol=1e-12)),
            "plan size": len(want.by_document + want.by_chain) == len(made.masked),
        }
        engine = median(runs[1:])
        same = ", ".join(f"{name} {'equal' if ok else 'differ'}" for name, ok in equal.items())
        print(
            f"plain reading at {n:,}: {took:.1f} s; engine with {solver} {engine * 1e3:.0f} ms, "
            f"{took / engine:.0f} times faster; {same}"
        )


def long_chains(n: int = 100_000) -> None:
    """Print the seconds that chains of up to four documents take."""
    held, limits = corpus(n), settings(chain_length=4)
    for _ in range(2):
        seen, risk = timed(graph.assess, held, limits)
        chose, made = timed(plan.choose, held, risk, limits, SCHEMA)
    paths = sum(risk.chains.counts.values())
    print(
        f"chains of four at {n:,}: {paths:,} paths, listed {risk.chains.complete}; "
        f"risk {seen:.1f} s, plan {chose:.1f} s, {made.size.masked:,} masked for chains"
    )


def against_bound(n: int = 10_000) -> None:
    """Print how far the default solver is above what `exact` proves."""
    held = corpus(n)
    risk = graph.assess(held, settings())
    cover = plan.choose(held, risk, settings(), SCHEMA).size.masked
    took, made = timed(plan.choose, held, risk, settings(solver="exact", exact_gap=0.004), SCHEMA)
    best, bound = made.size.masked, made.size.lower_bound
    print(
        f"smallest set at {n:,}: at least {bound:,}; exact {best:,} "
        f"(gap {(best - bound) / best:.2%}) in {took:.0f} s; cover {cover:,} "
        f"({cover / bound - 1:+.2%})"
    )


def growth(rows: list[dict[str, float]]) -> float:
    """Return the exponent of risk + plan seconds in mentions + links, from 10,000 documents on."""
    large = [row for row in rows if row["documents"] >= 10_000]
    size = [log(row["mentions"] + row["links"]) for row in large]
    seconds = [log(row["risk"] + row["plan"]) for row in large]
    return float(np.polyfit(size, seconds, 1)[0])


def main(sizes: list[int]) -> None:
    print(
        f"{'documents':>10}{'mentions':>12}{'links':>12}{'above':>11}{'masked':>11}"
        f"{'incidence':>11}{'risk':>8}{'plan':>8}{'engine s':>10}{'CPU s':>8}{'alone':>7}"
        f"{'µs/m+l':>8}{'peak GB':>9}"
    )
    rows = []
    for n in sizes:
        command = [sys.executable, __file__, "--one", str(n)]
        row = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        rows.append(row)
        engine = row["risk"] + row["plan"]
        each = engine / (row["mentions"] + row["links"]) * 1e6
        print(
            f"{n:10,}{row['mentions']:12,}{row['links']:12,}{row['above']:11,}{row['masked']:11,}"
            f"{row['incidence']:11.3f}{row['risk']:8.3f}{row['plan']:8.3f}{engine:10.3f}"
            f"{row['cpu']:8.3f}{row['alone']:7.0%}{each:8.2f}{row['peak']:9.2f}",
            flush=True,
        )
    if sum(row["documents"] >= 10_000 for row in rows) > 1:
        print(f"growth exponent in mentions + links, from 10,000 documents: {growth(rows):.2f}")
    against_plain()
    long_chains()
    against_bound()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(int(sys.argv[2]))))
    else:
        main([int(argument) for argument in sys.argv[1:]] or list(SIZES))
