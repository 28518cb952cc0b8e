"""Chooses on one chain after another as a 0/1 knapsack (formulas.md §9.6)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil, floor

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import order_key
from linkmask.plan.chains import ChainStage, Choice, treat_chains
from linkmask.plan.greedy import Picks, Risk, greedy, impacts

log = logging.getLogger(__name__)


def solve(stage: ChainStage, settings: Settings) -> Choice:
    """Bring one chain after another to its target by `knapsack`."""
    scale, limit = settings.knapsack_scale, settings.knapsack_candidates
    return treat_chains(stage, settings, partial(knapsack, scale=scale, limit=limit))


def knapsack(
    candidates: Sequence[int], risk: Risk, target: float, *, scale: int = 1000, limit: int = 64
) -> Picks:
    """Mask the fewest candidates whose single impacts add up to what the chain must lose.

    Impacts do not add up, so each answer is checked against the real risk: where it falls short
    the rest is solved again, where it overshoots needless members are dropped, and where no sum
    suffices one greedy step is taken. Greedy's own set, without its needless members, is taken
    instead where it is smaller.

    Args:
        candidates: without repeats; ties go to those that come first.
        risk: risk in [0, 1] for a set of masked candidates, falling as the set grows.
        target: the risk to reach, in [0, 1].
        scale: steps per unit of risk in the dynamic programme.
        limit: only so many candidates of largest impact enter it; a cut is logged.

    Returns:
        The chosen candidates by descending impact, each with the risk it took off after those
        before it. Never more than `greedy` chooses. The risk of the set is at most `target`
        unless no further candidate lowers it.

    Notes:
        O(n · scale) per solve, plus at most 2·n·k calls of `risk`, as for greedy.

    References:
        formulas.md §9.6. H. Kellerer, U. Pferschy, D. Pisinger, "Knapsack Problems",
        Springer (2004).
    """
    chosen: dict[int, float] = {}
    now = risk(set())
    while now > target:
        gain = impacts(candidates, risk, chosen.keys(), now)
        if not gain:
            break
        ranked = sorted(gain, key=lambda e: -order_key(gain[e]))
        if len(ranked) > limit:
            log.info("knapsack looks at %d of %d candidates", limit, len(ranked))
        head = set(ranked[:limit])
        items = {e: gain[e] for e in candidates if e in head}
        for e in _least(items, now - target, scale) or ranked[:1]:
            chosen[e] = gain[e]
        now = risk(set(chosen))
    rank = {e: i for i, e in enumerate(candidates)}
    kept = _without_needless(chosen, rank, risk, target)
    other = _without_needless(dict(greedy(candidates, risk, target)), rank, risk, target)
    if len(other) < len(kept) and risk(set(other)) <= target:
        kept = other
    return _with_gains(kept, risk)


def _least(gain: Mapping[int, float], need: float, scale: int) -> list[int]:
    """Fewest items with enough summed gain, then the largest sum, then the first items; or [].

    `count[j]` and `total[j]` describe the best set of the items seen that is worth at least j.
    Items come last to first and enter on a tie, so that the first ones win.
    """
    items = list(gain)
    worth = [floor(round(gain[e] * scale, 9)) for e in items]
    required = max(1, ceil(round(need * scale, 9)))
    if sum(worth) < required:
        return []
    exact = [order_key(gain[e]) for e in items]  # whole numbers: sums do not hang on order
    count = np.full(required + 1, len(items) + 1)
    total = np.zeros(required + 1, dtype=np.int64)
    count[0] = 0
    taken = np.zeros((len(items), required + 1), dtype=np.bool_)
    level = np.arange(required + 1)
    for i in reversed(range(len(items))):
        below = np.maximum(level - worth[i], 0)
        with_count, with_total = count[below] + 1, total[below] + exact[i]
        better = (with_count < count) | ((with_count == count) & (with_total >= total))
        taken[i] = better
        count = np.where(better, with_count, count)
        total = np.where(better, with_total, total)
    chosen, needed = [], required
    for i, e in enumerate(items):
        if needed > 0 and taken[i, needed]:
            chosen.append(e)
            needed = max(needed - worth[i], 0)
    return chosen


def _without_needless(
    chosen: Mapping[int, float], rank: Mapping[int, int], risk: Risk, target: float
) -> list[int]:
    """Drop members, smallest impact first, while the target still holds; the rest by impact."""
    kept = sorted(chosen, key=lambda e: (-order_key(chosen[e]), rank[e]))
    for e in kept[::-1]:
        rest = [other for other in kept if other != e]
        if risk(set(rest)) <= target:
            kept = rest
    return kept


def _with_gains(order: Sequence[int], risk: Risk) -> Picks:
    risks = [risk(set(order[:i])) for i in range(len(order) + 1)]
    return [(e, risks[i] - risks[i + 1]) for i, e in enumerate(order)]
