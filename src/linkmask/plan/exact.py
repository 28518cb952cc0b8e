"""Finds the smallest set that meets every chain's target, with a proven bound (formulas.md §9.8).

An implicit hitting set. Masking never raises a risk, so where a chain stays above its target even
with all its other entities masked, at least one of the few left must be masked in *any* plan: a
cut. The master problem, a set cover over the cuts found so far, is solved by HiGHS; the true
formulas name the chains its answer leaves above target; these give new cuts; and so on. The master
bounds the size from below, repairing its answer from above, until both meet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import Rows, chain_risk, fast, kernel, within
from linkmask.plan.chains import ChainStage, Choice
from linkmask.plan.cover import Cover
from linkmask.plan.setcover import Cut, cheapest_cover, minimal_cuts
from linkmask.records import Flags, Floats, Ints

ORDERS = 4
"""Orders in which a chain's entities are tried for each cut: more cuts now, fewer rounds."""
CUT_CHAINS = 100_000
"""Cuts are drawn from at most about so many chains per round."""
SETTLED = 0.002
"""Spread between cost and bound up to which each master is asked for its share of the gap only."""
LOOSE = 4
"""A master is asked for the spread over this; it grows tighter as the spread does."""
OWN_GAP = 3
"""A master alone may leave the gap over this."""
EQUAL = 1e-6
"""Costs that differ by no more are equal."""
Above = Callable[[Flags], tuple[Ints, Floats]]
"""Mask → the chains it leaves above target (paths padded with −1) and their targets in [0, 1]."""


@dataclass(frozen=True, slots=True)
class ExactAnswer:
    """A mask under which every chain meets its target, its cost, and what is proven about it.

    `masked` also holds what was masked before, which `cost` and `bound` do not count. No feasible
    set of further entities costs less than `bound`; if `proven`, this set costs exactly that.
    """

    masked: Flags
    cost: float
    bound: float
    proven: bool
    rounds: int


