"""Unmasks entities that others have made needless: reverse delete (formulas.md §9.7)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas import (
    fast,
    hop_risk,
    in_column,
    in_parts,
    kept_in_rows,
    kept_with,
    kernel,
    none_masked,
    renumbered,
    transpose,
)
from linkmask.plan.chains import ChainStage
from linkmask.plan.hops import Hops
from linkmask.records import Flags, Ints


class _Chains(NamedTuple):
    """The chains of a stage, as they are when entities are unmasked one by one.

    Entity e stands in the documents `holder[begin[e]:begin[e + 1]]`, each with a share. Through
    document d lead the chains `chain[at[d]:at[d + 1]]`. `clean[d]` is 1 − risk of document d, and
    `kept[h]` 1 − strength of hop h, under the mask of now.
    """

    hops: Hops
    documents: Any
    target: Any
    begin: Any
    holder: Any
    share: Any
    at: Any
    chain: Any
    clean: Any
    kept: Any


def unmask_needless(stage: ChainStage, masked: Flags, order: Ints) -> None:
    """Unmask in `order` every entity without which all chains still meet their targets.

    `masked` is updated in place. Exact: unmasking raises the risk of the documents that hold
    the entity, and every chain through one of them is checked. An entity that is needed now stays
    needed, because unmasking only raises risks. Nearly all of these are found in one pass over the
    chains; the others are tried one by one.
    """
    rows, hops, work = stage.rows, stage.hops, stage.work
    clean = _unmasked(rows.start, rows.entity, rows.share, masked, work)
    kept = _unmasked(hops.begin, hops.entity, hops.share, masked[hops.entities], work)
    asked = none_masked(len(masked))
    asked[order] = True
    needed = ~asked[hops.entities]
    show = fast(_show_needed, work)
    given = hops, stage.documents, stage.target, clean, kept, needed
    in_parts(lambda a, b: show(*given, a, b), len(stage), work)
    asked[hops.entities[needed]] = False
    order = order[asked[order]]
    number = np.full(len(masked), -1, dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    held = renumbered(rows, number, rows.ceiling[order])
    begin, holder, share = fast(transpose, work)(held.start, held.entity, held.share, len(order))
    at, chain = fast(_chains_by_document, work)(stage.documents, np.diff(held.start) > 0)
    chains = _Chains(
        hops, stage.documents, stage.target, begin, holder, share, at, chain, clean, kept
    )
    back = fast(_unmask_one_by_one, work)(chains)
    masked[order[back]] = False


def _unmasked(begin: Any, entity: Any, share: Any, masked: Flags, work: int) -> Any:
    """Return Π (1 − share) over what is unmasked in each row: 1 − R(d), or 1 − edge strength."""
    loop = fast(kept_in_rows, work)
    return in_column(
        lambda a, b: loop(begin[a : b + 1], entity, share, masked), len(begin) - 1, work
    )


@kernel
def _show_needed(
    hops: Hops, documents: Any, target: Any, clean: Any, kept: Any, needed: Any,
    first: int, last: int,
) -> None:  # fmt: skip
    """Mark entities without which a chain of [first, last) would be above its target.

    An entity is unmasked in one hop of the chain only. The hop's share of it is that of one of both
    documents, whose risk rises; the other's, which may rise as well, stays. Of the two cases the
    lower risk counts: a lower bound. This is cheap, and nearly all that are needed are found.
    """
    for c in range(first, last):
        for k in range(hops.of.shape[1]):
            h = hops.of[c, k]
            begin, end = (hops.begin[h], hops.begin[h + 1]) if h >= 0 else (0, 0)
            for x in range(begin, end):
                if needed[hops.entity[x]]:
                    continue
                product = 1.0
                for g in range(hops.of.shape[1]):
                    other = hops.of[c, g]
                    if other >= 0:
                        rest, i, j = kept[other], clean[documents[c, g]], clean[documents[c, g + 1]]
                        hop = hop_risk(1.0 - rest, 1.0 - i, 1.0 - j)
                        if g == k:  # the entity's share in one of both documents
                            rest, more = kept_with(rest, hops.share[x]), hops.share[x]
                            hop = min(
                                hop_risk(1.0 - rest, 1.0 - kept_with(i, more), 1.0 - j),
                                hop_risk(1.0 - rest, 1.0 - i, 1.0 - kept_with(j, more)),
                            )
                        product = kept_with(product, hop)
                if 1.0 - product > target[c]:
                    needed[hops.entity[x]] = True


@kernel
def _chains_by_document(documents: Any, asked: Any) -> tuple[Any, Any]:
    """Return (begin, chain): the chains through each document asked for, ascending."""
    n = len(asked)
    begin = np.zeros(n + 1, dtype=np.int64)
    for c in range(len(documents)):
        for k in range(documents.shape[1]):
            d = documents[c, k]
            begin[d + 1] += d >= 0 and asked[d]
    for d in range(n):
        begin[d + 1] += begin[d]
    chain = np.empty(begin[n], dtype=np.int32)
    after = begin[:-1].copy()
    for c in range(len(documents)):
        for k in range(documents.shape[1]):
            d = documents[c, k]
            if d >= 0 and asked[d]:
                chain[after[d]] = c
                after[d] += 1
    return begin, chain


@kernel
def _unmask_one_by_one(chains: _Chains) -> Any:
    """Return the entities that may be unmasked, one after another, by number.

    `clean` and `kept` follow in place.
    """
    begin, holder, at, clean = chains.begin, chains.holder, chains.at, chains.clean
    own = np.full(len(clean), -1.0)  # what the entity in hand contributes to d; −1: nothing
    done = np.full(len(chains.kept), -1, dtype=np.int32)
    back = np.empty(len(begin) - 1, dtype=np.int32)
    size = 0
    for e in range(len(back)):
        _set_shares(chains, e, own, True)
        if not _is_needed(chains, own, e):
            back[size] = e
            size += 1
            for x in range(begin[e], begin[e + 1]):
                for y in range(at[holder[x]], at[holder[x] + 1]):
                    _unmask(chains, chains.chain[y], own, done, e)
            for x in range(begin[e], begin[e + 1]):
                clean[holder[x]] = kept_with(clean[holder[x]], own[holder[x]])
        _set_shares(chains, e, own, False)
    return back[:size]


@kernel
def _set_shares(chains: _Chains, e: int, own: Any, up: bool) -> None:
    """Write an entity's share for each of its documents into `own`, or clear it."""
    for x in range(chains.begin[e], chains.begin[e + 1]):
        own[chains.holder[x]] = chains.share[x] if up else -1.0


