"""Brings chains of three and four documents to their targets without a list (formulas.md §9.9).

Every path is found through its middle: as a pair of hops at a document, or at the two ends of a
link. Hops are sorted by 1 − hop risk, so the scan stops where even the next two together stay below
the smallest possible target. Masking never raises a risk, so a path that has met its target keeps
meeting it, and one pass is enough. An old value of a hop is an upper bound until it is computed
again. A second pass, over a finished plan, lists the paths that it leaves above target.
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
from linkmask.formulas.csr import row_starts
from linkmask.formulas.link_batches import hops_kept
from linkmask.plan.chains import UNMET_REASON, ChainStage, Choice
from linkmask.records import Flags, Links, TreatedChains

UNMET = 1000
"""Longer paths above target that are listed, where a plan leaves some."""


class SortedHops(NamedTuple):
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


class Treated(NamedTuple):
    """What was done with the paths above target; `size` counts it, in its only element.

    If `unmet` has rows, paths are listed there, as many as they are, and nothing is masked.
    Otherwise each path is brought to its target: `chosen` takes the entities, `gain` their drops.
    """

    chosen: Any
    gain: Any
    unmet: Any
    size: Any


def hold_long_chains(stage: ChainStage, links: Links, masked: Flags, settings: Settings) -> Choice:
    """Mask further until every path of 3, and of 4 where asked for, meets its target.

    Targets come from each path's risk at the start of the stage, as in formulas.md §9.1. `masked`
    holds what is masked so far, chains of two documents met, and is updated in place.

    Returns:
        Entities in order of choice; the gain of each is the drop in risk of the path it was
        chosen for.

    Notes:
        About links × their neighbours above the cut-off; no path is stored. The set is not
        minimal.
    """
    none = np.empty((0, 4), dtype=np.int32)
    chosen, gain = _run_search(stage, links, masked, settings, none)
    return Choice(chosen, gain, np.ones(len(chosen), dtype=np.int32))


def with_long_chains(
    found: TreatedChains, stage: ChainStage, links: Links, masked: Flags, settings: Settings
) -> TreatedChains:
    """Add to a stage's chains of two documents the longer paths that a plan leaves above target.

    At most `UNMET` of them are listed; where there may be more, `complete` is False.
    """
    unmet = np.full((UNMET, 4), -1, dtype=np.int32)
    _run_search(stage, links, masked, settings, unmet)
    paths = unmet[unmet[:, 0] >= 0, : settings.chain_length]
    size = len(paths)
    if size == 0:
        return found
    paths = paths[np.lexsort(paths.T[::-1])]
    limits = _limits(settings)
    before, after = (
        np.array([chain_risk(stage.rows, flags, path) for path in paths])
        for flags in (stage.masked, masked)
    )
    levels = np.array([level(risk, *limits[:2]) for risk in before], dtype=np.int8)
    targets = [
        target(risk, at, *limits[2:]) for risk, at in zip(before, levels.tolist(), strict=True)
    ]
    n, more = len(found), settings.chain_length - found.documents.shape[1]
    pairs = np.pad(found.documents, ((0, 0), (0, more)), constant_values=-1)
    return TreatedChains(
        documents=np.concatenate([pairs, paths]),
        before=np.concatenate([found.before, before]),
        after=np.concatenate([found.after, after]),
        target=np.concatenate([found.target, targets]),
        level=np.concatenate([found.level, levels]),
        met=np.concatenate([found.met, np.zeros(size, dtype=np.bool_)]),
        reason={**found.reason, **dict.fromkeys(range(n, n + size), UNMET_REASON)},
        complete=size < UNMET,
    )


def _limits(settings: Settings) -> tuple[float, ...]:
    return settings.high, settings.medium, settings.theta_chain, *settings.rho[:2]


def _run_search(
    stage: ChainStage, links: Links, masked: Flags, settings: Settings, unmet: Any
) -> tuple[Any, Any]:
    """Search every path that may be above target from where a mask stands (`_search_paths`)."""
    work = len(stage.rows.entity) + len(links)
    left, right = links.left, links.right
    kept_before, kept = (
        hops_kept(stage.rows, flags, left, right, document_risks_of(stage.rows, flags))
        for flags in (stage.masked, masked)
    )
    order = np.argsort(kept, kind="stable")
    n = len(stage.rows.start) - 1
    hops = fast(_sorted_hops, work)(left, right, kept, kept_before, order, n)
    walk = fast(_search_paths, work)
    found: tuple[Any, Any] = walk(
        stage.rows, hops, masked, _limits(settings), settings.chain_length, unmet
    )
    return found


@kernel
def _sorted_hops(
    left: Any, right: Any, kept: Any, kept_before: Any, order: Any, n: int
) -> SortedHops:
    """List links by document in `order`, riskiest first."""
    start = row_starts(left, n) + row_starts(right, n)
    link = np.empty(2 * len(left), dtype=np.int32)
    other = np.empty(2 * len(left), dtype=np.int32)
    sorted_kept = np.empty(2 * len(left))
    after = start[:-1].copy()
    for k in order:
        for end in range(2):
            d, e = (left[k], right[k]) if end == 0 else (right[k], left[k])
            link[after[d]], other[after[d]], sorted_kept[after[d]] = k, e, kept[k]
            after[d] += 1
    return SortedHops(left, right, start, link, other, sorted_kept, kept, kept_before)


@kernel
def _search_paths(
    rows: Rows, hops: SortedHops, masked: Any, limits: Any, length: int, unmet: Any
) -> tuple[Any, Any]:
    """Treat every path of 3 or 4 documents that is above target (`_treat`).

    Returns the entities that were masked, in order, and their gains.
    """
    high, medium, theta, rho_high, rho_medium = limits
    least = min(theta, rho_high * high, rho_medium * medium)
    chosen, gain = np.empty(len(masked), dtype=np.int32), np.empty(len(masked))
    done = Treated(chosen, gain, unmet, np.zeros(1, dtype=np.int64))
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
                goal = _target_of(hops, limits, used, 2)
                if goal >= 0.0:
                    _treat(rows, hops, masked, goal, path, used, 2, done)
    for m in range(len(hops.left) if length >= 4 else 0):
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
                goal = _target_of(hops, limits, used, 3)
                if goal >= 0.0:
                    _treat(rows, hops, masked, goal, path, used, 3, done)
        if 0 < len(unmet) == done.size[0]:
            break
    masks = 0 if len(unmet) else done.size[0]
    return done.chosen[:masks].copy(), done.gain[:masks].copy()


@kernel
def _target_of(hops: SortedHops, limits: Any, used: Any, n: int) -> float:
    """Return the target of a path of n hops, or −1 where the values last known meet it."""
    high, medium, theta, rho_high, rho_medium = limits
    before, after = 1.0, 1.0
    for k in range(n):
        before *= hops.kept_before[used[k]]
        after *= hops.kept[used[k]]
    at = level(1.0 - before, high, medium)
    goal = target(1.0 - before, at, theta, rho_high, rho_medium)
    return -1.0 if within(1.0 - after, goal) else goal


@kernel
def _treat(
    rows: Rows, hops: SortedHops, masked: Any, goal: float, path: Any, used: Any, n: int,
    done: Treated,
) -> None:  # fmt: skip
    """Bring a path of n hops to its target, or list it, as far as there is room."""
    if len(done.unmet) == 0:
        _mask_to_target(rows, hops, masked, goal, path, used, n, done)
    elif done.size[0] < len(done.unmet):
        turned = path[0] > path[n]
        for k in range(n + 1):
            done.unmet[done.size[0], k] = path[n - k] if turned else path[k]
        done.size[0] += 1


@kernel
def _mask_to_target(
    rows: Rows, hops: SortedHops, masked: Any, goal: float, path: Any, used: Any, n: int,
    done: Treated,
) -> None:  # fmt: skip
    """Bring one path of n hops to its target."""
    while True:
        product = 1.0
        for k in range(n):
            i, j = path[k], path[k + 1]
            strength = edge_strength(rows, masked, i, j)
            risk_i, risk_j = document_risk(rows, masked, i), document_risk(rows, masked, j)
            hops.kept[used[k]] = 1.0 - hop_risk(strength, risk_i, risk_j)
            product *= hops.kept[used[k]]
        if within(1.0 - product, goal):
            return
        best, drop = _best_entity(rows, masked, path, n, 1.0 - product)
        if best < 0:
            return
        masked[best] = True
        done.chosen[done.size[0]], done.gain[done.size[0]] = best, drop
        done.size[0] += 1


@kernel
def _best_entity(rows: Rows, masked: Any, path: Any, n: int, now: float) -> tuple[int, float]:
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
