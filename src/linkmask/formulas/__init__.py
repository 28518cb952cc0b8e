"""Holds every formula of the method (formulas.md §4-9), once.

They are plain loops over arrays, marked `@kernel`: called directly they run as Python, and
`fast(f, work)` compiles the same functions for large corpora. They also take lists in place of
arrays, so a solver may hand in the few rows of one chain.

All take the corpus as `Rows` and the masked entities as flags: a masked entity contributes
nothing. Uniqueness is pinned: it is computed once, before masking, and sits in `Rows.ceiling`.

Comparisons with a limit go through `reaches` and `within`: what is equal on paper is equal here,
in whatever order the factors were multiplied.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas import compiling
from linkmask.formulas.compiling import (
    compiled,
    fast,
    in_parts,
    joined_columns,
    kernel,
    thread_count,
)
from linkmask.formulas.csr import counting_order, sort_rows, transpose
from linkmask.formulas.noisyor import kept_in_row, kept_with, noisy_or
from linkmask.records import Floats, Incidence, Ints, Level

__all__ = [
    "LEVELS",
    "SLACK",
    "Rows",
    "chain_risk",
    "compiled",
    "compiling",
    "contributions",
    "document_risk",
    "document_risks",
    "document_risks_of",
    "edge_strength",
    "fast",
    "hop_risk",
    "in_parts",
    "joined_columns",
    "kept_in_row",
    "kept_with",
    "kernel",
    "level",
    "make_rows",
    "noisy_or",
    "none_masked",
    "open_rows",
    "order_key",
    "order_keys",
    "reaches",
    "renumbered",
    "riskiest_first",
    "rows_of",
    "sort_rows",
    "target",
    "thread_count",
    "transpose",
    "uniqueness",
    "within",
]

LEVELS: tuple[Level, Level, Level] = ("HIGH", "MEDIUM", "LOW")

SLACK = 1e-12
"""Two risks closer than this are equal: far above rounding noise, far below any meaning."""


class Rows(NamedTuple):
    """The corpus as the formulas read it, CSR by document.

    The entities of document `d` are `entity[start[d]:start[d + 1]]`, ascending. Beside them runs
    `share`, what each contributes there: c(e, d) = relevance · u · w in [0, 1] (formulas.md §5).
    `ceiling[e]` = u(e) · w(type of e): the most e can contribute anywhere.
    """

    start: Any
    entity: Any
    share: Any
    ceiling: Any


def rows_of(incidence: Incidence) -> Rows:
    """Return an incidence as `Rows`."""
    ceiling = incidence.uniqueness * incidence.weight
    return make_rows(incidence.start, incidence.entity, incidence.relevance, ceiling)


def make_rows(start: Any, entity: Any, relevance: Any, ceiling: Any) -> Rows:
    """Return `Rows` from relevances in [0, 1] and ceilings u · w."""
    share = np.empty(len(entity))

    def part(a: int, b: int) -> None:
        np.multiply(relevance[a:b], ceiling[entity[a:b]], out=share[a:b])

    in_parts(part, len(entity), len(entity))
    return Rows(start, entity, share, ceiling)


def open_rows(rows: Rows, masked: Any) -> Rows:
    """Return the rows without their masked entities; entity numbers stay what they are.

    Every formula gives the same bits over them, sooner.
    """
    number = np.arange(len(rows.ceiling), dtype=np.int32)
    number[masked] = -1
    return renumbered(rows, number, rows.ceiling)


def renumbered(rows: Rows, number: Any, ceiling: Any) -> Rows:
    """Return the rows with entity e called `number[e]`, or left out where that is −1."""
    work, n = len(rows.entity), len(rows.start) - 1
    count, fill = fast(_count_numbered, work), fast(_fill_numbered, work)
    start = np.zeros(n + 1, dtype=np.int64)
    in_parts(lambda a, b: count(rows, number, start, a, b), n, work)
    np.cumsum(start, out=start)
    entity, share = np.empty(start[-1], dtype=np.int32), np.empty(start[-1])
    in_parts(lambda a, b: fill(rows, number, start, entity, share, a, b), n, work)
    return Rows(start, entity, share, ceiling)


@kernel
def _count_numbered(rows: Rows, number: Any, start: Any, first: int, last: int) -> None:
    for d in range(first, last):
        held = 0
        for k in range(rows.start[d], rows.start[d + 1]):
            held += number[rows.entity[k]] >= 0
        start[d + 1] = held


@kernel
def _fill_numbered(
    rows: Rows, number: Any, start: Any, entity: Any, share: Any, first: int, last: int
) -> None:
    for d in range(first, last):
        to = start[d]
        for k in range(rows.start[d], rows.start[d + 1]):
            e = number[rows.entity[k]]
            if e >= 0:
                entity[to], share[to] = e, rows.share[k]
                to += 1


def none_masked(n_entities: int) -> Any:
    """Return the flags of an empty mask."""
    return np.zeros(n_entities, dtype=np.bool_)


def uniqueness(frequency: Ints, n_documents: int) -> Floats:
    """Return u = log((N + 1) / frequency) / log(N + 1), in [0, 1], for each entity.

    1 for what occurs in one document, small but positive for what occurs in all (formulas.md §4).
    """
    if not len(frequency):
        return np.zeros(0)
    whole = float(n_documents + 1)
    u: Floats = np.log(whole / frequency) / np.log(whole)
    return np.minimum(np.maximum(u, 0.0), 1.0)


# ── comparing with limits ───────────────────────────────────────────────────────────────────────


@kernel
def reaches(value: float, bound: float) -> bool:
    """Tell whether `value` ≥ `bound`, inclusive up to rounding noise."""
    return value >= bound - SLACK


@kernel
def within(value: float, bound: float) -> bool:
    """Tell whether `value` ≤ `bound`, inclusive up to rounding noise."""
    return value <= bound + SLACK


@kernel
def order_key(value: float) -> int:
    """Return a whole number that ranks risks and gains; what is equal on paper ties."""
    return int(np.floor(value * 1e12 + 0.5))


def order_keys(values: Any) -> Any:
    """Return the same of many."""
    return np.floor(values * 1e12 + 0.5).astype(np.int64)


def riskiest_first(risk: Any) -> Any:
    """Return the order of descending risk, ties as they stand: a radix sort by four digits."""
    key = 10**12 - order_keys(risk)  # from 0 up, below 2 ** 44
    order = np.arange(len(risk), dtype=np.int32)
    sort = fast(counting_order, len(risk))
    for shift in (0, 11, 22, 33):
        order = sort((key >> shift & 0x7FF).astype(np.int32), order, 0x800)
    return order


# ── documents ───────────────────────────────────────────────────────────────────────────────────


@kernel
def document_risk(rows: Rows, masked: Any, document: int) -> float:
    """Return R(d) = 1 − Π (1 − relevance · u · w) over d's unmasked entities (formulas.md §5)."""
    kept = 1.0  # written out: a call that takes arrays counts references to them
    for x in range(rows.start[document], rows.start[document + 1]):
        if not masked[rows.entity[x]]:
            kept = kept_with(kept, rows.share[x])
    return 1.0 - kept


