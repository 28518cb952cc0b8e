"""Finds the chains above policy, and what their hops share.

The rows of documents are read here, once, when the chain stage begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas import (
    Rows,
    fast,
    hop_risk,
    joined_parts,
    kept_with,
    kernel,
    level,
    reaches,
    target,
    within,
)
from linkmask.formulas.link_batches import BATCH, find_rows, linking_rows, load_shares
from linkmask.plan.hops import Hops, risks_along
from linkmask.records import Floats, Ints, Links

COLUMNS = (np.float64, np.float64, np.int8, np.int32, np.int32, np.float64)
"""Types of risk, target, level and number of shared entities of links; of entities and shares."""

Above = tuple[Hops, Ints, Floats, Floats, Any]
"""Hops, documents, risk, target and level of the chains above policy."""


def links_above(rows: Rows, links: Links, risks: Floats, limits: tuple[float, ...]) -> Above:
    """Find the links above policy as chains of two documents.

    `rows` hold unmasked entities only, `risks` are those of their documents; `limits` are high,
    medium, θ_chain, ρ_high and ρ_medium.
    """
    work = len(rows.entity) + len(links)
    loop = fast(_links_above, work)
    linking, few = linking_rows(rows)
    longest = int(np.diff(few.start).max(initial=0))

    def part(a: int, b: int) -> Any:
        room = [np.empty((b - a, 2), dtype=np.int32), *(np.empty(b - a, t) for t in COLUMNS)]
        given = links.left[a:b], links.right[a:b], links.strength[a:b]
        return loop(few, longest, *given, risks, limits, *room)

    documents, before, goal, category, sizes, entity, share = joined_parts(part, len(links), work)
    of = np.arange(len(documents), dtype=np.int32).reshape(-1, 1)
    hops = Hops(of, _row_starts(sizes), entity, share, linking)
    return hops, documents, before, goal, category


def chains_above(rows: Rows, documents: Ints, risks: Floats, limits: tuple[float, ...]) -> Above:
    """Find those of some listed chains that are above policy."""
    work, length = len(rows.entity) + documents.size, documents.shape[1]
    ends = np.stack([documents[:, :-1], documents[:, 1:]], axis=2).reshape(-1, 2)
    key = ends.min(axis=1).astype(np.int64) << 32 | ends.max(axis=1)
    used = ends.min(axis=1) >= 0
    pairs, number = np.unique(key[used], return_inverse=True)
    of = np.full(len(ends), -1, dtype=np.int32)
    of[used] = number
    low, high = (pairs >> 32).astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32)
    linking, few = linking_rows(rows)
    sizes, entity, share = fast(_shared_by, work)(few, low, high)
    hops = Hops(of.reshape(-1, length - 1), _row_starts(sizes), entity, share, linking)
    nothing = np.zeros(len(rows.ceiling), dtype=np.bool_)
    before = risks_along(hops, documents, nothing, risks, work)
    above, goal, category = fast(_above, work)(before, limits)
    return hops._replace(of=hops.of[above]), documents[above], before[above], goal, category


def _row_starts(sizes: Any) -> Any:
    begin = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=begin[1:])
    return begin


@kernel
def _links_above(
    rows: Rows, longest: int, left: Any, right: Any, strength: Any, risks: Any, limits: Any,
    documents: Any, before: Any, goal: Any, category: Any, sizes: Any, entity: Any, share: Any,
) -> tuple[Any, Any, Any, Any, Any, Any, Any]:  # fmt: skip
    """Return (documents, risk, target, level, sizes, entity, share) of the links above policy.

    They are written into the arrays that are given. No document has more than `longest` entities.
    """
    high, medium, theta, rho_high, rho_medium = limits
    room = BATCH * longest
    own = np.full(len(rows.ceiling), -1.0)
    batch, begin, end = np.empty((3, BATCH), dtype=np.int64)
    touched = np.empty(BATCH)
    held = -1
    size, n = 0, 0
    for first in range(0, len(left), BATCH):
        last = min(first + BATCH, len(left))
        likely = _likely(left, right, strength, risks, min(medium, theta), first, last, batch)
        find_rows(rows, right, batch, likely, begin, end, touched)
        if size + room > len(entity):
            entity, share = _longer(entity, size + room), _longer(share, size + room)
        for q in range(likely):
            k = batch[q]
            i, j = left[k], right[k]
            if i != held:
                load_shares(rows, own, held, i)
                held = i
            kept, more = 1.0, size
            for x in range(begin[q], end[q]):
                mine = own[rows.entity[x]]
                if mine >= 0.0:
                    entity[more], share[more] = rows.entity[x], max(mine, rows.share[x])
                    kept = kept_with(kept, share[more])
                    more += 1
            now = 1.0 - kept_with(1.0, hop_risk(1.0 - kept, risks[i], risks[j]))
            at = level(now, high, medium)
            if at < 2 or not within(now, theta):
                documents[n, 0], documents[n, 1] = i, j
                before[n], category[n], sizes[n] = now, at, more - size
                goal[n] = target(now, at, theta, rho_high, rho_medium)
                n += 1
                size = more
    return documents[:n], before[:n], goal[:n], category[:n], sizes[:n], entity[:size], share[:size]


@kernel
def _likely(
    left: Any, right: Any, strength: Any, risks: Any, least: float, first: int, last: int,
    batch: Any,
) -> int:  # fmt: skip
    """Write into `batch` which links of [first, last) may be above policy; return how many.

    The risk of a link before any mask bounds its risk now, so that many links need no check.
    """
    n = 0
    for k in range(first, last):
        batch[n] = k
        n += reaches(hop_risk(strength[k], risks[left[k]], risks[right[k]]), least)
    return n


@kernel
def _shared_by(rows: Rows, left: Any, right: Any) -> tuple[Any, Any, Any]:
    """Return (sizes, entity, share): what each pair of documents shares. `left` ascends."""
    sizes = np.empty(len(left), dtype=np.int32)
    room = _longest(rows)
    entity, share = np.empty(1024 + room, dtype=np.int32), np.empty(1024 + room)
    own = np.full(len(rows.ceiling), -1.0)
    held = -1
    size = 0
    for h in range(len(left)):
        if left[h] != held:
            load_shares(rows, own, held, left[h])
            held = left[h]
        if size + room > len(entity):
            entity, share = _longer(entity, size + room), _longer(share, size + room)
        sizes[h] = _shared(rows, own, right[h], entity, share, size)
        size += sizes[h]
    return sizes, entity[:size], share[:size]


@kernel
def _longest(rows: Rows) -> int:
    """Return the entities of the document that has most."""
    most = 0
    for d in range(len(rows.start) - 1):
        most = max(most, rows.start[d + 1] - rows.start[d])
    return int(most)


@kernel
def _longer(array: Any, size: int) -> Any:
    """Return a copy of the array with room for twice `size` entries."""
    longer = np.empty(2 * size, dtype=array.dtype)
    for x in range(len(array)):
        longer[x] = array[x]
    return longer


@kernel
def _shared(rows: Rows, own: Any, right: int, entity: Any, share: Any, size: int) -> int:
    """Write what a document shares with the one in `own` after `size`; return how many that are."""
    n = size
    for k in range(rows.start[right], rows.start[right + 1]):
        mine = own[rows.entity[k]]
        if mine >= 0.0:
            entity[n], share[n] = rows.entity[k], max(mine, rows.share[k])
            n += 1
    return n - size


@kernel
def _above(risks: Any, limits: Any) -> tuple[Any, Any, Any]:
    """Return which chains are above policy, and the target and level of each of them."""
    high, medium, theta, rho_high, rho_medium = limits
    above = np.empty(len(risks), dtype=np.int64)
    goal = np.empty(len(risks))
    category = np.empty(len(risks), dtype=np.int8)
    n = 0
    for c in range(len(risks)):
        at = level(risks[c], high, medium)
        if at < 2 or not within(risks[c], theta):
            above[n], category[n] = c, at
            goal[n] = target(risks[c], at, theta, rho_high, rho_medium)
            n += 1
    return above[:n].copy(), goal[:n].copy(), category[:n].copy()
