"""The loops of the link join: the index, and groups split until their pairs are few.

A pair of documents is decided in the one group that names its first shared entities.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas import Rows, counting_order, kernel, transpose

LEAF = 24
"""Groups up to this size are compared pair by pair; splitting them costs more."""


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


@kernel
def index_of(rows: Rows, frequency: Any, need: float) -> Index:
    """Order entities from rare to frequent and list the places where a link may begin."""
    n, n_entities = len(rows.start) - 1, len(rows.ceiling)
    holders, holder, position = transpose(rows.start, rows.entity, n_entities)
    bound_of = np.zeros(n_entities)
    shared = 0
    for e in range(n_entities):
        most = 0.0
        for k in range(holders[e], holders[e + 1]):
            most = max(most, rows.share[position[k]])
        bound_of[e] = -np.log(max(1.0 - most, 1e-300))
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
            share[to] = rows.share[position[k]]
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
def join(
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
    start, document, rank, rest = index.start, index.document, index.rank, index.rest
    n = 0
    for k in range(begin, end):
        p = members[k]
        stop = start[document[p] + 1]
        q = p + 1
        while q < stop and bound + rest[q] >= need:
            r = rank[q]
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
    start, document, rank, rest = index.start, index.document, index.rank, index.rest
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
        stop = start[document[p] + 1]
        q = p + 1
        while q < stop and bound + rest[q] >= need:
            r = rank[q]
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
    """Decide every pair of a group; return how many links there are now. `own` is scratch:
    the shares of one document by rank, −1 elsewhere."""
    start, document, rank, share = index.start, index.document, index.rank, index.share
    for a in range(begin, end - 1):
        p = members[a]
        x = document[p]
        if bound < need and (p + 1 == start[x + 1] or bound + index.rest[p + 1] < need):
            continue
        for i in range(start[x], start[x + 1]):
            own[rank[i]] = share[i]
        for b in range(a + 1, end):
            q = members[b]
            y = document[q]
            kept = _kept(rank, share, own, start[y], q, start[y + 1], depth)
            if kept <= floor:
                left[size], right[size], strength[size] = x, y, 1.0 - kept
                size += 1
        for i in range(start[x], start[x + 1]):
            own[rank[i]] = -1.0
    return size


@kernel
def _kept(rank: Any, share: Any, own: Any, begin: int, q: int, end: int, depth: int) -> float:
    """Return 1 − strength of a pair, or 2 where it shares more than `depth` entities up to q.

    Such a pair belongs to a group that names an earlier shared entity.
    """
    kept = 1.0
    shared = 0
    for j in range(begin, q + 1):
        mine = own[rank[j]]
        shared += mine >= 0.0
        kept *= 1.0 - (max(mine, share[j]) if mine >= 0.0 else 0.0)
    if shared != depth:
        return 2.0
    for j in range(q + 1, end):
        mine = own[rank[j]]
        kept *= 1.0 - (max(mine, share[j]) if mine >= 0.0 else 0.0)
    return kept
