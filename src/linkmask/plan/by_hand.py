"""Overrules a plan: adds or removes the entities that a user named, and no others.

If entities are kept, limits may be unmet. Other entities are then masked, if they can meet the
limit. If they can't, none is added, and the limit is reported as unmet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import SLACK, Rows, document_risk, order_keys, reaches, within
from linkmask.plan.chains import one_chain
from linkmask.plan.greedy import Picks, greedy
from linkmask.records import Flags, Floats, Ints, Plan, TreatedChains
from linkmask.records import Stage as StageName

Restore = Callable[[Ints, Sequence[StageName], Floats, Ints], Plan]
"""Masked set, its stages, gains and chains served → the plan with its risks."""


def plan_without(plan: Plan, entities: Ints, restore: Restore) -> Plan:
    """Return the plan with some entities readable, and nothing else changed."""
    stays = np.flatnonzero(~np.isin(plan.masked, entities))
    if len(stays) == len(plan.masked):
        return plan
    names = [plan.stage[i] for i in stays.tolist()]
    return restore(plan.masked[stays], names, plan.gain[stays], plan.served[stays])


def plan_extended_by(
    plan: Plan, entities: Ints, stage: StageName, gain: Floats, served: Ints, restore: Restore
) -> Plan:
    """Return the plan with more entities masked, and nothing else changed."""
    if not len(entities):
        return plan
    return restore(
        np.concatenate([plan.masked, entities]).astype(np.int32),
        [*plan.stage, *[stage] * len(entities)],
        np.concatenate([plan.gain, gain]),
        np.concatenate([plan.served, served]).astype(np.int32),
    )


def mask_in_their_place(
    plan: Plan, rows: Rows, best: Floats, kept: Ints, settings: Settings, restore: Restore
) -> Plan:
    """Mask what the limits require in addition, given the entities that a person keeps, `kept`.

    A document or chain that would stay over its limit whatever else is masked is left as it is.
    `best` is each entity's global contribution, by which the entities of a document are ranked.

    Returns:
        A plan that masks all that `plan` masks, none of `kept`, and further entities of the stages
        document and chain.

    Notes:
        One document and one chain after another, those of the largest risk first. The set that is
        added is not minimal.
    """
    fixed = np.zeros(len(rows.ceiling), dtype=np.bool_)
    fixed[kept] = True
    masked = np.zeros(len(rows.ceiling), dtype=np.bool_)
    masked[plan.masked] = True

    def more(plan: Plan, stage: StageName, found: Picks) -> Plan:
        entities = np.array([e for e, _ in found], dtype=np.int32)
        gain = np.array([drop for _, drop in found], dtype=np.float64)
        return plan_extended_by(plan, entities, stage, gain, np.ones_like(entities), restore)

    plan = more(plan, "document", _for_documents(plan, rows, best, masked, fixed, settings))
    while found := _for_chains(plan.chains, rows, masked, fixed, settings):
        plan = more(plan, "chain", found)  # of many paths above target not all were listed
    return plan


def _for_documents(
    plan: Plan, rows: Rows, best: Floats, masked: Flags, fixed: Flags, settings: Settings
) -> Picks:
    """Mask in each unmet document the largest contributors that may be, until it is met."""
    unmet = plan.unmet_documents
    chosen: Picks = []
    for d in unmet[np.argsort(-order_keys(plan.after[unmet]), kind="stable")].tolist():
        held = rows.entity[rows.start[d] : rows.start[d + 1]]
        may = held[~masked[held] & ~fixed[held]]
        ranked = may[np.argsort(-order_keys(best[may]), kind="stable")].tolist()
        now, drops = float(document_risk(rows, masked, d)), list[tuple[int, float]]()
        for entity in ranked:
            if not reaches(now, settings.theta_doc):
                break
            masked[entity] = True
            before, now = now, float(document_risk(rows, masked, d))
            drops.append((entity, before - now))
        if reaches(now, settings.theta_doc):
            masked[[entity for entity, _ in drops]] = False
        else:
            chosen += drops
    return chosen


def _for_chains(
    chains: TreatedChains, rows: Rows, masked: Flags, fixed: Flags, settings: Settings
) -> Picks:
    """Mask in each unmet chain what lowers its risk most and may be masked, until it is met."""
    unmet = np.flatnonzero(~chains.met)
    chosen: Picks = []
    for c in unmet[np.argsort(-order_keys(chains.after[unmet]), kind="stable")].tolist():
        entities, candidates, risk = one_chain(rows, masked, chains.documents[c], settings)
        may = [i for i in candidates if not fixed[entities[i]]]
        target = float(chains.target[c])
        met = within(risk(set(may)), target)
        for local, gain in greedy(may, risk, target + SLACK) if met else ():
            chosen.append((entities[local], gain))
            masked[entities[local]] = True
    return chosen