@kernel
def document_risks(rows: Rows, masked: Any) -> Any:
    """Return R(d) of every document."""
    risks = np.empty(len(rows.start) - 1)
    for d in range(len(risks)):
        risks[d] = document_risk(rows, masked, d)
    return risks


def document_risks_of(rows: Rows, masked: Any) -> Floats:
    """Return the same on all cores where the corpus is large."""
    loop = fast(document_risks, len(rows.entity))

    def part(a: int, b: int) -> Any:
        return loop(rows._replace(start=rows.start[a : b + 1]), masked)

    return np.concatenate(in_parts(part, len(rows.start) - 1, len(rows.entity)))


@kernel
def contributions(rows: Rows) -> Any:
    """Return each entity's global contribution, max over documents of relevance · u · w.

    formulas.md §8.1, where it is g(e): it ranks entities.
    """
    best = np.zeros(len(rows.ceiling))
    for k in range(len(rows.entity)):
        e = rows.entity[k]
        best[e] = max(best[e], rows.share[k])
    return best


# ── links ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def edge_strength(rows: Rows, masked: Any, left: int, right: int) -> float:
    """Return 1 − Π (1 − s_e) over unmasked shared entities (formulas.md §6.1).

    s_e = the larger of the two relevances · u · w, which is the larger of the two shares.
    """
    kept = 1.0
    a, a_end = rows.start[left], rows.start[left + 1]
    b, b_end = rows.start[right], rows.start[right + 1]
    while a < a_end and b < b_end:
        e, f = rows.entity[a], rows.entity[b]
        if e == f and not masked[e]:
            kept = kept_with(kept, max(rows.share[a], rows.share[b]))
        if e <= f:
            a += 1
        if f <= e:
            b += 1
    return 1.0 - kept


@kernel
def hop_risk(strength: float, left_risk: float, right_risk: float) -> float:
    """Return strength · (1 + mean document risk) / 2, at least ½ strength (formulas.md §7.2)."""
    return strength * (1.0 + (left_risk + right_risk) / 2.0) / 2.0


# ── chains ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def chain_risk(rows: Rows, masked: Any, path: Any) -> float:
    """Return 1 − Π (1 − hop risk) along a path; without a hop 0 (formulas.md §7.2).

    `path` lists documents and ends at its length or at the first negative number.
    """
    kept = 1.0
    before = document_risk(rows, masked, path[0])
    for k in range(1, len(path)):
        i, j = path[k - 1], path[k]
        if j < 0:
            break
        after = document_risk(rows, masked, j)
        kept = kept_with(kept, hop_risk(edge_strength(rows, masked, i, j), before, after))
        before = after
    return 1.0 - kept


@kernel
def chain_risks(rows: Rows, masked: Any, paths: Any) -> Any:
    """Return the risk along each of many paths, a row each."""
    risks = np.empty(len(paths))
    for number in range(len(paths)):
        risks[number] = chain_risk(rows, masked, paths[number])
    return risks


@kernel
def level(risk: float, high: float, medium: float) -> int:
    """Return the category as an index into `LEVELS`; bounds are inclusive (formulas.md §7.3)."""
    if reaches(risk, high):
        return 0
    return 1 if reaches(risk, medium) else 2


@kernel
def target(risk: float, category: int, theta: float, rho_high: float, rho_medium: float) -> float:
    """Return the risk a chain may keep, given its risk and category at the stage's start.

    min(θ_chain, ρ · risk) for HIGH and MEDIUM; θ_chain for LOW, which is met by itself when the
    chain lies at or below it (formulas.md §9.2).
    """
    if category == 2:
        return theta
    return min(theta, (rho_high if category == 0 else rho_medium) * risk)
