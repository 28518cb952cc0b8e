"""Solves weighted set cover, the master problem of `exact`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np

from linkmask.records import Floats, Ints

NODES = 1000
"""Branch-and-bound nodes per call: a stop that, unlike the clock, gives the same answer twice."""

Cut = frozenset[int]
"""Entities of which at least one must be masked."""


def minimal_cuts(cuts: Iterable[Cut]) -> list[Cut]:
    """Return the cuts that hold no other cut, shortest first: hitting these hits all.

    Raises:
        ValueError: a cut is empty, so that nothing hits it.
    """
    order = sorted(set(cuts), key=lambda cut: (len(cut), sorted(cut)))
    if order and not order[0]:
        raise ValueError("an empty cut: a chain stays above its target whatever is masked")
    forced = frozenset(e for cut in order if len(cut) == 1 for e in cut)
    order = [cut for cut in order if len(cut) == 1 or cut.isdisjoint(forced)]
    at = _holders(order)
    needless: set[int] = set()
    for i, cut in enumerate(order):
        if i not in needless:
            rarest_first = sorted((at[e] for e in cut), key=len)
            needless |= rarest_first[0].intersection(*rarest_first[1:]) - {i}
    return [cut for i, cut in enumerate(order) if i not in needless]


def cheapest_cover(
    cuts: Sequence[Cut], cost: Floats, slack: float, upper: float
) -> tuple[Ints, float]:
    """Return entities that hit every cut, about `slack` above the cheapest, and a lower bound.

    Args:
        cuts: minimal ones; see `minimal_cuts`.
        cost: cost of each entity, ≥ 0.
        slack: distance between cost and bound at which to stop, ≥ 0.
        upper: cost of some entities that hit every cut.

    Returns:
        Entity numbers, ascending, and a cost below which no set hits every cut.

    Raises:
        RuntimeError: HiGHS gave no answer within its nodes.

    Notes:
        NP-hard. Dropping what is dominated leaves some 3 % of the cuts that chains give; HiGHS
        solves the rest.

    References:
        R. Garfinkel and G. Nemhauser, "Integer Programming" (1972), for the reductions;
        Q. Huangfu and J. Hall, "Parallelizing the dual revised simplex method", Mathematical
        Programming Computation 10 (2018), for HiGHS.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    rows, forced = _reduced(list(cuts), cost)
    certain = np.array(sorted(forced), dtype=np.int32)
    below = float(cost[certain].sum())
    gap = min(1.0, slack / max(upper - below, 1e-9))  # HiGHS asks relative to what is left
    if not rows:
        return certain, below
    begin = np.cumsum([0] + [len(row) for row in rows])
    entities, column = np.unique([e for row in rows for e in sorted(row)], return_inverse=True)
    matrix = csr_array((np.ones(len(column)), column, begin), shape=(len(rows), len(entities)))
    result = milp(
        cost[entities],
        integrality=np.ones(len(entities)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, lb=1),
        options={"mip_rel_gap": gap, "node_limit": NODES},
    )
    if result.x is None:
        raise RuntimeError(f"set cover has no answer: {result.message}")
    below += float(result.mip_dual_bound)
    if np.array_equal(cost, np.round(cost)):
        below = ceil(below - 1e-6)
    return np.union1d(certain, entities[result.x > 0.5]).astype(np.int32), below


def _reduced(rows: list[Cut], cost: Floats) -> tuple[list[Cut], set[int]]:
    """Drop dominated entities and cuts until nothing changes; return the rest and what is forced.

    Some cheapest set avoids an entity when another that costs no more stands in all its cuts.
    """
    forced: set[int] = set()
    before = -1
    while rows and before != sum(map(len, rows)):
        before = sum(map(len, rows))
        gone = _dominated(rows, cost)
        rows = minimal_cuts(row - gone for row in rows)
        alone = {e for row in rows if len(row) == 1 for e in row}
        forced |= alone
        rows = [row for row in rows if len(row) > 1]
    return rows, forced


def _dominated(rows: Sequence[Cut], cost: Floats) -> set[int]:
    at = _holders(rows)
    gone: set[int] = set()
    for e in sorted(at, key=lambda e: (len(at[e]), -e)):
        held = [rows[i] for i in at[e]]
        others = held[0].intersection(*held[1:]) - gone - {e}
        if any(cost[f] <= cost[e] for f in others):
            gone.add(e)
    return gone


def _holders(rows: Sequence[Cut]) -> dict[int, set[int]]:
    """Return the numbers of the cuts that hold each entity."""
    at: dict[int, set[int]] = {}
    for i, row in enumerate(rows):
        for e in row:
            at.setdefault(e, set()).add(i)
    return at
