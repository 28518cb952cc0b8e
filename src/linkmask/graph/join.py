"""Runs the loops of the link join: groups of documents, split until their pairs are few.

A pair of documents is decided in the one group that names its first shared entities.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas import kept_with, kernel
from linkmask.graph.index import Index

LEAF = 100
"""Groups up to this size are not split: comparing their pairs costs less."""


@kernel
def join(
    index: Index, first: int, last: int, need: float, floor: float, budget: int
) -> tuple[Any, Any, Any, int]:
    """Return links whose first shared entity has a rank in [first, last), and blocked pairs.

    Groups wait on a stack; `members` holds their documents one after another, a group's above its
    parent's. A group knows its last rank, how many it shares up to there, and their bound.
    """
    begin_of, listed, bound_of, row = index.begin, index.listed, index.bound, index.start
    members = np.empty(1024, dtype=np.int32)
    stack = np.empty((64, 4), dtype=np.int64)  # begin, end, last rank, depth
    so_far = np.empty(64)
    count = np.zeros(len(bound_of), dtype=np.int64)
    place = np.empty(len(bound_of), dtype=np.int64)
    touched = np.empty(len(bound_of), dtype=np.int32)
    head = np.full(len(bound_of), -1, dtype=np.int64)
    kept, shared = np.ones(1024), np.zeros(1024, dtype=np.int32)
    before, holder, shares = np.empty(1024, np.int64), np.empty(1024, np.int32), np.empty(1024)
    left = np.empty(1024, dtype=np.int32)
    right = np.empty(1024, dtype=np.int32)
    strength = np.empty(1024)
    size = 0
    used = 0
    blocked = 0
    for top_rank in range(first, last):
        n = begin_of[top_rank + 1] - begin_of[top_rank]
        if n < 2:
            continue
        if n > len(members):
            members = _room(members, n)
        for k in range(n):
            members[k] = listed[begin_of[top_rank] + k]
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, n, top_rank, 1
        so_far[0] = bound_of[top_rank]
        height = 1
        while height:
            height -= 1
            begin, end = stack[height, 0], stack[height, 1]
            rank, depth, bound = stack[height, 2], stack[height, 3], so_far[height]
            n = end - begin
            pairs = n * (n - 1) // 2
            if bound < need and (n > LEAF or pairs > budget):
                n_touched, below, room = _count(
                    index, members, begin, end, rank, bound, need, count, touched
                )
                if below < pairs // 2 or (pairs > budget and below < pairs):
                    if end + room > len(members):
                        members = _room(members, end + room)
                    if height + n_touched > len(stack):
                        stack, so_far = _higher(stack, so_far, height + n_touched)
                    height = _split(
                        index, members, stack, so_far, height, begin, end, rank, depth, bound,
                        need, count, place, touched[:n_touched],
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
            room = 0
            for k in range(begin, end):
                room += row[members[k] + 1] - row[members[k]]
            if room > len(before):
                before, holder = np.empty(2 * room, np.int64), np.empty(2 * room, np.int32)
                shares = np.empty(2 * room)
            if n > len(kept):
                kept, shared = np.ones(2 * n), np.zeros(2 * n, dtype=np.int32)
            size = _compare(
                index, members, begin, end, rank, depth, floor, used, head, before, holder, shares,
                kept, shared, left, right, strength, size,
            )  # fmt: skip
            used += room
    return left[:size], right[:size], strength[:size], blocked  # no copies: they are large


@kernel
def _room(array: Any, size: int) -> Any:
    """Return a copy of the array, at least twice as long, that holds `size` entries."""
    longer = np.empty(max(size, 2 * len(array)), dtype=array.dtype)
    for k in range(len(array)):
        longer[k] = array[k]
    return longer


@kernel
def _higher(stack: Any, so_far: Any, height: int) -> tuple[Any, Any]:
    taller = np.empty((2 * height, 4), dtype=np.int64)
    for k in range(len(stack)):
        for c in range(4):
            taller[k, c] = stack[k, c]
    return taller, _room(so_far, 2 * height)


@kernel
def _count(
    index: Index, members: Any, begin: int, end: int, last: int, bound: float, need: float,
    count: Any, touched: Any,
) -> tuple[int, int, int]:  # fmt: skip
    """Count how often each later rank could come next; return (ranks, pairs, mentions)."""
    start, rank, rest = index.start, index.rank, index.rest
    n = 0
    for k in range(begin, end):
        q, stop = start[members[k]], start[members[k] + 1]
        while q < stop and rank[q] <= last:
            q += 1
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
    last: int, depth: int, bound: float, need: float, count: Any, place: Any, touched: Any,
) -> int:  # fmt: skip
    """Put the groups of a split on the stack, members above the group's own; return its height."""
    start, rank, rest = index.start, index.rank, index.rest
    top = end
    for r in touched:
        if count[r] > 1:
            place[r] = top
            stack[height, 0], stack[height, 1] = top, top + count[r]
            stack[height, 2], stack[height, 3] = r, depth + 1
            so_far[height] = bound + index.bound[r]
            height += 1
            top += count[r]
    for k in range(begin, end):
        x = members[k]
        q, stop = start[x], start[x + 1]
        while q < stop and rank[q] <= last:
            q += 1
        while q < stop and bound + rest[q] >= need:
            r = rank[q]
            if count[r] > 1:
                members[place[r]] = x
                place[r] += 1
            q += 1
    for r in touched:
        count[r] = 0
    return height


@kernel
def _compare(
    index: Index, members: Any, begin: int, end: int, last: int, depth: int, floor: float,
    used: int, head: Any, before: Any, holder: Any, shares: Any, kept: Any, shared: Any,
    left: Any, right: Any, strength: Any, size: int,
) -> int:  # fmt: skip
    """Decide every pair of a group; return how many links there are now.

    Each member is compared with earlier members that share an entity: `head[r]` is the last mention
    of rank r so far, and `before` leads to the earlier ones. Mentions are numbered from `used` on,
    so that those of other groups have smaller numbers. `kept` is 1 − strength and `shared` how many
    ranks up to `last` are shared, by earlier member; 1 and 0 between members.
    """
    start, rank, share = index.start, index.rank, index.share
    new = used
    for k in range(begin, end):
        x = members[k]
        for i in range(start[x], start[x + 1]):
            r, mine = rank[i], share[i]
            m = head[r]
            while m >= used:
                b = holder[m - used]
                kept[b] = kept_with(kept[b], max(mine, shares[m - used]))
                shared[b] += r <= last
                m = before[m - used]
            before[new - used], holder[new - used], shares[new - used] = head[r], k - begin, mine
            head[r] = new
            new += 1
        for b in range(k - begin):
            if kept[b] <= floor and shared[b] == depth:
                left[size], right[size], strength[size] = members[begin + b], x, 1.0 - kept[b]
                size += 1
            kept[b], shared[b] = 1.0, 0
    return size
