"""Computes what counting frequencies anew would change, before it is done."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from linkmask import graph
from linkmask.config import Settings
from linkmask.formulas import SLACK
from linkmask.pipeline.planning.scoring import Analysis, choose, pinned
from linkmask.records import Plan
from linkmask.report.changes import changes
from linkmask.runs import Run
from linkmask.runs.editions import Counts

if TYPE_CHECKING:
    from linkmask.policy import Demands


def recount_effect(
    run: Run,
    counted: Analysis,
    pins: Counts,
    settings: Settings,
    demands: Demands | None,
    held: Collection[str],
) -> dict[str, Any]:
    """Return how a plan by today's counts would differ from one by the pinned counts.

    Args:
        counted: the corpus, scored by today's counts.
        pins: the counts that would else be kept.
        held: ids of the entities that stay masked whatever the counts.

    Returns:
        `documents`: N as pinned and as counted; `values`: how many values the corpus holds, and
        how many of them have another count now; `masked`, `readable`: the entities that only the
        plan by today's counts masks, and those that only the other one does, as rows of `changes`;
        `limits`: for the pinned and for today's counts, how many documents and chains are over
        their limits before masking, and how many the plan leaves over them.
    """
    incidence = counted.incidence
    kept = pinned(incidence, pins)
    earlier = Analysis(kept, graph.assess(kept, settings))
    plans = [choose(run, one, settings, demands, held) for one in (earlier, counted)]
    named = changes(incidence, plans[1], settings, _ids(earlier, plans[0]), "plan")
    now = zip(incidence.entities, incidence.frequency.tolist(), strict=True)
    moved = sum(pins.entities.get(entity, count) != count for entity, count in now)
    both = zip((earlier, counted), plans, strict=True)
    return {
        "documents": [pins.documents, incidence.n_documents],
        "values": [incidence.n_entities, moved],
        "masked": named["masked"],
        "readable": named["readable"],
        "limits": [_limits(one, plan, settings) for one, plan in both],
    }


def without_values(effect: dict[str, Any]) -> dict[str, Any]:
    """Return the effect in numbers, as the summary keeps it."""
    return {**effect, **{name: len(effect[name]) for name in ("masked", "readable")}}


def _ids(analysis: Analysis, plan: Plan) -> list[str]:
    return [analysis.incidence.entities[number] for number in plan.masked.tolist()]


def _limits(analysis: Analysis, plan: Plan, settings: Settings) -> dict[str, int]:
    risk = analysis.risk
    return {
        "documents": int(np.count_nonzero(risk.documents >= settings.theta_doc - SLACK)),
        "chains": len(plan.chains),
        "masked": len(plan.masked),
        "unmet": len(plan.unmet_documents) + int(np.count_nonzero(~plan.chains.met)),
    }
