"""Links: every pair of documents whose shared entities reach the edge threshold, exactly.

A weighted set-similarity join with a threshold. In log space a link needs
Σ −log(1 − s_e) ≥ T = −log(1 − τ) over shared entities, and s_e ≤ s̄_e = (largest relevance
anywhere) · u · w. So with b_e = −log(1 − s̄_e) and entities ordered from rare to frequent:

- the first shared entity of a link stands where what is left of both documents, from there on,
  can still reach T: only those places are listed (prefix filter);
- a list too long to compare pair by pair is split by a second shared entity, by a third, …, as
  long as what the split shares so far and what is left can reach T;
- a pair is compared in the one group that names its first shared entities, so none is met twice.

Each pair met is then decided by the exact formula. Uniqueness falls with frequency, so what is
popular weighs little and its pairs are never listed.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    SLACK,
    Rows,
    compiling,
    cores,
    counting_order,
    edge_strength,
    fast,
    kernel,
    rows_of,
)
from linkmask.graph.join import Index, index_of, join
from linkmask.records import Incidence, Links

BOUND_SLACK = 1e-9
"""Bounds are sums of logarithms: they get this much more room than the formula they guard."""


def find_links(incidence: Incidence, settings: Settings, threads: int | None = None) -> Links:
    """Return every pair of documents that shares an entity, at or above the edge threshold.

    A group of documents that share the same values and would expand to more than
    `settings.group_budget` pairs is not expanded; its pairs are counted in `blocked`. The result
    is the same for any number of threads; by default as many as there are cores, up to 8.

    Notes:
        Time is about linear in mentions + links.

    References:
        R. Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", WWW (2007), for
        the prefix filter; ENGINE §3 for the recursion and the proofs.
    """
    work, n = incidence.n_mentions, incidence.n_documents
    need = -np.log1p(-min(settings.edge_threshold - SLACK, 1 - SLACK)) - BOUND_SLACK
    floor = 1.0 - settings.edge_threshold + SLACK
    index = fast(index_of, work)(rows_of(incidence), incidence.frequency, need)
    if threads is None:
        threads = cores() if work >= compiling.COMPILE_FROM else 1
    pairs = fast(join, work)
    with ThreadPoolExecutor(threads) as pool:
        jobs = [
            pool.submit(pairs, index, a, b, need, floor, settings.group_budget)
            for a, b in _parts(index, threads)
        ]
        found = [job.result() for job in jobs]
    left, right, strength = (np.concatenate([part[k] for part in found]) for k in range(3))
    blocked = sum(int(part[3]) for part in found)
    del found, jobs, index  # the largest arrays there are: the sort needs the room
    sort = fast(counting_order, work)
    order = sort(left, sort(right, np.arange(len(left), dtype=np.int32), n), n)
    return Links(left[order], right[order], strength[order], blocked)


def _parts(index: Index, threads: int) -> list[tuple[int, int]]:
    """Cut the ranks into runs of about equal work, several per thread."""
    size = np.diff(index.begin).astype(np.float64)
    done = np.cumsum(size * np.minimum(size, 100.0))
    if threads == 1 or not len(done):
        return [(0, len(done))]
    cuts = np.searchsorted(done, np.linspace(0, done[-1], 8 * threads + 1)[1:-1])
    return [(a, b) for a, b in pairwise([0, *np.unique(cuts).tolist(), len(done)]) if a < b]


@kernel
def strengths(rows: Rows, masked: Any, left: Any, right: Any) -> Any:
    """Return the strength of each pair under a mask."""
    found = np.empty(len(left))
    for k in range(len(left)):
        found[k] = edge_strength(rows, masked, left[k], right[k])
    return found
