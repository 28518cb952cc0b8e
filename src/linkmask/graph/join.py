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
RANKS = 512
"""Ranks whose groups are put on the stack together."""
PAIRS = 4096
"""Pairs, about, of the groups that are compared in one call: their rows stay in the cache."""
HEADS = 4096
"""Lists of mentions; ranks that are equal modulo this number share one. They fit the cache."""
FETCHED = 256
"""Members whose rows are fetched from memory together when a group is split."""


@kernel
def join(
    index: Index, first: int, last: int, need: float, floor: float, budget: int
) -> tuple[Any, Any, Any, int]:
    """Return links whose first shared entity has a rank in [first, last), and blocked pairs.

    Groups wait on a stack; `members` holds their documents one after another, a group's above its
    parent's. A group knows its last rank, how many it shares up to there, and their bound. Those
    that are not split are compared many in a call: most are small, and a call costs more than they.
    """
    begin_of, bound_of = index.begin, index.bound
    members = np.empty(1024, dtype=np.int32)
    stack = np.empty((RANKS, 4), dtype=np.int64)  # begin, end, last rank, depth
    so_far = np.empty(RANKS)
    count = np.zeros(len(bound_of), dtype=np.int32)
    place = np.empty(len(bound_of), dtype=np.int64)
    touched = np.empty(len(bound_of), dtype=np.int32)
    next_rank, holder = np.empty(1024, dtype=np.int32), np.empty(1024, dtype=np.int32)
    head = np.full(HEADS, -1, dtype=np.int64)
    kept, shared = np.ones(1024), np.zeros(1024, dtype=np.int32)
    before, owner = np.empty(1024, dtype=np.int64), np.empty(1024, dtype=np.int32)
    ranks, shares = np.empty(1024, dtype=np.int32), np.empty(1024)
    left = np.empty(1024, dtype=np.int32)
    right = np.empty(1024, dtype=np.int32)
    strength = np.empty(1024)
    size, used, blocked = 0, 0, 0
    for low in range(first, last, RANKS):
        high = min(low + RANKS, last)
        if begin_of[high] - begin_of[low] > len(members):
            members = _room(members, begin_of[high] - begin_of[low])
        height = _begin(index, low, high, members, stack, so_far)
        while height:
            top = height
            height, pairs, most = _whole(stack, so_far, top, need, budget)
            if pairs > budget:
                blocked += pairs
            elif height < top:
                if size + pairs > len(left):
                    left, right = _room(left, size + pairs), _room(right, size + pairs)
                    strength = _room(strength, size + pairs)
                room = _fetch(index, members, stack, height, top)
                if room > len(before):
                    before, owner = np.empty(2 * room, np.int64), np.empty(2 * room, np.int32)
                    ranks, shares = np.empty(2 * room, np.int32), np.empty(2 * room)
                if room > len(head):  # else lists would grow with the mentions of long documents
                    head = np.full(_lists(room), -1, dtype=np.int64)
                if most > len(kept):
                    kept, shared = np.ones(2 * most), np.zeros(2 * most, dtype=np.int32)
                size, used = _compare(
                    index, members, stack, height, top, floor, used, head, before, owner, ranks,
                    shares, kept, shared, left, right, strength, size,
                )  # fmt: skip
            else:
                height -= 1
                begin, end, pairs = stack[height, 0], stack[height, 1], _pairs(stack, height)
                room = _mentions(index, members, begin, end)
                if room > len(next_rank):
                    next_rank, holder = _room(next_rank, room), _room(holder, room)
                n, below, room, found = _count(
                    index, members, begin, end, stack[height, 2], so_far[height], need, count,
                    touched, next_rank, holder,
                )  # fmt: skip
                if below < pairs // 2 or (pairs > budget and below < pairs):
                    if end + room > len(members):
                        members = _room(members, end + room)
                    if height + n > len(stack):
                        stack, so_far = _higher(stack, so_far, height + n)
                    height = _split(
                        index, members, stack, so_far, height, count, place, touched[:n],
                        next_rank, holder, found,
                    )  # fmt: skip
                else:
                    so_far[height] = need  # it stays whole
                    height += 1
                    _clear(count, touched[:n])
    return left[:size], right[:size], strength[:size], blocked  # no copies: they are large


@kernel
def _begin(index: Index, low: int, high: int, members: Any, stack: Any, so_far: Any) -> int:
    """Put a group for each rank in [low, high) on the empty stack; return its height."""
    begin_of, listed, bound_of = index.begin, index.listed, index.bound
    offset = begin_of[low]
    for k in range(offset, begin_of[high]):
        members[k - offset] = listed[k]
    height = 0
    for r in range(low, high):
        if begin_of[r + 1] - begin_of[r] > 1:
            stack[height, 0], stack[height, 1] = begin_of[r] - offset, begin_of[r + 1] - offset
            stack[height, 2], stack[height, 3] = r, 1
            so_far[height] = bound_of[r]
            height += 1
    return height


