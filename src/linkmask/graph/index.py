"""Orders documents and entities for the link join: rows of ranks, and where a link may begin."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas import (
    Rows,
    contributions,
    fast,
    in_parts,
    kernel,
    loop_work,
    renumbered,
    sort_rows,
)


class Index(NamedTuple):
    """Documents as rows of ranks (0 = rarest shared entity), and where each rank is listed.

    `rank`, `share`, `rest` run over mentions of shared entities: `share` is relevance · u · w,
    `rest` the sum of bounds from that mention to the end of its document. `bound` is by rank. The
    documents in which a link may begin with rank r are `listed[begin[r]:begin[r + 1]]`, ascending.
    """

    start: Any
    rank: Any
    share: Any
    rest: Any
    bound: Any
    begin: Any
    listed: Any


def index_of(rows: Rows, frequency: Any, need: float) -> Index:
    """Order entities from rare to frequent and list the places where a link may begin."""
    work = loop_work(rows)
    most = fast(contributions, work)(rows)
    bound = -np.log(np.maximum(1.0 - most, 1e-300))
    # An entity without weight links nothing, unless a link needs no strength.
    shared = np.flatnonzero((frequency >= 2) & ((bound > 0.0) | (need <= 0.0)))
    order = shared[np.argsort(frequency[shared], kind="stable")]
    rank_of = np.full(len(frequency), -1, dtype=np.int32)
    rank_of[order] = np.arange(len(order), dtype=np.int32)
    bound = bound[order]
    start, rank, share, _ = renumbered(rows, rank_of, bound)
    rest = np.empty(len(rank))
    sort, add_up = fast(sort_rows, work), fast(_rests, work)

    def part(a: int, b: int) -> None:
        sort(start, rank, share, a, b)
        add_up(start, rank, bound, rest, a, b)

    in_parts(part, len(start) - 1, work)
    begin, listed = fast(_list, work)(start, rank, rest, len(order), need)
    return Index(start, rank, share, rest, bound, begin, listed)


@kernel
def _rests(start: Any, rank: Any, bound: Any, rest: Any, first: int, last: int) -> None:
    """Sum up bounds from each mention to the end of its document."""
    for d in range(first, last):
        total = 0.0
        for p in range(start[d + 1] - 1, start[d] - 1, -1):
            total += bound[rank[p]]
            rest[p] = total


@kernel
def _list(start: Any, rank: Any, rest: Any, ranks: int, need: float) -> tuple[Any, Any]:
    """List by rank the documents in which what is left, from there on, can reach a link."""
    begin = np.zeros(ranks + 1, dtype=np.int64)
    for p in range(len(rank)):
        begin[rank[p] + 1] += rest[p] >= need
    for r in range(ranks):
        begin[r + 1] += begin[r]
    listed = np.empty(begin[ranks], dtype=np.int32)
    after = begin[:-1].copy()
    for d in range(len(start) - 1):
        for p in range(start[d], start[d + 1]):
            if rest[p] < need:
                break
            listed[after[rank[p]]] = d
            after[rank[p]] += 1
    return begin, listed
