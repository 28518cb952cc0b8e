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
from typing import Any, NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    SLACK,
    Rows,
    counting_order,
    edge_strength,
    fast,
    kernel,
    rows_of,
    transpose,
)
from linkmask.records import Incidence, Links

LEAF = 24
"""Groups up to this size are compared pair by pair; splitting them costs more."""
BOUND_SLACK = 1e-9
"""Bounds are sums of logarithms: they get this much more room than the formula they guard."""


class Index(NamedTuple):
    """Documents as rows of ranks (0 = rarest shared entity), and where each rank is listed.

    `document`, `rank`, `share`, `rest` run over mentions of shared entities: `share` is relevance
    · u · w, `rest` the sum of bounds from that mention to the end of its document. The listed
    mentions of rank r are `listed[begin[r]:begin[r + 1]]`, documents ascending.
    """

    start: Any
    document: Any
    rank: Any
    share: Any
    rest: Any
    bound: Any
    begin: Any
    listed: Any


def find_links(incidence: Incidence, settings: Settings, workers: int = 1) -> Links:
    """Return every pair of documents that shares an entity, at or above the edge threshold.

    A group of documents that share the same values and would expand to more than
    `settings.group_budget` pairs is not expanded; its pairs are counted in `blocked`.

    Notes:
        Time is about linear in mentions + links. The result is the same for any `workers`.

    References:
        R. Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", WWW (2007), for
        the prefix filter.
    """
    work = incidence.n_mentions
    need = -np.log1p(-min(settings.edge_threshold - SLACK, 1 - SLACK)) - BOUND_SLACK
    index = fast(_index, work)(rows_of(incidence), incidence.frequency, need)
    join = fast(_join, work)
    floor = 1.0 - settings.edge_threshold + SLACK
    parts = _parts(index, workers)

    def one(part: tuple[int, int]) -> Any:
        return join(index, part[0], part[1], need, floor, settings.group_budget)

    if workers > 1:
        with ThreadPoolExecutor(workers) as pool:
            found = list(pool.map(one, parts))
    else:
        found = [one(part) for part in parts]
    left, right, strength = (np.concatenate([f[k] for f in found]) for k in range(3))
    n = incidence.n_documents
    sort = fast(counting_order, work)
    order = sort(left, sort(right, np.arange(len(left)), n), n)
    return Links(left[order], right[order], strength[order], int(sum(f[3] for f in found)))


def _parts(index: Index, workers: int) -> list[tuple[int, int]]:
    """Cut the ranks into runs of about equal work, several per worker."""
    n_ranks = len(index.bound)
    size = np.diff(index.begin).astype(np.float64)
    done = np.cumsum(size * np.minimum(size, 1000.0))
    if workers == 1 or not n_ranks:
        return [(0, n_ranks)]
    cuts = np.searchsorted(done, np.linspace(0, done[-1], 16 * workers + 1)[1:-1])
    edges = [0, *np.unique(cuts).tolist(), n_ranks]
    return [(a, b) for a, b in pairwise(edges) if a < b]


@kernel
def strengths(rows: Rows, masked: Any, left: Any, right: Any) -> Any:
    """Return the strength of each pair under a mask."""
    found = np.empty(len(left))
    for k in range(len(left)):
        found[k] = edge_strength(rows, masked, left[k], right[k])
    return found