@kernel
def _pairs(stack: Any, group: int) -> int:
    n = stack[group, 1] - stack[group, 0]
    return int(n * (n - 1) // 2)


@kernel
def _whole(stack: Any, so_far: Any, top: int, need: float, budget: int) -> tuple[int, int, int]:
    """Return (height, pairs, most): the groups of [height, top) may be compared in one call.

    They have so many pairs, and the largest so many members. A group above `budget` stands alone.
    """
    height, pairs, most = top, 0, 0
    while height > 0 and pairs < PAIRS:
        n, more = stack[height - 1, 1] - stack[height - 1, 0], _pairs(stack, height - 1)
        is_whole = so_far[height - 1] >= need or (n <= LEAF and more <= budget)
        if not is_whole or (pairs > 0 and pairs + more > budget):
            break
        height -= 1
        pairs += more
        most = max(most, n)
    return height, pairs, most


@kernel
def _fetch(index: Index, members: Any, stack: Any, bottom: int, top: int) -> int:
    """Read the rows that groups compare, and return the mentions of the group with most.

    The rows lie anywhere in memory. No read here depends on another one, so the processor fetches
    them in parallel.
    """
    start, rank, share = index.start, index.rank, index.share
    most, read = 0, 0.0
    for g in range(bottom, top):
        room = 0
        for k in range(stack[g, 0], stack[g, 1]):
            begin, end = start[members[k]], start[members[k] + 1]
            room += end - begin
            read += rank[begin] + share[begin] + share[end - 1]
        most = max(most, room)
    return most if read >= 0.0 else 0  # always the first; what is not used would not be read


@kernel
def _mentions(index: Index, members: Any, begin: int, end: int) -> int:
    """Return how many mentions the members have."""
    start, room = index.start, 0
    for k in range(begin, end):
        room += start[members[k] + 1] - start[members[k]]
    return room


@kernel
def _lists(room: int) -> int:
    """Return how many lists of mentions there are: a power of two, at least `room`."""
    lists = HEADS
    while lists < room:
        lists *= 2
    return lists


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
    count: Any, touched: Any, next_rank: Any, holder: Any,
) -> tuple[int, int, int, int]:  # fmt: skip
    """List which later ranks could come next in each member, and count how often each one could.

    Returns:
        The numbers of ranks in `touched`, of pairs and of members of the groups of a split, and of
        places listed: (rank, member) in `next_rank` and `holder`.
    """
    start, rank, rest = index.start, index.rank, index.rest
    at, stop = np.empty(FETCHED, np.int64), np.empty(FETCHED, np.int64)
    n, found, read = 0, 0, 0.0
    for block in range(begin, end, FETCHED):
        m = min(FETCHED, end - block)
        for k in range(m):
            at[k], stop[k] = start[members[block + k]], start[members[block + k] + 1]
            read += rank[at[k]] + rest[at[k]] + rest[stop[k] - 1]
        for k in range(m):
            q = at[k]
            while q < stop[k] and rank[q] <= last:
                q += 1
            while q < stop[k] and bound + rest[q] >= need:
                r = rank[q]
                if count[r] == 0:
                    touched[n] = r
                    n += 1
                count[r] += 1
                next_rank[found], holder[found] = r, members[block + k]
                found += 1
                q += 1
    pairs, room = 0, 0
    for k in range(n):
        c = count[touched[k]]
        pairs += c * (c - 1) // 2
        if c > 1:
            room += c
    return n, pairs, room, found if read >= 0.0 else 0  # always the first, as in _fetch


@kernel
def _split(
    index: Index, members: Any, stack: Any, so_far: Any, height: int, count: Any, place: Any,
    touched: Any, next_rank: Any, holder: Any, found: int,
) -> int:  # fmt: skip
    """Put the groups of a split on the stack, members above the group's own; return its height."""
    top, depth, bound = stack[height, 1], stack[height, 3], so_far[height]
    for r in touched:
        if count[r] > 1:
            place[r] = top
            stack[height, 0], stack[height, 1] = top, top + count[r]
            stack[height, 2], stack[height, 3] = r, depth + 1
            so_far[height] = bound + index.bound[r]
            height += 1
            top += count[r]
    for m in range(found):
        r = next_rank[m]
        if count[r] > 1:
            members[place[r]] = holder[m]
            place[r] += 1
    _clear(count, touched)
    return height


@kernel
def _clear(count: Any, ranks: Any) -> None:
    """Set counts to 0. In the loop of `join` itself, each would count references to arrays."""
    for r in ranks:
        count[r] = 0


@kernel
def _compare(
    index: Index, members: Any, stack: Any, bottom: int, top: int, floor: float, used: int,
    head: Any, before: Any, owner: Any, ranks: Any, shares: Any, kept: Any, shared: Any,
    left: Any, right: Any, strength: Any, size: int,
) -> tuple[int, int]:  # fmt: skip
    """Decide every pair of the groups [bottom, top); return the numbers of links and of mentions.

    Each member is compared with earlier members that share an entity: `head[r & mask]` is the last
    mention of rank r so far, or of a rank in the same list, and `before` leads to the earlier ones.
    Mentions are numbered from `used` on, so that those of other groups have smaller numbers. `kept`
    is 1 − strength and `shared` how many ranks up to `last` are shared, by earlier member; 1 and 0
    between members.
    """
    start, rank, share, mask = index.start, index.rank, index.share, len(head) - 1
    for g in range(bottom, top):
        begin, end, last, depth = stack[g, 0], stack[g, 1], stack[g, 2], stack[g, 3]
        new = used
        for k in range(begin, end):
            x = members[k]
            for i in range(start[x], start[x + 1]):
                r, mine = rank[i], share[i]
                m = head[r & mask]
                while m >= used:
                    if ranks[m - used] == r:
                        b = owner[m - used]
                        kept[b] = kept_with(kept[b], max(mine, shares[m - used]))
                        shared[b] += r <= last
                    m = before[m - used]
                if k < end - 1:  # nothing is compared with the last member later
                    before[new - used], owner[new - used] = head[r & mask], k - begin
                    ranks[new - used], shares[new - used] = r, mine
                    head[r & mask] = new
                    new += 1
            for b in range(k - begin):
                if kept[b] <= floor and shared[b] == depth:
                    left[size], right[size], strength[size] = members[begin + b], x, 1.0 - kept[b]
                    size += 1
                kept[b], shared[b] = 1.0, 0
        used = new
    return size, used
