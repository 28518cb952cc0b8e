"""Computes the risks of documents, links and chains, and the targets of chains (formulas.md §4-9).

All functions take the corpus as `Rows` and the masked entities as flags: a masked entity
contributes nothing. Uniqueness is pinned: it is computed once, before masking, and sits in
`Rows.ceiling`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.formulas.comparing import reaches
from linkmask.formulas.compiling import fast, in_column, kernel
from linkmask.formulas.noisyor import kept_in_rows, kept_with
from linkmask.formulas.rows import Rows, loop_work
from linkmask.records import Floats, Ints, Level

LEVELS: tuple[Level, Level, Level] = ("HIGH", "MEDIUM", "LOW")


def uniqueness(frequency: Ints, n_documents: int) -> Floats:
    """Return u = log((N + 1) / frequency) / log(N + 1), in [0, 1], for each entity.

    1 for what occurs in one document, small but positive for what occurs in all (formulas.md §4).
    """
    if not len(frequency):
        return np.zeros(0)
    whole = float(n_documents + 1)
    u: Floats = np.log(whole / frequency) / np.log(whole)
    return np.minimum(np.maximum(u, 0.0), 1.0)


# ── documents ───────────────────────────────────────────────────────────────────────────────────


@kernel
def document_risk(rows: Rows, masked: Any, document: int) -> float:
    """Return R(d) = 1 − Π (1 − relevance · u · w) over d's unmasked entities (formulas.md §5)."""
    kept = 1.0  # written out: a call that takes arrays counts references to them
    for x in range(rows.start[document], rows.start[document + 1]):
        kept = kept_with(kept, rows.share[x] * (not masked[rows.entity[x]]))
    return 1.0 - kept


@kernel
def document_risks(rows: Rows, masked: Any) -> Any:
    """Return R(d) of every document."""
    return 1.0 - kept_in_rows(rows.start, rows.entity, rows.share, masked)


def document_risks_of(rows: Rows, masked: Any) -> Floats:
    """Return the same on all cores where the corpus is large."""
    work = loop_work(rows)
    loop = fast(document_risks, work)

    def part(a: int, b: int) -> Any:
        return loop(rows._replace(start=rows.start[a : b + 1]), masked)

    risks: Floats = in_column(part, len(rows.start) - 1, work)
    return risks


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
    """Return strength · (1 + mean document risk) / 2, at least ½ strength (formulas.md §7.2).

    All are in [0, 1]. Another formula must also give a number in [0, 1], not above `strength`, that
    is the same with both risks exchanged, and that doesn't rise where one of the three falls:
    limits and bounds rely on it, also that a hop of strength 0 has no risk.
    """
    return strength * (1.0 + (left_risk + right_risk) / 2.0) / 2.0


HOP_IN_SQL = "{strength} * (1e0 + ({left} + {right}) / 2e0) / 2e0"
HOP_IN_WORDS = "{strength} × (1 + ({left} + {right}) / 2) / 2"
"""`hop_risk` as SQL text (with an exponent, a number is a double on every engine) and as reports
print it, with names or with numbers. Who changes one of the three changes all."""


# ── chains ──────────────────────────────────────────────────────────────────────────────────────


@kernel
def chain_risk(rows: Rows, masked: Any, path: Any) -> float:
    """Return 1 − Π (1 − hop risk) along a path (formulas.md §7.2); without a hop, 0.

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