@kernel
def _index(rows: Rows, frequency: Any, need: float) -> Index:
    """Order entities from rare to frequent and list the places where a link may begin."""
    n, n_entities = len(rows.start) - 1, len(rows.ceiling)
    holders, holder, position = transpose(rows.start, rows.entity, n_entities)
    bound_of = np.zeros(n_entities)
    shared = 0
    for e in range(n_entities):
        most = 0.0
        for k in range(holders[e], holders[e + 1]):
            most = max(most, rows.relevance[position[k]])
        bound_of[e] = -np.log(max(1.0 - most * rows.ceiling[e], 1e-300))
        # An entity without weight links nothing, unless a link needs no strength.
        if frequency[e] >= 2 and (bound_of[e] > 0.0 or need <= 0.0):
            shared += frequency[e]
        else:
            bound_of[e] = -1.0
    most_frequent = 0
    for e in range(n_entities):
        most_frequent = max(most_frequent, frequency[e])
    order = counting_order(frequency, np.arange(n_entities), most_frequent + 1)
    start = np.zeros(n + 1, dtype=np.int64)
    for d in range(n):
        start[d + 1] = start[d]
        for k in range(rows.start[d], rows.start[d + 1]):
            if bound_of[rows.entity[k]] >= 0.0:
                start[d + 1] += 1
    document = np.empty(shared, dtype=np.int32)
    rank = np.empty(shared, dtype=np.int32)
    share = np.empty(shared)
    bound = np.empty(n_entities)
    after = start[:-1].copy()
    ranks = 0
    for e in order:
        if bound_of[e] < 0.0:
            continue
        bound[ranks] = bound_of[e]
        for k in range(holders[e], holders[e + 1]):
            d = holder[k]
            to = after[d]
            after[d] += 1
            document[to], rank[to] = d, ranks
            share[to] = rows.relevance[position[k]] * rows.ceiling[e]
        ranks += 1
    rest = np.empty(shared)
    begin = np.zeros(ranks + 1, dtype=np.int64)
    for d in range(n):
        total = 0.0
        for p in range(start[d + 1] - 1, start[d] - 1, -1):
            total += bound[rank[p]]
            rest[p] = total
            if total >= need:
                begin[rank[p] + 1] += 1
    for r in range(ranks):
        begin[r + 1] += begin[r]
    listed = np.empty(begin[ranks], dtype=np.int32)
    to_list = begin[:-1].copy()
    for p in range(shared):
        if rest[p] >= need:
            listed[to_list[rank[p]]] = p
            to_list[rank[p]] += 1
    return Index(start, document, rank, share, rest, bound[:ranks], begin, listed)


@kernel
def _join(
    index: Index, first: int, last: int, need: float, floor: float, budget: int
) -> tuple[Any, Any, Any, int]:
    """Return the links whose first shared entity has a rank in [first, last), and what was blocked.

    Groups wait on a stack; `members` holds their mentions one after another, a group's above its
    parent's. A group knows how often it was split, and the bound of what it shares.
    """
    members = np.empty(1024, dtype=np.int32)
    stack = np.empty((64, 3), dtype=np.int64)  # begin, end, depth
    so_far = np.empty(64)
    count = np.zeros(len(index.bound), dtype=np.int64)
    place = np.empty(len(index.bound), dtype=np.int64)
    touched = np.empty(len(index.bound), dtype=np.int32)
    own = np.full(len(index.bound), -1.0)
    left = np.empty(1024, dtype=np.int32)
    right = np.empty(1024, dtype=np.int32)
    strength = np.empty(1024)
    size = 0
    blocked = 0
    for top_rank in range(first, last):
        n = index.begin[top_rank + 1] - index.begin[top_rank]
        if n < 2:
            continue
        members = _room(members, n)
        for k in range(n):
            members[k] = index.listed[index.begin[top_rank] + k]
        stack[0, 0], stack[0, 1], stack[0, 2] = 0, n, 1
        so_far[0] = index.bound[top_rank]
        height = 1
        while height:
            height -= 1
            begin, end, depth = stack[height, 0], stack[height, 1], stack[height, 2]
            bound = so_far[height]
            pairs = (end - begin) * (end - begin - 1) // 2
            if bound < need and end - begin > LEAF:
                n_touched, below, room = _count(
                    index, members, begin, end, bound, need, count, touched
                )
                if below < pairs // 2 or (pairs > budget and below < pairs):
                    members = _room(members, end + room)
                    if height + n_touched > len(stack):
                        stack, so_far = _higher(stack, so_far, height + n_touched)
                    height = _split(
                        index, members, stack, so_far, height, begin, end, depth, bound, need,
                        count, place, touched[:n_touched],
                    )  # fmt: skip
                    continue
                for k in range(n_touched):
                    count[touched[k]] = 0
            if pairs > budget:
                blocked += pairs
                continue
            if size + pairs > len(left):
                left, right = _room(left, size + pairs), _room(right, size + pairs)
                strength = _room(strength, size + pairs)
            size = _compare(
                index, members, begin, end, depth, bound, need, floor, own,
                left, right, strength, size,
            )  # fmt: skip
    return left[:size].copy(), right[:size].copy(), strength[:size].copy(), blocked