def solve(stage: ChainStage, settings: Settings) -> Choice:
    """Mask the cheapest set that meets every chain's target, as far as it can be proven.

    Of the number of entities something is proven only where each costs 1.
    """
    layout = Cover.of(stage)
    eligible = ~stage.masked
    if settings.chain_candidates == "via":
        eligible[:] = False
        eligible[stage.hops.entities] = True

    def above(masked: Flags) -> tuple[Ints, Floats]:
        found = layout.above(masked)
        found = found[:: len(found) // CUT_CHAINS + 1]
        return stage.documents[found], stage.target[found]

    answer = hitting_set(
        stage.rows, stage.masked, eligible, stage.cost, above, layout.repair,
        gap=settings.exact_gap, rounds=settings.exact_rounds,
    )  # fmt: skip
    entities = np.flatnonzero(answer.masked & ~stage.masked).astype(np.int32)
    gain, served = layout.gains(answer.masked, entities)
    if (stage.cost != 1.0).any():
        return Choice(entities, gain, served)
    return Choice(entities, gain, served, round(answer.bound), answer.proven)


def hitting_set(
    rows: Rows,
    masked: Flags,
    eligible: Flags,
    cost: Floats,
    above: Above,
    repair: Callable[[Flags], Flags],
    *,
    gap: float = 0.0,
    rounds: int = 200,
) -> ExactAnswer:
    """Find the cheapest set of further entities with which every chain meets its target.

    Args:
        rows: the corpus.
        masked: what earlier stages masked; it stays masked.
        eligible: entities that may be masked; every chain can be met by masking them all.
        cost: cost of masking each entity, ≥ 0; all ones for the fewest entities.
        above: names chains that a mask leaves above target; where there are many, some suffice.
        repair: adds to a mask until every chain meets its target, then takes back what no chain
            needs (never what `masked` holds): the upper bound.
        gap: stop when (cost − bound) / cost is at most this; 0 asks for a proof.
        rounds: stop after so many masters.

    Returns:
        The best set found, never dearer than `repair(masked)`, with a proven lower bound. The
        same input gives the same answer: it stops by gap, rounds and nodes, never by the clock.

    Notes:
        NP-hard. A round costs one growth of the mask in each chain above target and one set-cover
        master. 10,000 documents with 17,000 chains above target: 8 rounds and 10 CPU seconds to a
        proof at unit costs. Unequal costs are harder: a proof for 1,000 documents takes as long,
        beyond a few thousand ask for a gap of some percent.

    References:
        E. Moreno-Centeno and R. M. Karp, "The implicit hitting set approach to solve combinatorial
        optimization problems", Operations Research 61 (2013); J. Davies and F. Bacchus, "Solving
        MAXSAT by solving a sequence of simpler SAT instances", CP 2011.
    """
    cuts: list[Cut] = []
    best = repair(masked)
    price, bound, spread, asked = _price(best, masked, cost), 0.0, 1.0, 1.0
    held, done = masked, 0
    while done < rounds and spread > gap:
        paths, targets = above(held)
        if not len(paths) and asked <= gap / OWN_GAP:
            break  # only the master's own gap is left, and it has spent its nodes
        if len(paths):
            for rank in _ranks(rows, done):
                cuts += _grow(rows, held, eligible, paths, targets, rank)
            cuts = minimal_cuts(cuts)
        asked = gap / OWN_GAP
        if len(paths) and spread > SETTLED:
            asked = max(asked, spread / LOOSE)
        chosen, below = cheapest_cover(cuts, cost, asked * price, price)
        bound, done = max(bound, below), done + 1
        held = masked.copy()
        held[chosen] = True
        trial = repair(held)
        if _price(trial, masked, cost) < price:
            best, price = trial, _price(trial, masked, cost)
        spread = (price - bound) / price if price else 0.0
    return ExactAnswer(best, price, min(bound, price), bound >= price - EQUAL, done)


def _price(mask: Flags, masked: Flags, cost: Floats) -> float:
    return float(cost[mask & ~masked].sum())


# ── cuts from chains above target ───────────────────────────────────────────────────────────────


def _ranks(rows: Rows, done: int) -> list[Ints]:
    """Orders of the entities for growing, a different few each round.

    Weak ones first leaves the few strong ones, a short cut; rare ones last leaves entities that
    help this chain alone; the rest are shuffles for variety.
    """
    rng = np.random.default_rng(done)
    n = len(rows.ceiling)
    frequency = np.bincount(rows.entity, minlength=n)
    keys = [rows.ceiling, -frequency, *(rng.random(n) for _ in range(ORDERS - 2))]
    ranks = []
    for key in keys:
        rank = np.empty(n, dtype=np.int32)
        rank[np.argsort(key, kind="stable")] = np.arange(n, dtype=np.int32)
        ranks.append(rank)
    return ranks


def _grow(
    rows: Rows, masked: Flags, eligible: Flags, paths: Ints, targets: Floats, rank: Ints
) -> list[Cut]:
    grow = fast(_maximal, 20 * len(paths))
    begin, member = grow(rows, masked.copy(), eligible, paths, targets, rank)
    ends, flat = begin.tolist(), member.tolist()
    return [frozenset(flat[a:b]) for a, b in pairwise(ends)]


@kernel
def _maximal(
    rows: Rows, masked: Any, eligible: Any, paths: Any, targets: Any, rank: Any
) -> tuple[Any, Any]:
    """Grow the mask inside each chain while it stays above target; what is left is its cut.

    Returns (begin, member): cut q is `member[begin[q]:begin[q + 1]]`. `masked` is used as scratch
    and given back as it was.
    """
    begin = np.zeros(len(paths) + 1, dtype=np.int64)
    member = np.empty(16 * len(paths) + 16, dtype=np.int32)
    used = 0
    for q in range(len(paths)):
        path, target = paths[q], targets[q]
        inside = _inside(rows, masked, eligible, path, rank)
        if used + len(inside) > len(member):
            longer = np.empty(2 * len(member) + len(inside), dtype=np.int32)
            longer[:used] = member[:used]
            member = longer
        for e in inside:
            masked[e] = True
            if within(chain_risk(rows, masked, path), target):
                masked[e] = False
                member[used] = e
                used += 1
        for e in inside:
            masked[e] = False
        begin[q + 1] = used
    return begin, member[:used]


@kernel
def _inside(rows: Rows, masked: Any, eligible: Any, path: Any, rank: Any) -> Any:
    """Return the entities of a chain's documents that are not masked and may be, by rank."""
    size = 0
    for d in path:
        if d >= 0:
            size += rows.start[d + 1] - rows.start[d]
    found = np.empty(size, dtype=np.int32)
    n = 0
    for d in path:
        if d < 0:
            break
        for k in range(rows.start[d], rows.start[d + 1]):
            e = rows.entity[k]
            if masked[e] or not eligible[e]:
                continue
            at = n
            while at > 0 and rank[found[at - 1]] > rank[e]:
                at -= 1
            if at > 0 and found[at - 1] == e:
                continue
            for m in range(n, at, -1):
                found[m] = found[m - 1]
            found[at] = e
            n += 1
    return found[:n]
