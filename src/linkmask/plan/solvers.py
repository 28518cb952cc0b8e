"""Calls each solver by its name: it chooses what the chain stage masks (formulas.md §9)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from linkmask import choices
from linkmask.choices import bound
from linkmask.config import Settings
from linkmask.plan.chains import ChainStage, Choice, treat_chains
from linkmask.plan.cover import Cover, cover_chains
from linkmask.plan.exact import hitting_set
from linkmask.plan.greedy import greedy
from linkmask.plan.knapsack import knapsack
from linkmask.records import Flags, Floats, Ints

CUT_CHAINS = 100_000
"""`exact` draws cuts from at most about so many chains per round."""


def _cover(stage: ChainStage, settings: Settings) -> Choice:
    return cover_chains(stage, settings)


def _greedy(stage: ChainStage, settings: Settings) -> Choice:
    return treat_chains(stage, settings, greedy)


def _knapsack(stage: ChainStage, settings: Settings) -> Choice:
    scale, limit = settings.knapsack_scale, settings.knapsack_candidates
    return treat_chains(stage, settings, partial(knapsack, scale=scale, limit=limit))


def _exact(stage: ChainStage, settings: Settings) -> Choice:
    layout = Cover.of(stage)
    eligible = ~stage.masked
    if settings.chain_candidates == "via":
        eligible[:] = False
        eligible[stage.hops.entity] = True

    def above(masked: Flags) -> tuple[Ints, Floats]:
        found = layout.above(masked)
        found = found[:: len(found) // CUT_CHAINS + 1]
        return stage.documents[found], stage.target[found]

    answer = hitting_set(
        stage.rows, stage.masked, eligible, stage.cost, above, layout.repair,
        gap=settings.exact_gap, rounds=settings.exact_rounds,
    )  # fmt: skip
    entities = np.flatnonzero(answer.masked & ~stage.masked).astype(np.int32)
    gain, served = layout.gains(answer.masked, entities)
    least = float(stage.cost.min(initial=1.0)), float(stage.cost.max(initial=1.0))
    bound = round(answer.bound) if least == (1.0, 1.0) else 0
    return Choice(entities, gain, served, bound, answer.proven)


SOLVERS: dict[str, Callable[[ChainStage, Settings], Choice]] = bound(
    choices.SOLVERS, (_cover, _greedy, _knapsack, _exact)
)