@kernel
def _room(array: Any, size: int) -> Any:
    """Return the array, or a copy at least twice as long that holds `size` entries."""
    if size <= len(array):
        return array
    longer = np.empty(max(size, 2 * len(array)), dtype=array.dtype)
    for k in range(len(array)):
        longer[k] = array[k]
    return longer


@kernel
def _higher(stack: Any, so_far: Any, height: int) -> tuple[Any, Any]:
    taller = np.empty((2 * height, 3), dtype=np.int64)
    for k in range(len(stack)):
        for c in range(3):
            taller[k, c] = stack[k, c]
    return taller, _room(so_far, 2 * height)


@kernel
def _count(
    index: Index, members: Any, begin: int, end: int, bound: float, need: float, count: Any,
    touched: Any,
) -> tuple[int, int, int]:  # fmt: skip
    """Count how often each later rank could come next; return (ranks, pairs, mentions)."""
    n = 0
    for k in range(begin, end):
        p = members[k]
        stop = index.start[index.document[p] + 1]
        q = p + 1
        while q < stop and bound + index.rest[q] >= need:
            r = index.rank[q]
            if count[r] == 0:
                touched[n] = r
                n += 1
            count[r] += 1
            q += 1
    pairs = 0
    room = 0
    for k in range(n):
        c = count[touched[k]]
        pairs += c * (c - 1) // 2
        if c > 1:
            room += c
    return n, pairs, room


@kernel
def _split(
    index: Index, members: Any, stack: Any, so_far: Any, height: int, begin: int, end: int,
    depth: int, bound: float, need: float, count: Any, place: Any, touched: Any,
) -> int:  # fmt: skip
    """Put the groups of a split on the stack, members above the group's own; return its height."""
    top = end
    for r in touched:
        if count[r] > 1:
            place[r] = top
            stack[height, 0], stack[height, 1], stack[height, 2] = top, top + count[r], depth + 1
            so_far[height] = bound + index.bound[r]
            height += 1
            top += count[r]
    for k in range(begin, end):
        p = members[k]
        stop = index.start[index.document[p] + 1]
        q = p + 1
        while q < stop and bound + index.rest[q] >= need:
            r = index.rank[q]
            if count[r] > 1:
                members[place[r]] = q
                place[r] += 1
            q += 1
    for r in touched:
        count[r] = 0
    return height


@kernel
def _compare(
    index: Index, members: Any, begin: int, end: int, depth: int, bound: float, need: float,
    floor: float, own: Any, left: Any, right: Any, strength: Any, size: int,
) -> int:  # fmt: skip
    """Decide every pair of a group by the formula; return how many links there are now.

    `own` holds the shares of one document by rank, −1 elsewhere: it is written once per member,
    and the inner loops run without a branch.
    """
    for a in range(begin, end - 1):
        p = members[a]
        x = index.document[p]
        if bound < need and (p + 1 == index.start[x + 1] or bound + index.rest[p + 1] < need):
            continue
        for i in range(index.start[x], index.start[x + 1]):
            own[index.rank[i]] = index.share[i]
        for b in range(a + 1, end):
            q = members[b]
            y = index.document[q]
            kept = 1.0
            shared = 0
            for j in range(index.start[y], q + 1):
                mine = own[index.rank[j]]
                shared += mine >= 0.0
                kept *= 1.0 - (max(mine, index.share[j]) if mine >= 0.0 else 0.0)
            if shared != depth:  # an earlier shared entity: the pair belongs to another group
                continue
            for j in range(q + 1, index.start[y + 1]):
                mine = own[index.rank[j]]
                kept *= 1.0 - (max(mine, index.share[j]) if mine >= 0.0 else 0.0)
            if kept <= floor:
                left[size], right[size], strength[size] = x, y, 1.0 - kept
                size += 1
        for i in range(index.start[x], index.start[x + 1]):
            own[index.rank[i]] = -1.0
    return size
