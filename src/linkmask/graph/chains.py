"""Builds chains, simple paths of 2 to CL documents along links, with risk (formulas.md §7).

If several paths lead over the same documents, each is a chain of its own, because masking can
change which of them has the highest risk. Up to a budget, chains are listed; more are only counted.
With z = −log(1 − hop risk), the risk of a path follows from a sum. So the paths of three documents
are pairs of the sorted hops of their middle document, those of four are pairs from two sorted lists
around their middle link, and two pointers count the pairs that reach a level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    LEVELS,
    SLACK,
    fast,
    hop_risk,
    in_parts,
    kept_with,
    kernel,
    riskiest_first,
)
from linkmask.formulas.csr import row_starts
from linkmask.formulas.link_batches import kept_along
from linkmask.records import Chains, Floats, Ints, Links

LISTED = 1000
"""Number of links that are listed, riskiest first, if chains are only counted."""
BINS = 4096
"""Bins of risk by which the riskiest links are selected."""


def find_chains(links: Links, risks: Floats, settings: Settings) -> Chains:
    """Return the chains over `links`, every simple path once, by documents.

    `risks`: R(d) of every document. With more than `settings.chain_budget` paths none is made:
    `counts` still counts them all, the riskiest links stand as examples, riskiest first, and
    `complete` is False.
    """
    work = 10 * (len(links) + len(risks))
    near, paths = None, len(links)
    if settings.chain_length > 2:
        near = fast(_neighbours, work)(links.left, links.right, len(risks))
        paths = fast(_how_many, work)(near[0], links.left, links.right, settings.chain_length)
    bounds = np.array([settings.high, settings.medium]) - SLACK
    if paths <= settings.chain_budget:
        kept = kept_along(links.left, links.right, links.strength, risks)
        documents, risk = _list(near, links, kept, settings.chain_length, paths)
        reached = np.array([np.count_nonzero(risk >= bound) for bound in bounds])
        return Chains(documents, risk, _counts(reached, len(risk)))
    bins, reached = _tallied(links, risks, bounds, work)
    total = len(links)
    if near is not None:
        kept = kept_along(links.left, links.right, links.strength, risks)
        z = -np.log(np.maximum(kept, SLACK))
        need = -np.log(np.maximum(1.0 - bounds, SLACK))
        order = np.argsort(z, kind="stable")
        reached, total = fast(_count, work)(
            near, links.left, links.right, z, order, need, settings.chain_length
        )
    riskiest, risk = _riskiest(links, risks, bins, work)
    documents = np.full((len(riskiest), settings.chain_length), -1, dtype=np.int32)
    documents[:, 0], documents[:, 1] = links.left[riskiest], links.right[riskiest]
    return Chains(documents, risk, _counts(reached, int(total)), complete=False)


def _tallied(links: Links, risks: Floats, bounds: Floats, work: int) -> tuple[Ints, Ints]:
    """Return how many links fall into each of `BINS` bins of risk, and how many reach each bound.

    There may be too many links to store a risk of each.
    """
    given, tally = (links.left, links.right, links.strength, risks, bounds), fast(_tally, work)
    parts = in_parts(lambda a, b: tally(*given, a, b), len(links), work)
    bins, reached = (sum(column) for column in zip(*parts, strict=True))
    return bins, reached


@kernel
def _tally(
    left: Any, right: Any, strength: Any, risks: Any, bounds: Any, first: int, last: int
) -> tuple[Any, Any]:  # fmt: skip
    """Count links of [first, last) in equal bins of risk in [0, 1]; 1 falls into the last."""
    bins, reached = np.zeros(BINS, dtype=np.int64), np.zeros(len(bounds), dtype=np.int64)
    for k in range(first, last):
        hop = 1.0 - kept_with(1.0, hop_risk(strength[k], risks[left[k]], risks[right[k]]))
        bins[min(int(hop * BINS), BINS - 1)] += 1
        for t in range(len(bounds)):
            reached[t] += hop >= bounds[t]
    return bins, reached


def _riskiest(links: Links, risks: Floats, bins: Ints, work: int) -> tuple[Ints, Floats]:
    """Return numbers and risks of the `LISTED` riskiest links, riskiest first, ties as they stand.

    No risk is above the strength of its link, so most links need no look.
    """
    enough = np.flatnonzero(bins[::-1].cumsum() >= LISTED)  # bins from the riskiest down
    least = 1.0 - (enough[0] + 1) / BINS - 2 * SLACK if len(enough) else 0.0
    strong = np.flatnonzero(links.strength >= least - SLACK)
    given = links.left[strong], links.right[strong], links.strength[strong]
    hop = 1.0 - kept_along(*given, risks)
    at = np.flatnonzero(hop >= least)  # few: only these are sorted
    at = at[riskiest_first(hop[at])][:LISTED]
    return strong[at], hop[at]


def _counts(reached: Any, total: int) -> dict[Any, int]:
    """Return how many chains have each level, from how many reach HIGH and how many MEDIUM."""
    high, medium = int(reached[0]), int(reached[1])
    return dict(zip(LEVELS, (high, medium - high, total - medium), strict=True))


@kernel
def _neighbours(left: Any, right: Any, n: int) -> tuple[Any, Any, Any]:
    """Return (start, neighbour, link): the links of each document, neighbours ascending."""
    start = row_starts(left, n) + row_starts(right, n)
    neighbour = np.empty(2 * len(left), dtype=np.int32)
    link = np.empty(2 * len(left), dtype=np.int32)
    after = start[:-1].copy()
    for k in range(len(left)):  # first the smaller neighbours of each, then the larger
        d = right[k]
        neighbour[after[d]], link[after[d]] = left[k], k
        after[d] += 1
    for k in range(len(left)):
        d = left[k]
        neighbour[after[d]], link[after[d]] = right[k], k
        after[d] += 1
    return start, neighbour, link


@kernel
def _how_many(start: Any, left: Any, right: Any, length: int) -> int:
    """Return the number of paths of 2 to `length` documents; of four, triangles counted in."""
    total = len(left)
    for d in range(len(start) - 1):
        degree = start[d + 1] - start[d]
        total += degree * (degree - 1) // 2
    if length >= 4:
        for k in range(len(left)):
            i, j = left[k], right[k]
            total += (start[i + 1] - start[i] - 1) * (start[j + 1] - start[j] - 1)
    return total


# ── listing ─────────────────────────────────────────────────────────────────────────────────────


def _list(near: Any, links: Links, kept: Floats, length: int, paths: int) -> Any:
    """Return (documents, risk) of every path, sorted by documents."""
    if length == 2:
        return np.stack([links.left, links.right], axis=1), 1.0 - kept
    make = fast(_paths, 10 * paths)
    documents, risk = make(near, links.left, links.right, kept, length, paths)
    order = np.lexsort(documents.T[::-1])
    return documents[order], risk[order]


@kernel
def _paths(near: Any, left: Any, right: Any, kept: Any, length: int, room: int) -> tuple[Any, Any]:
    """Make every simple path once, written from its smaller end, with its risk."""
    start, neighbour, link = near
    documents = np.full((room, length), -1, dtype=np.int32)
    risk = np.empty(room)
    size = 0
    for k in range(len(left)):
        documents[size, 0], documents[size, 1] = left[k], right[k]
        risk[size] = 1.0 - kept[k]
        size += 1
    for b in range(len(start) - 1):
        for x in range(start[b], start[b + 1]):
            for y in range(x + 1, start[b + 1]):
                documents[size, 0], documents[size, 1] = neighbour[x], b
                documents[size, 2] = neighbour[y]
                risk[size] = 1.0 - kept[link[x]] * kept[link[y]]
                size += 1
    if length == 4:
        for k in range(len(left)):
            for x in range(start[left[k]], start[left[k] + 1]):
                for y in range(start[right[k]], start[right[k] + 1]):
                    a, b, c, d = neighbour[x], left[k], right[k], neighbour[y]
                    if a in (c, d) or b == d:
                        continue
                    if a > d:
                        a, b, c, d = d, c, b, a
                    documents[size, 0], documents[size, 1] = a, b
                    documents[size, 2], documents[size, 3] = c, d
                    risk[size] = 1.0 - kept[link[x]] * kept[k] * kept[link[y]]
                    size += 1
    return documents[:size].copy(), risk[:size].copy()


# ── counting ────────────────────────────────────────────────────────────────────────────────────


@kernel
def _count(
    near: Any, left: Any, right: Any, z: Any, order: Any, need: Any, length: int
) -> tuple[Any, int]:
    """Return how many paths have Σz ≥ each of `need`, and how many there are.

    `z` by link; `order` sorts it ascending.
    """
    start, neighbour, link = near
    reached = np.zeros(len(need), dtype=np.int64)
    total = len(left)
    ordered = np.empty(2 * len(z))  # z at each document, ascending
    after = start[:-1].copy()
    for k in order:
        i, j = left[k], right[k]
        ordered[after[i]] = z[k]
        after[i] += 1
        ordered[after[j]] = z[k]
        after[j] += 1
    for t in range(len(need)):
        for k in range(len(left)):
            reached[t] += z[k] >= need[t]
    if length >= 3:
        for d in range(len(start) - 1):
            own = ordered[start[d] : start[d + 1]]
            total += len(own) * (len(own) - 1) // 2
            for t in range(len(need)):
                # Ordered pairs, those of a hop with itself taken out, each met both ways.
                reached[t] += (_pairs(own, own, need[t]) - _at_least(own, need[t] / 2)) // 2
    if length >= 4:
        for k in range(len(left)):
            b, c = left[k], right[k]
            at_b, at_c = ordered[start[b] : start[b + 1]], ordered[start[c] : start[c + 1]]
            m = z[k]
            for t in range(len(need)):
                rest = need[t] - m
                reached[t] += _pairs(at_b, at_c, rest)
                # Not the middle link again at either end (at both ends, taken out twice).
                reached[t] -= _at_least(at_c, rest - m) + _at_least(at_b, rest - m)
                reached[t] += m >= rest - m
            total += (len(at_b) - 1) * (len(at_c) - 1)
            x, y = start[b], start[c]
            while x < start[b + 1] and y < start[c + 1]:
                i, j = neighbour[x], neighbour[y]
                if i == j:  # a triangle is no path of four
                    total -= 1
                    for t in range(len(need)):
                        reached[t] -= z[link[x]] + z[link[y]] >= need[t] - m
                if i <= j:
                    x += 1
                if j <= i:
                    y += 1
    return reached, total


@kernel
def _pairs(a: Any, b: Any, need: float) -> int:
    """Return how many pairs, one of each ascending list, sum to at least `need`."""
    found = 0
    y = len(b)
    for x in range(len(a)):
        while y > 0 and a[x] + b[y - 1] >= need:
            y -= 1
        found += len(b) - y
    return found


@kernel
def _at_least(a: Any, need: float) -> int:
    """Return how many of an ascending list are at least `need`."""
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < need:
            low = middle + 1
        else:
            high = middle
    return len(a) - low
