"""Finds every pair of documents whose shared entities reach the edge threshold, exactly.

A weighted set-similarity join with a threshold. In log space a link needs
Σ −log(1 − s_e) ≥ T = −log(1 − τ) over shared entities, and s_e ≤ s̄_e = (largest relevance
anywhere) · u · w. So with b_e = −log(1 − s̄_e) and entities ordered from rare to frequent:

- the first shared entity of a link stands where what is left of both documents, from there on,
  can still reach T: only those places are listed (prefix filter);
- a list too long to compare pair by pair is split by a second shared entity, by a third, …, as
  long as what the split shares so far and what is left can reach T;
- a pair is compared in the one group that names its first shared entities, so none is met twice.

The exact formula then decides each pair. Uniqueness falls with frequency, so frequent entities
weigh little and their pairs are not listed.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    SLACK,
    Rows,
    compiling,
    fast,
    in_parts,
    kernel,
    loop_work,
    rows_of,
    sort_rows,
    thread_count,
)
from linkmask.graph.contained import without_contained
from linkmask.graph.index import Index, index_of
from linkmask.graph.join import join
from linkmask.records import Incidence, Links

BOUND_SLACK = 1e-9
"""Tolerance of the bounds, which are sums of logarithms with rounding errors."""


def find_links(
    incidence: Incidence, settings: Settings, threads: int | None = None, rows: Rows | None = None
) -> Links:
    """Return every pair of documents that shares an entity, at or above the edge threshold.

    A document that holds no value beyond those of the other one is linked to it only if
    `settings.link_contained` says so (formulas.md §6.4).

    A group of documents that share the same values and would expand to more than
    `settings.group_budget` pairs is not expanded; its pairs are counted in `blocked`. The result
    is the same for any number of threads; by default as many as there are cores, up to 8. `rows`
    are `rows_of(incidence)`, from who has them.

    Notes:
        Time is about linear in mentions + links.

    References:
        R. Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", WWW (2007), for
        the prefix filter; the docstring of this module for the bound.
    """
    need = -np.log1p(-min(settings.edge_threshold - SLACK, 1 - SLACK)) - BOUND_SLACK
    floor = 1.0 - settings.edge_threshold + SLACK
    rows, n = rows or rows_of(incidence), incidence.n_documents
    work = loop_work(rows)
    index = index_of(rows, incidence.frequency, need)
    if threads is None:
        threads = thread_count() if work >= compiling.COMPILE_FROM else 1
    pairs = fast(join, work)
    with ThreadPoolExecutor(threads) as pool:
        jobs = [
            pool.submit(pairs, index, a, b, need, floor, settings.group_budget)
            for a, b in _runs_of_ranks(index, threads)
        ]
        found = [job.result() for job in jobs]
    del index, jobs
    links = _sorted([part[:3] for part in found], n, work)
    if not settings.link_contained:
        links = without_contained(links, rows)
    return replace(links, blocked=sum(int(part[3]) for part in found))


def _sorted(parts: list[tuple[Any, Any, Any]], n: int, work: int) -> Links:
    """Return the links of all parts by left document, then by right."""
    count, place = fast(_degrees, work), fast(_place, work)
    start = np.zeros(n + 1, dtype=np.int64)
    for part in parts:
        count(part[0], start)
    np.cumsum(start, out=start)
    left, right = np.empty((2, start[-1]), dtype=np.int32)
    strength = np.empty(start[-1])
    after = start[:-1].copy()

    def rows(a: int, b: int) -> None:
        for part in parts:
            place(*part, after, right, strength, a, b)
        order(start, right, strength, a, b)
        number(start, left, a, b)

    order, number = fast(sort_rows, work), fast(_number, work)
    in_parts(rows, n, work)
    return Links(left, right, strength)


@kernel
def _degrees(left: Any, start: Any) -> None:
    """Add up the links of each left document, in the place behind its own."""
    for d in left:
        start[d + 1] += 1


@kernel
def _place(
    left: Any, right: Any, strength: Any, after: Any, to: Any, with_it: Any, first: int, last: int
) -> None:
    """Write links into the rows of left documents in [first, last), each where `after` says."""
    for k in range(len(left)):
        d = left[k]
        if first <= d < last:
            to[after[d]], with_it[after[d]] = right[k], strength[k]
            after[d] += 1


@kernel
def _number(start: Any, left: Any, first: int, last: int) -> None:
    """Write the number of each left document in [first, last) into its row."""
    for d in range(first, last):
        for k in range(start[d], start[d + 1]):
            left[k] = d


def _runs_of_ranks(index: Index, threads: int) -> list[tuple[int, int]]:
    """Cut the ranks into runs of about equal work, several per thread."""
    size = np.diff(index.begin).astype(np.float64)
    done = np.cumsum(size * np.minimum(size, 100.0))
    if threads == 1 or not len(done):
        return [(0, len(done))]
    cuts = np.searchsorted(done, np.linspace(0, done[-1], 8 * threads + 1)[1:-1])
    return [(a, b) for a, b in pairwise([0, *np.unique(cuts).tolist(), len(done)]) if a < b]
