"""Risk → Plan: the set of entities to mask, stage by stage, and what is proven about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import contributions, document_risks, fast, none_masked, rows_of
from linkmask.plan.chains import Choice, Stage, begin, treat, treated
from linkmask.plan.cost import COSTS
from linkmask.plan.documents import mask_documents
from linkmask.plan.floor import floor
from linkmask.plan.greedy import greedy
from linkmask.plan.knapsack import knapsack
from linkmask.records import Incidence, Plan, Risk, Size
from linkmask.records import Stage as StageName
from linkmask.schema import Schema

__all__ = ["SOLVERS", "choose"]


def _greedy(stage: Stage, settings: Settings) -> Choice:
    return treat(stage, settings, greedy)


def _knapsack(stage: Stage, settings: Settings) -> Choice:
    scale, limit = settings.knapsack_scale, settings.knapsack_candidates
    return treat(stage, settings, partial(knapsack, scale=scale, limit=limit))


SOLVERS: dict[str, Callable[[Stage, Settings], Choice]] = {
    "cover": _greedy,
    "greedy": _greedy,
    "knapsack": _knapsack,
    "exact": _greedy,
}


def choose(incidence: Incidence, risk: Risk, settings: Settings, schema: Schema) -> Plan:
    """Choose what to mask so that every document and every chain lies under its limit.

    First the floor (types masked whatever the risk), then the document stage (SPEC §7), then the
    chain stage (SPEC §8) by `settings.solver`, each given what the ones before it masked.

    The gain of a floor entity is its largest contribution, and it serves the documents it
    occurs in.
    """
    rows = rows_of(incidence)
    work = incidence.n_mentions
    masked = none_masked(incidence.n_entities)
    first = floor(incidence, settings.floor)
    masked[first] = True
    second = mask_documents(incidence, masked, settings)
    masked[second[0]] = True
    cost = COSTS[settings.cost](incidence)
    stage = begin(incidence, risk, masked.copy(), cost, settings)
    third = SOLVERS[settings.solver](stage, settings)
    masked[third.entities] = True
    after = fast(document_risks, work)(rows, masked)
    sizes: list[tuple[StageName, int]] = [
        ("floor", len(first)),
        ("document", len(second[0])),
        ("chain", len(third.entities)),
    ]
    best = fast(contributions, work)(rows)
    return Plan(
        masked=np.concatenate([first, second[0], third.entities]),
        stage=[name for name, size in sizes for _ in range(size)],
        gain=np.concatenate([best[first], second[1], third.gain]),
        served=np.concatenate([incidence.frequency[first], second[2], third.served]),
        before=risk.documents,
        after=after,
        chains=treated(stage, masked),
        size=Size(len(third.entities), third.lower_bound, third.proven, settings.solver),
        unmet_documents=np.flatnonzero(after >= settings.theta_doc - 1e-12).astype(np.int32),
    )