@kernel
def _is_needed(chains: _Chains, own: Any, e: int) -> bool:
    """Tell whether some chain lies above its target if the current entity is unmasked."""
    hops, documents, clean = chains.hops, chains.documents, chains.clean
    needed = False
    for x in range(chains.begin[e], chains.begin[e + 1]):
        d = chains.holder[x]
        y, end = chains.at[d], chains.at[d + 1]
        while y < end and not needed:
            c = chains.chain[y]
            product = 1.0
            for k in range(hops.of.shape[1]):
                h = hops.of[c, k]
                if h >= 0:
                    i, j = documents[c, k], documents[c, k + 1]
                    rest = chains.kept[h]
                    if own[i] >= 0.0 and own[j] >= 0.0:
                        rest = kept_with(rest, max(own[i], own[j]))
                    risk_i = 1.0 - kept_with(clean[i], max(own[i], 0.0))
                    risk_j = 1.0 - kept_with(clean[j], max(own[j], 0.0))
                    product = kept_with(product, hop_risk(1.0 - rest, risk_i, risk_j))
            needed = 1.0 - product > chains.target[c]
            y += 1
    return needed


@kernel
def _unmask(chains: _Chains, c: int, own: Any, done: Any, e: int) -> None:
    """Recompute the hops of a chain that share e, which is readable now; each hop once."""
    hops, documents, kept = chains.hops, chains.documents, chains.kept
    for k in range(hops.of.shape[1]):
        h = hops.of[c, k]
        if h < 0 or done[h] == e:
            continue
        i, j = documents[c, k], documents[c, k + 1]
        if own[i] >= 0.0 and own[j] >= 0.0:
            kept[h] = kept_with(kept[h], max(own[i], own[j]))
        done[h] = e
