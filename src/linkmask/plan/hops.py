"""Chains as hops, hops as the entities they share: what the chain stage computes with.

Document rows are read once, when the stage begins; every risk of a chain under any mask comes
from these tables and the document risks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas import (
    Rows,
    fast,
    hop_risk,
    in_parts,
    kernel,
    level,
    reaches,
    target,
    within,
)
from linkmask.records import Floats, Ints, Links


class Hops(NamedTuple):
    """The hops of chains, and the unmasked entities that each hop shares.

    `of[c]` lists the hops of chain c, padded with −1. Hop h shares the entities
    `entity[begin[h]:begin[h + 1]]`, ascending; `share` is the s_e of SPEC §6.3.
    """

    of: Any
    begin: Any
    entity: Any
    share: Any


Above = tuple[Hops, Ints, Floats, Floats, Any]
"""Hops, documents, risk, target and level of the chains above policy."""


def links_above(rows: Rows, links: Links, risks: Floats, limits: tuple[float, ...]) -> Above:
    """Find the links above policy as chains of two documents.

    `rows` hold unmasked entities only, `risks` are those of their documents; `limits` are high,
    medium, θ_chain, ρ_high and ρ_medium.
    """
    work = len(rows.entity)
    loop = fast(_links_above, work)

    def part(a: int, b: int) -> Any:
        return loop(rows, links.left[a:b], links.right[a:b], links.strength[a:b], risks, limits)

    parts = in_parts(part, len(links), work)
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    documents, before, goal, category, sizes, entity, share = columns
    of = np.arange(len(documents), dtype=np.int64).reshape(-1, 1)
    return Hops(of, _begin(sizes), entity, share), documents, before, goal, category


def chains_above(rows: Rows, documents: Ints, risks: Floats, limits: tuple[float, ...]) -> Above:
    """Find those of some listed chains that are above policy."""
    work, length = len(rows.entity), documents.shape[1]
    ends = np.stack([documents[:, :-1], documents[:, 1:]], axis=2).reshape(-1, 2)
    key = ends.min(axis=1).astype(np.int64) << 32 | ends.max(axis=1)
    used = ends.min(axis=1) >= 0
    pairs, number = np.unique(key[used], return_inverse=True)
    of = np.full(len(ends), -1, dtype=np.int64)
    of[used] = number
    low, high = (pairs >> 32).astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32)
    sizes, entity, share = fast(_shared_by, work)(rows, low, high)
    hops = Hops(of.reshape(-1, length - 1), _begin(sizes), entity, share)
    nothing = np.zeros(len(rows.ceiling), dtype=np.bool_)
    before = fast(risks_along, work)(hops, documents, nothing, risks)
    above, goal, category = fast(_above, work)(before, limits)
    return hops._replace(of=hops.of[above]), documents[above], before[above], goal, category


def _begin(sizes: Any) -> Any:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)])


@kernel
def _links_above(
    rows: Rows, left: Any, right: Any, strength: Any, risks: Any, limits: Any
) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
    """Return (documents, risk, target, level, sizes, entity, share) of the links above policy.

    What a link was before any mask bounds what it is now: most need no second look.
    """
    high, medium, theta, rho_high, rho_medium = limits
    documents = np.empty((len(left), 2), dtype=np.int32)
    before, goal = np.empty(len(left)), np.empty(len(left))
    category = np.empty(len(left), dtype=np.int8)
    sizes = np.empty(len(left), dtype=np.int64)
    entity = np.empty(1024, dtype=np.int32)
    share = np.empty(1024)
    size, n = 0, 0
    for k in range(len(left)):
        i, j = left[k], right[k]
        if not reaches(hop_risk(strength[k], risks[i], risks[j]), min(medium, theta)):
            continue
        entity, share = _roomy(rows, i, entity, share, size)
        more, kept = _shared(rows, i, j, entity, share, size)
        now = 1.0 - (1.0 - hop_risk(1.0 - kept, risks[i], risks[j]))
        at = level(now, high, medium)
        if at < 2 or not within(now, theta):
            documents[n, 0], documents[n, 1] = i, j
            before[n], category[n], sizes[n] = now, at, more
            goal[n] = target(now, at, theta, rho_high, rho_medium)
            n += 1
            size += more
    return (
        documents[:n].copy(), before[:n].copy(), goal[:n].copy(), category[:n].copy(),
        sizes[:n].copy(), entity[:size].copy(), share[:size].copy(),
    )  # fmt: skip


@kernel
def _shared_by(rows: Rows, left: Any, right: Any) -> tuple[Any, Any, Any]:
    """Return (sizes, entity, share): what each pair of documents shares."""
    sizes = np.empty(len(left), dtype=np.int64)
    entity = np.empty(1024, dtype=np.int32)
    share = np.empty(1024)
    size = 0
    for h in range(len(left)):
        entity, share = _roomy(rows, left[h], entity, share, size)
        sizes[h], _ = _shared(rows, left[h], right[h], entity, share, size)
        size += sizes[h]
    return sizes, entity[:size].copy(), share[:size].copy()


@kernel
def _roomy(rows: Rows, document: int, entity: Any, share: Any, size: int) -> tuple[Any, Any]:
    """Return the two columns, longer where `document` may not fit behind `size`."""
    room = size + rows.start[document + 1] - rows.start[document]
    if room <= len(entity):
        return entity, share
    longer, wider = np.empty(2 * room, dtype=np.int32), np.empty(2 * room)
    for x in range(size):
        longer[x], wider[x] = entity[x], share[x]
    return longer, wider


@kernel
def _shared(
    rows: Rows, left: int, right: int, entity: Any, share: Any, size: int
) -> tuple[int, float]:
    """Write what two documents share behind `size`; return how many and 1 − edge strength."""
    n = size
    kept = 1.0
    a, a_end = rows.start[left], rows.start[left + 1]
    b, b_end = rows.start[right], rows.start[right + 1]
    while a < a_end and b < b_end:
        e, f = rows.entity[a], rows.entity[b]
        if e == f:
            entity[n], share[n] = e, max(rows.share[a], rows.share[b])
            kept *= 1.0 - share[n]
            n += 1
        if e <= f:
            a += 1
        if f <= e:
            b += 1
    return n - size, kept


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


@kernel
def kept_by(hops: Hops, masked: Any, hop: int) -> float:
    """Return 1 − edge strength of a hop under a mask."""
    kept = 1.0
    for x in range(hops.begin[hop], hops.begin[hop + 1]):
        if not masked[hops.entity[x]]:
            kept *= 1.0 - hops.share[x]
    return kept


@kernel
def risk_along(hops: Hops, documents: Any, masked: Any, risks: Any, c: int) -> float:
    """Return the risk of chain c under a mask, given the documents' risks (SPEC §6.5)."""
    left = 1.0
    for k in range(hops.of.shape[1]):
        h = hops.of[c, k]
        if h < 0:
            break
        i, j = documents[c, k], documents[c, k + 1]
        left *= 1.0 - hop_risk(1.0 - kept_by(hops, masked, h), risks[i], risks[j])
    return 1.0 - left


@kernel
def risks_along(hops: Hops, documents: Any, masked: Any, risks: Any) -> Any:
    """Return the risk of every chain under a mask."""
    found = np.empty(len(documents))
    for c in range(len(documents)):
        found[c] = risk_along(hops, documents, masked, risks, c)
    return found
