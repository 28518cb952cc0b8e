"""Chains of three and four documents, held to their targets without making them (formulas.md §9.9).

Every path is looked at through its middle: pairs of hops at a document, or at the two ends of a
link. With hops sorted by what they leave (1 − hop risk), the scan stops where even the next two
together stay below the smallest target there can be. Masking never raises a risk, so a path once
met stays met and one pass is final; a hop's old value is an upper bound until it is looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    Rows,
    chain_risk,
    document_risk,
    document_risks_of,
    edge_strength,
    fast,
    hop_risk,
    kernel,
    level,
    target,
    within,
)
from linkmask.plan.chains import Choice, Stage
from linkmask.records import Flags, Links


class Hops(NamedTuple):
    """Links by document, riskiest first when the pass begins.

    The links of document d are `link[start[d]:start[d + 1]]`, their other ends `other[…]`.
    `sorted_kept` is 1 − hop risk at that time, ascending in d: a lower bound for ever after.
    `kept` is the last value known of each link, `kept_before` that of the stage's start.
    """

    left: Any
    right: Any
    start: Any
    link: Any
    other: Any
    sorted_kept: Any
    kept: Any
    kept_before: Any


def hold_long_chains(stage: Stage, links: Links, masked: Flags, settings: Settings) -> Choice:
    """Mask further until every path of 3, and of 4 where asked for, meets its target.

    Targets come from each path's risk at the start of the stage, as in formulas.md §9.2. `masked`
    holds what is masked so far, chains of two documents met, and is updated in place.

    Returns:
        Entities in order of choice; the gain of each is the drop in risk of the path it was
        chosen for.

    Notes:
        About links × their neighbours above the cut-off; no path is stored. The set is not
        minimal.
    """
    work = len(stage.rows.entity)
    before = document_risks_of(stage.rows, stage.masked)
    now = document_risks_of(stage.rows, masked)
    left, right = links.left, links.right
    keeps = fast(_keeps, work)
    kept_before = keeps(stage.rows, stage.masked, before, left, right)
    kept = keeps(stage.rows, masked, now, left, right)
    order = np.argsort(kept, kind="stable")
    hops = fast(_sorted_hops, work)(left, right, kept, kept_before, order, len(before))
    limits = (settings.high, settings.medium, settings.theta_chain, *settings.rho[:2])
    chosen, gain = fast(_hold, work)(stage.rows, hops, masked, limits, settings.chain_length)
    return Choice(chosen, gain, np.ones(len(chosen), dtype=np.int32))


@kernel
def _keeps(rows: Rows, masked: Any, risks: Any, left: Any, right: Any) -> Any:
    """Return 1 − hop risk of every link."""
    kept = np.empty(len(left))
    for k in range(len(left)):
        i, j = left[k], right[k]
        kept[k] = 1.0 - hop_risk(edge_strength(rows, masked, i, j), risks[i], risks[j])
    return kept


@kernel
def _sorted_hops(left: Any, right: Any, kept: Any, kept_before: Any, order: Any, n: int) -> Hops:
    """List links by document in `order`, riskiest first."""
    start = np.zeros(n + 1, dtype=np.int64)
    for k in range(len(left)):
        start[left[k] + 1] += 1
        start[right[k] + 1] += 1
    for d in range(n):
        start[d + 1] += start[d]
    link = np.empty(2 * len(left), dtype=np.int32)
    other = np.empty(2 * len(left), dtype=np.int32)
    sorted_kept = np.empty(2 * len(left))
    after = start[:-1].copy()
    for k in order:
        for end in range(2):
            d, e = (left[k], right[k]) if end == 0 else (right[k], left[k])
            link[after[d]], other[after[d]], sorted_kept[after[d]] = k, e, kept[k]
            after[d] += 1
    return Hops(left, right, start, link, other, sorted_kept, kept, kept_before)


@kernel
def _hold(rows: Rows, hops: Hops, masked: Any, limits: Any, length: int) -> tuple[Any, Any]:
    """Look at every path that may be above target, and mask until it is not."""
    high, medium, theta, rho_high, rho_medium = limits
    least = min(theta, rho_high * high, rho_medium * medium)
    chosen = np.empty(len(masked), dtype=np.int32)
    gain = np.empty(len(masked))
    size = 0
    start, kept = hops.start, hops.sorted_kept
    path = np.full(4, -1, dtype=np.int32)
    used = np.full(3, -1, dtype=np.int64)
    for b in range(len(start) - 1):
        for x in range(start[b], start[b + 1] - 1):
            if within(1.0 - kept[x] * kept[x + 1], least):
                break
            for y in range(x + 1, start[b + 1]):
                if within(1.0 - kept[x] * kept[y], least):
                    break
                path[0], path[1], path[2] = hops.other[x], b, hops.other[y]  # path[3] is −1
                used[0], used[1] = hops.link[x], hops.link[y]
                size = _meet(rows, hops, masked, limits, path, used, 2, chosen, gain, size)
    if length < 4:
        return chosen[:size].copy(), gain[:size].copy()
    for m in range(len(hops.left)):
        b, c = hops.left[m], hops.right[m]
        for x in range(start[b], start[b + 1]):
            if within(1.0 - kept[x] * hops.kept[m] * kept[start[c]], least):
                break
            for y in range(start[c], start[c + 1]):
                if within(1.0 - kept[x] * hops.kept[m] * kept[y], least):
                    break
                a, d = hops.other[x], hops.other[y]
                if a in (c, d) or b == d:
                    continue
                path[0], path[1], path[2], path[3] = a, b, c, d
                used[0], used[1], used[2] = hops.link[x], m, hops.link[y]
                size = _meet(rows, hops, masked, limits, path, used, 3, chosen, gain, size)
    return chosen[:size].copy(), gain[:size].copy()


@kernel
def _meet(
    rows: Rows, hops: Hops, masked: Any, limits: Any, path: Any, used: Any, n: int,
    chosen: Any, gain: Any, size: int,
) -> int:  # fmt: skip
    """Bring one path of n hops to its target; return how many entities are chosen by now."""
    high, medium, theta, rho_high, rho_medium = limits
    before, left = 1.0, 1.0
    for k in range(n):
        before *= hops.kept_before[used[k]]
        left *= hops.kept[used[k]]
    at = level(1.0 - before, high, medium)
    goal = target(1.0 - before, at, theta, rho_high, rho_medium)
    if within(1.0 - left, goal):
        return size
    while True:
        left = 1.0
        for k in range(n):
            i, j = path[k], path[k + 1]
            strength = edge_strength(rows, masked, i, j)
            risk_i, risk_j = document_risk(rows, masked, i), document_risk(rows, masked, j)
            hops.kept[used[k]] = 1.0 - hop_risk(strength, risk_i, risk_j)
            left *= hops.kept[used[k]]
        if within(1.0 - left, goal):
            return size
        best, drop = _best(rows, masked, path, n, 1.0 - left)
        if best < 0:
            return size
        masked[best] = True
        chosen[size], gain[size] = best, drop
        size += 1


@kernel
def _best(rows: Rows, masked: Any, path: Any, n: int, now: float) -> tuple[int, float]:
    """Return the shared entity whose mask takes most off a path's risk, and how much."""
    best, most = -1, 0.0
    for k in range(n):
        a, a_end = rows.start[path[k]], rows.start[path[k] + 1]
        b, b_end = rows.start[path[k + 1]], rows.start[path[k + 1] + 1]
        while a < a_end and b < b_end:
            e, f = rows.entity[a], rows.entity[b]
            if e == f and not masked[e]:
                masked[e] = True
                drop = now - chain_risk(rows, masked, path)
                masked[e] = False
                if drop > most or (drop == most and drop > 0.0 and e < best):
                    best, most = e, drop
            if e <= f:
                a += 1
            if f <= e:
                b += 1
    return best, most
