"""The chain stage: which chains are above policy, what each may keep, one after another (SPEC §8).

A solver is a function from a `Stage` to a `Choice`. `greedy` and `knapsack` look at one chain at
a time and know candidates and a risk, no documents: `treat` leads them through the chains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    SLACK,
    Rows,
    chain_risk,
    chain_risks_of,
    document_risks_of,
    fast,
    hop_risk,
    kernel,
    level,
    open_rows,
    reaches,
    rows_of,
    target,
    within,
)
from linkmask.records import Flags, Floats, Incidence, Ints, Risk, Treated

Select = Callable[[Sequence[int], Callable[[Set[int]], float], float], list[tuple[int, float]]]
"""Candidates, risk of the chain when a set of them is masked, target → (candidate, gain) …"""


@dataclass(frozen=True, slots=True)
class Stage:
    """What is given when the chain stage begins.

    `documents[c]` is the path of chain c, padded with −1; chains are sorted by documents.
    `before`, `target` in [0, 1]; `level` indexes `LEVELS`.
    `masked`: the entities of the earlier stages, left out of `rows`. `cost[e]` > 0: what masking
    e costs.
    """

    rows: Rows
    masked: Flags
    documents: Ints
    before: Floats
    target: Floats
    level: Any
    cost: Floats

    def __len__(self) -> int:
        return len(self.before)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a solver masks further: entities in order of choice, with gain and chains served.

    `lower_bound`: no set that meets every target has fewer entities, 0 where nothing is proven.
    """

    entities: Ints
    gain: Floats
    served: Ints
    lower_bound: int = 0
    proven: bool = False


def begin(
    incidence: Incidence, risk: Risk, masked: Flags, cost: Floats, settings: Settings
) -> Stage:
    """Find the chains above policy: HIGH or MEDIUM, or any other above θ_chain (SPEC §8.1).

    Categories are those of now, with the earlier stages' masks.
    """
    rows = open_rows(rows_of(incidence), masked)
    risks = document_risks_of(rows, masked)
    if settings.chain_length == 2 or not risk.chains.complete:
        # What a link was before any mask bounds what it is now: most need no second look.
        documents = fast(_may_be_above, incidence.n_mentions)(
            risk.links.left,
            risk.links.right,
            risk.links.strength,
            risks,
            min(settings.medium, settings.theta_chain),
        )
    else:
        listed = risk.chains.documents
        documents = listed[np.lexsort(listed.T[::-1])]
    limits = (settings.high, settings.medium, settings.theta_chain, *settings.rho[:2])
    before = chain_risks_of(rows, masked, risks, documents)
    above, goal, category = fast(_above, incidence.n_mentions)(before, limits)
    return Stage(rows, masked, documents[above], before[above], goal, category, cost)


@kernel
def _may_be_above(left: Any, right: Any, strength: Any, risks: Any, limit: float) -> Any:
    """Return the links whose hop risk, with the strength before any mask, reaches a limit."""
    documents = np.empty((len(left), 2), dtype=np.int32)
    n = 0
    for k in range(len(left)):
        if reaches(hop_risk(strength[k], risks[left[k]], risks[right[k]]), limit):
            documents[n, 0], documents[n, 1] = left[k], right[k]
            n += 1
    return documents[:n].copy()


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


def treat(stage: Stage, settings: Settings, select: Select) -> Choice:
    """Lead `select` through the chains, riskiest first, each from where the last one left off."""
    masked = stage.masked.copy()
    find = fast(_next_above, len(stage.rows.entity))
    chosen: list[tuple[int, float]] = []
    riskiest_first = np.argsort(-np.floor(stage.before * 1e12 + 0.5), kind="stable")
    at = 0
    while True:
        at = find(stage.rows, masked, stage.documents, stage.target, riskiest_first, at)
        if at == len(stage):
            break
        c = int(riskiest_first[at])
        known, candidates, risk = one_chain(stage.rows, masked, stage.documents[c], settings)
        for local, gain in select(candidates, risk, float(stage.target[c]) + SLACK):
            chosen.append((known[local], gain))
            masked[known[local]] = True
        at += 1
    return Choice(
        entities=np.array([e for e, _ in chosen], dtype=np.int32),
        gain=np.array([gain for _, gain in chosen], dtype=np.float64),
        served=np.ones(len(chosen), dtype=np.int32),
    )


@kernel
def _next_above(rows: Rows, masked: Any, documents: Any, target: Any, order: Any, at: int) -> int:
    """Return the first position in `order`, from `at`, of a chain above its target, or the end."""
    while at < len(order) and within(
        chain_risk(rows, masked, documents[order[at]]), target[order[at]]
    ):
        at += 1
    return at


def one_chain(
    rows: Rows, masked: Flags, path: Ints, settings: Settings
) -> tuple[list[int], list[int], Callable[[Set[int]], float]]:
    """Return a chain as a solver sees it: (entities, candidates, risk).

    `entities[i]` is the number of the chain's i-th unmasked entity, ascending; candidates and the
    sets that `risk` takes are indices i.
    """
    rows_of_chain = []
    for d in path[path >= 0].tolist():
        at = slice(rows.start[d], rows.start[d + 1])
        entity, share = rows.entity[at], rows.share[at]
        open_ = ~masked[entity]
        rows_of_chain.append((entity[open_].tolist(), share[open_].tolist()))
    known = sorted({e for held, _ in rows_of_chain for e in held})
    number = {e: i for i, e in enumerate(known)}
    local = Rows(
        start=np.cumsum([0] + [len(held) for held, _ in rows_of_chain]).tolist(),
        entity=[number[e] for held, _ in rows_of_chain for e in held],
        share=[c for _, shares in rows_of_chain for c in shares],
        ceiling=rows.ceiling[known].tolist(),
    )
    candidates = list(range(len(known)))
    if settings.chain_candidates == "via":
        sets = [set(held) for held, _ in rows_of_chain]
        via = set[int]().union(*(a & b for a, b in pairwise(sets)))
        candidates = [number[e] for e in sorted(via)]
    whole = range(len(rows_of_chain))

    def risk(held: Set[int]) -> float:
        return chain_risk(local, [e in held for e in range(len(known))], whole)

    return known, candidates, risk


def treated(stage: Stage, masked: Flags) -> Treated:
    """Return every chain of the stage with its risk under the whole plan, met or not and why."""
    rows = open_rows(stage.rows, masked)
    after = chain_risks_of(rows, masked, document_risks_of(rows, masked), stage.documents)
    met = after <= stage.target + SLACK
    unmet = np.flatnonzero(~met).tolist()
    return Treated(
        documents=stage.documents,
        before=stage.before,
        after=after,
        target=stage.target,
        level=stage.level,
        met=met,
        reason=dict.fromkeys(unmet, "no entity left that lowers its risk"),
    )
