"""Reverse delete: masks that others have made needless are taken back (ENGINE §6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas import Rows, fast, hop_risk, in_parts, kernel, transpose
from linkmask.plan.chains import Stage
from linkmask.plan.hops import Hops
from linkmask.records import Flags, Ints


def give_back(stage: Stage, masked: Flags, order: Ints) -> None:
    """Unmask in `order` every entity without which all chains still meet their targets.

    `masked` is updated in place. Exact: unmasking raises the risk of the documents that hold
    the entity, and every chain through one of them is looked at. What is needed now is needed
    ever after, since unmasking raises risks: only the rest is gone through one by one.
    """
    rows, clear = stage.rows, fast(_clean, len(stage.rows.entity))
    work, n = len(rows.entity), len(rows.start) - 1
    flat = stage.documents.reshape(-1)
    used = flat >= 0
    starts = np.concatenate([[0], np.cumsum((stage.documents >= 0).sum(axis=1))])
    through = fast(transpose, work)(starts, flat if used.all() else flat[used], n)[:2]
    holders = fast(transpose, work)(rows.start, rows.entity, len(masked))
    parts = in_parts(
        lambda a, b: clear(rows._replace(start=rows.start[a : b + 1]), masked), n, work
    )
    clean = np.concatenate(parts)
    kept = fast(_kept, work)(stage.hops, masked)
    given = rows, stage.hops, holders, through, stage.documents, stage.target, clean, kept
    look = fast(_needless, work)
    found = in_parts(lambda a, b: look(*given, order[a:b]), len(order), work)
    fast(_give_back, work)(*given, masked, np.concatenate(found))


@kernel
def _clean(rows: Rows, masked: Any) -> Any:
    """Return 1 − R(d) of every document."""
    clean = np.ones(len(rows.start) - 1)
    for d in range(len(clean)):
        for k in range(rows.start[d], rows.start[d + 1]):
            if not masked[rows.entity[k]]:
                clean[d] *= 1.0 - rows.share[k]
    return clean


@kernel
def _kept(hops: Hops, masked: Any) -> Any:
    """Return 1 − edge strength of every hop."""
    kept = np.ones(len(hops.begin) - 1)
    for h in range(len(kept)):
        for x in range(hops.begin[h], hops.begin[h + 1]):
            if not masked[hops.entity[x]]:
                kept[h] *= 1.0 - hops.share[x]
    return kept


@kernel
def _needless(
    rows: Rows, hops: Hops, holders: Any, through: Any, documents: Any, target: Any,
    clean: Any, kept: Any, order: Any,
) -> Any:  # fmt: skip
    """Return those of `order` without which, each by itself, all chains stay within target."""
    begin, holder, position = holders
    own = np.full(len(clean), -1.0)  # what the entity in hand contributes to d; −1 if d lacks it
    found = np.empty(len(order), dtype=order.dtype)
    size = 0
    for e in order:
        _take(rows, begin, holder, position, e, own, True)
        if not _is_needed(hops, begin, holder, through, documents, target, clean, kept, own, e):
            found[size] = e
            size += 1
        _take(rows, begin, holder, position, e, own, False)
    return found[:size]


@kernel
def _give_back(
    rows: Rows, hops: Hops, holders: Any, through: Any, documents: Any, target: Any,
    clean: Any, kept: Any, masked: Any, order: Any,
) -> None:  # fmt: skip
    """Unmask entities in order while every chain through their documents stays within target."""
    own = np.full(len(clean), -1.0)
    done = np.full(len(kept), -1, dtype=np.int32)
    begin, holder, position = holders
    at, chain = through
    for e in order:
        _take(rows, begin, holder, position, e, own, True)
        if not _is_needed(hops, begin, holder, through, documents, target, clean, kept, own, e):
            masked[e] = False
            for x in range(begin[e], begin[e + 1]):
                for y in range(at[holder[x]], at[holder[x] + 1]):
                    _unmask(hops, documents, chain[y], kept, own, done, e)
            for x in range(begin[e], begin[e + 1]):
                clean[holder[x]] *= 1.0 - own[holder[x]]
        _take(rows, begin, holder, position, e, own, False)


@kernel
def _take(
    rows: Rows, begin: Any, holder: Any, position: Any, e: int, own: Any, up: bool
) -> None:  # fmt: skip
    """Take an entity in hand, or lay it down again."""
    for x in range(begin[e], begin[e + 1]):
        own[holder[x]] = rows.share[position[x]] if up else -1.0


@kernel
def _is_needed(
    hops: Hops, begin: Any, holder: Any, through: Any, documents: Any, target: Any, clean: Any,
    kept: Any, own: Any, e: int,
) -> bool:  # fmt: skip
    """Tell whether some chain lies above its target with the entity in hand unmasked."""
    at, chain = through
    needed = False
    for x in range(begin[e], begin[e + 1]):
        y, end = at[holder[x]], at[holder[x] + 1]
        while y < end and not needed:
            c = chain[y]
            left = 1.0
            for k in range(hops.of.shape[1]):
                h = hops.of[c, k]
                if h >= 0:
                    i, j = documents[c, k], documents[c, k + 1]
                    rest = kept[h]
                    if own[i] >= 0.0 and own[j] >= 0.0:
                        rest *= 1.0 - max(own[i], own[j])
                    risk_i = 1.0 - clean[i] * (1.0 - max(own[i], 0.0))
                    risk_j = 1.0 - clean[j] * (1.0 - max(own[j], 0.0))
                    left *= 1.0 - hop_risk(1.0 - rest, risk_i, risk_j)
            needed = 1.0 - left > target[c]
            y += 1
    return needed


@kernel
def _unmask(hops: Hops, documents: Any, c: int, kept: Any, own: Any, done: Any, e: int) -> None:
    """Let the hops of a chain that share e feel it again, each once."""
    for k in range(hops.of.shape[1]):
        h = hops.of[c, k]
        if h < 0 or done[h] == e:
            continue
        i, j = documents[c, k], documents[c, k + 1]
        if own[i] >= 0.0 and own[j] >= 0.0:
            kept[h] *= 1.0 - max(own[i], own[j])
        done[h] = e
