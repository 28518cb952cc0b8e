"""The four solvers of the chain stage: how many entities each masks, how long it takes.

    python benchmarks/solvers.py [documents …]        default: 1000 10000

Prints, per table and solver, the entities masked by the chain stage, how far that is above the
bound that `exact` proves, the documents rewritten for them, and seconds (first call, then again
with the loops compiled). Then, chain by chain, how often knapsack and greedy find a smallest set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from time import perf_counter

import numpy as np

import tables
from linkmask import config, graph, schema
from linkmask.formulas import contributions, none_masked, rows_of
from linkmask.plan import SOLVERS
from linkmask.plan.chains import ChainStage, find_violations, one_chain
from linkmask.plan.cost import COSTS
from linkmask.plan.document_stage import mask_documents
from linkmask.plan.greedy import greedy
from linkmask.plan.knapsack import knapsack
from linkmask.records import Incidence

THESIS = config.load(preset="thesis", environment={})
GAP = 0.004
"""`exact` stops below half a percent, as a planner would ask."""


def stage_of(n: int) -> tuple[Incidence, ChainStage]:
    """Return a table's incidence and the state in which its chain stage begins."""
    weights = schema.load("thesis").weights
    incidence = graph.incidence(tables.table(n), weights, THESIS)
    risk = graph.assess(incidence, THESIS)
    masked = none_masked(incidence.n_entities)
    rows = rows_of(incidence)
    mask_documents(rows, contributions(rows), masked, THESIS)
    cost = COSTS[THESIS.cost](incidence)
    return incidence, find_violations(rows, risk, masked, cost, THESIS)


def compare(n: int) -> None:
    """Print size, distance from the bound, documents touched and seconds of each solver."""
    incidence, stage = stage_of(n)
    settings = config.load(preset="thesis", overrides={"exact_gap": GAP}, environment={})
    rows, bound = [], 0
    for solver in ("exact", "cover", "greedy", "knapsack"):
        seconds = []
        for _ in range(2):
            start = perf_counter()
            choice = SOLVERS[solver](stage, settings)
            seconds.append(perf_counter() - start)
        bound = max(bound, choice.lower_bound)
        touched = int(incidence.frequency[choice.entities].sum())
        rows.append((solver, len(choice.entities), touched, *seconds))
    print(f"\n{n:,} documents, {len(stage):,} chains above policy, proven bound {bound:,}")
    print(f"{'solver':10}{'masked':>8}{'above bound':>13}{'rewritten':>11}{'first s':>9}{'s':>8}")
    for solver, size, touched, first, again in rows:
        above = (size - bound) / bound if bound else 0.0
        print(f"{solver:10}{size:8,}{above:13.2%}{touched:11,}{first:9.2f}{again:8.2f}")


def fewest(
    candidates: Sequence[int], risk: Callable[[Collection[int]], float], target: float
) -> int:
    """Return the size of a least set with a risk of at most `target`, trying all sets by size."""
    for size in range(len(candidates)):
        if any(risk(set(some)) <= target for some in combinations(candidates, size)):
            return size
    return len(candidates)


def chain_by_chain(n: int, sample: int = 200, limit: int = 18) -> None:
    """Print how often one chain's set is as small as any, each chain treated alone."""
    _, stage = stage_of(n)
    equal = {"knapsack": 0, "greedy": 0}
    tried = 0
    for c in np.random.default_rng(0).permutation(len(stage)).tolist():
        _, candidates, risk = one_chain(stage.rows, stage.masked, stage.documents[c], THESIS)
        target = float(stage.target[c])
        if tried == sample:
            break
        if len(candidates) > limit:
            continue
        best = fewest(candidates, risk, target)
        equal["knapsack"] += len(knapsack(candidates, risk, target)) == best
        equal["greedy"] += len(greedy(candidates, risk, target)) == best
        tried += 1
    shares = ", ".join(f"{name} {count / tried:.1%}" for name, count in equal.items())
    print(f"\n{tried} single chains of at most {limit} candidates, smallest set found: {shares}")


if __name__ == "__main__":
    for size in [int(arg) for arg in sys.argv[1:]] or [1000, 10_000]:
        compare(size)
    chain_by_chain(1000)
