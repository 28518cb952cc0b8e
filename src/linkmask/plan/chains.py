"""Defines the chain stage, and leads solvers that treat one chain at a time through all chains.

Which chains are above policy, and what each may keep, is in formulas.md §9.

A solver is a module of this folder with `solve(stage, settings)`, which makes a `Choice` of a
`ChainStage`. If it looks at one chain at a time, it knows candidates and a risk, no documents:
`treat_chains` leads it through all chains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    SLACK,
    Rows,
    chain_risk,
    document_risks_of,
    fast,
    kernel,
    none_masked,
    open_rows,
    order_keys,
    within,
)
from linkmask.plan.hops import Hops, risks_along
from linkmask.plan.violations import chains_above, links_above
from linkmask.records import Flags, Floats, Ints, Risk, TreatedChains

Select = Callable[[Sequence[int], Callable[[Set[int]], float], float], list[tuple[int, float]]]
"""Candidates, risk of the chain when a set of them is masked, target → (candidate, gain) …"""

UNMET_REASON = "what is left readable in it keeps it above its target"


@dataclass(frozen=True, slots=True)
class ChainStage:
    """What is given when the chain stage begins.

    `documents[c]` is the path of chain c, padded with −1; chains are sorted by documents.
    `before`, `target` in [0, 1]; `level` indexes `formulas.LEVELS`.
    `masked`: the entities of the earlier stages, left out of `rows`. `cost[e]` > 0: what masking
    e costs.
    """

    rows: Rows
    hops: Hops
    masked: Flags
    documents: Ints
    before: Floats
    target: Floats
    level: Any
    cost: Floats

    def __len__(self) -> int:
        return len(self.before)

    @property
    def work(self) -> int:
        """The number of mentions and hops that a pass over documents and chains reads."""
        return int(len(self.rows.entity) + self.hops.of.size)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a solver masks further: entities in order of choice, with gain and chains served.

    `lower_bound`: no set that meets every target has fewer entities, 0 where nothing is proven.
    `proven`: no such set has fewer entities than this one.
    """

    entities: Ints
    gain: Floats
    served: Ints
    lower_bound: int = 0
    proven: bool = False


def find_violations(
    rows: Rows, risk: Risk, masked: Flags, cost: Floats, settings: Settings
) -> ChainStage:
    """Find the chains above policy: HIGH or MEDIUM, or any other above θ_chain (formulas.md §9.1).

    Categories are those of now, with the earlier stages' masks.
    """
    rows = open_rows(rows, masked)
    risks = document_risks_of(rows, masked)
    limits = (settings.high, settings.medium, settings.theta_chain, *settings.rho[:2])
    if settings.chain_length == 2 or not risk.chains.complete:
        hops, documents, before, goal, category = links_above(rows, risk.links, risks, limits)
    else:
        listed = risk.chains.documents
        listed = listed[np.lexsort(listed.T[::-1])]
        hops, documents, before, goal, category = chains_above(rows, listed, risks, limits)
    return ChainStage(rows, hops, masked, documents, before, goal, category, cost)


def treat_chains(stage: ChainStage, settings: Settings, select: Select) -> Choice:
    """Run `select` on each chain, riskiest first; each masks in addition to those before."""
    masked = stage.masked.copy()
    find = fast(_next_above, stage.work)
    chosen: list[tuple[int, float]] = []
    order = np.argsort(-order_keys(stage.before), kind="stable")
    at = 0
    while True:
        at = find(stage.rows, masked, stage.documents, stage.target, order, at)
        if at == len(stage):
            break
        c = int(order[at])
        entities, candidates, risk = one_chain(stage.rows, masked, stage.documents[c], settings)
        for local, gain in select(candidates, risk, float(stage.target[c]) + SLACK):
            chosen.append((entities[local], gain))
            masked[entities[local]] = True
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
    entities = sorted({e for held, _ in rows_of_chain for e in held})
    number = {e: i for i, e in enumerate(entities)}
    local = Rows(
        start=list(accumulate((len(held) for held, _ in rows_of_chain), initial=0)),
        entity=[number[e] for held, _ in rows_of_chain for e in held],
        share=[c for _, shares in rows_of_chain for c in shares],
        ceiling=rows.ceiling[entities].tolist(),
    )
    candidates = list(range(len(entities)))
    if settings.chain_candidates == "via":
        sets = [set(held) for held, _ in rows_of_chain]
        via = set[int]().union(*(a & b for a, b in pairwise(sets)))
        candidates = [number[e] for e in sorted(via)]
    whole: Any = list(range(len(rows_of_chain)))
    evaluate = fast(chain_risk, len(rows.entity))
    compiled = evaluate is not chain_risk  # plain loops are fastest over lists
    if compiled:
        local, whole = Rows(*(np.array(column) for column in local)), np.array(whole)

    flags: Any = none_masked(len(entities)) if compiled else [False] * len(entities)

    def risk(held: Set[int]) -> float:
        for e in held:
            flags[e] = True
        found = evaluate(local, flags, whole)
        for e in held:
            flags[e] = False
        return found

    return entities, candidates, risk


def treated_chains(stage: ChainStage, masked: Flags, risks: Floats) -> TreatedChains:
    """Return every chain of the stage with its risk under the whole plan, met or not and why.

    `risks` are those of documents under the plan.
    """
    after = risks_along(stage.hops, stage.documents, masked, risks, stage.work)
    met = after <= stage.target + SLACK
    unmet = np.flatnonzero(~met).tolist()
    return TreatedChains(
        documents=stage.documents,
        before=stage.before,
        after=after,
        target=stage.target,
        level=stage.level,
        met=met,
        reason=dict.fromkeys(unmet, UNMET_REASON),
    )
