"""Chooses the entities to mask, stage by stage, and makes the plan of a set that was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.formulas import (
    SLACK,
    Rows,
    contributions,
    document_risks_of,
    fast,
    none_masked,
    rows_of,
)
from linkmask.plan.by_hand import mask_in_their_place, plan_extended_by, plan_without
from linkmask.plan.chains import ChainStage, Choice, find_violations, treated_chains
from linkmask.plan.cost import COSTS, dearness
from linkmask.plan.document_stage import mask_documents
from linkmask.plan.floor import floor_entities
from linkmask.plan.long_chains import hold_long_chains, with_long_chains
from linkmask.plan.solvers import FOR_ANY_NUMBER, SOLVERS
from linkmask.records import Flags, Floats, Incidence, Ints, Plan, PlanSize, Risk
from linkmask.records import Stage as StageName
from linkmask.schema import Schema

NOTHING: Ints = np.zeros(0, dtype=np.int32)
LATE = ("chain", "decided")
"""Stages whose masks no target of a chain depends on."""


def _with_long_chains(choice: Choice, stage: ChainStage, risk: Risk, settings: Settings) -> Choice:
    """Add what chains of three and four documents need, where they are not listed."""
    if settings.chain_length == 2:
        return choice
    masked = stage.masked.copy()
    masked[choice.entities] = True
    more = hold_long_chains(stage, risk.links, masked, settings)
    return Choice(
        np.concatenate([choice.entities, more.entities]),
        np.concatenate([choice.gain, more.gain]),
        np.concatenate([choice.served, more.served]),
    )


def choose(
    incidence: Incidence,
    risk: Risk,
    settings: Settings,
    schema: Schema,
    demanded: Ints | None = None,
    asked: Ints | None = None,
) -> Plan:
    """Choose what to mask so that every document and every chain lies under its limit.

    First the floor (types masked whatever the risk, and the entities `demanded` by a policy),
    then the document stage (formulas.md §8), then the chain stage (formulas.md §9) by
    `settings.solver`, each given what the ones before it masked.

    An entity that `asked` answers hold, so many as it says, costs more in both of these stages.

    The gain of a floor entity is its largest contribution, and it serves the documents it
    occurs in. What a person decided (`always_mask`, `never_mask`) is left to `overrule`.

    Raises:
        SettingsError: the solver needs all chains listed, and there are more than `chain_budget`.
    """
    rows = rows_of(incidence)
    best = fast(contributions, incidence.n_mentions)(rows)
    masked = none_masked(incidence.n_entities)
    first = floor_entities(incidence, settings.floor)
    if demanded is not None:
        first = np.union1d(first, demanded).astype(np.int32)
    masked[first] = True
    dear = dearness(incidence, asked)
    second, drop, served = mask_documents(rows, best / dear, masked, settings)
    masked[second] = True
    cost = COSTS[settings.cost](incidence) * dear
    stage = find_violations(rows, risk, masked.copy(), cost, settings)
    third = _for_chains(stage, risk, settings)
    names: list[StageName] = ["floor"] * len(first)
    names += ["document"] * len(second)
    names += ["chain"] * len(third.entities)
    return _assembled(
        rows,
        risk,
        settings,
        stage,
        masked=np.concatenate([first, second, third.entities]),
        names=names,
        gain=np.concatenate([best[first], drop, third.gain]),
        served=np.concatenate([incidence.frequency[first], served, third.served]),
        size=PlanSize(len(third.entities), third.lower_bound, third.proven, settings.solver),
    )


def _for_chains(stage: ChainStage, risk: Risk, settings: Settings) -> Choice:
    """Choose for the chain stage, also what long chains need where they are not listed.

    Raises:
        SettingsError: the solver needs all chains listed, and there are more than `chain_budget`.
    """
    if not risk.chains.complete and settings.solver not in FOR_ANY_NUMBER:
        raise SettingsError(
            f"{sum(risk.chains.counts.values()):,} chains: solver {settings.solver} needs them "
            f"listed, at most chain_budget ({settings.chain_budget:,}); "
            f"take solver {' or '.join(FOR_ANY_NUMBER)}"
        )
    choice = SOLVERS[settings.solver](stage, settings)
    return choice if risk.chains.complete else _with_long_chains(choice, stage, risk, settings)


def overrule(
    incidence: Incidence,
    risk: Risk,
    settings: Settings,
    plan: Plan,
    mask: Ints = NOTHING,
    keep: Ints = NOTHING,
    stage: StageName = "decided",
) -> Plan:
    """Return the plan as a person overrules it: the entities `mask` added, `keep` taken out.

    Nothing else becomes readable. What is added counts as masked in `stage`, after the documents',
    so that no chain's target, a share of its risk when the chain stage began, changes with it. What
    is kept may leave limits unmet: where masking others can meet them, those are added, never one
    that a person keeps (`keep`, `settings.never_mask`); where it can't, the limit stays unmet and
    is reported. No bound is stated for the size.
    """
    rows = rows_of(incidence)
    best = fast(contributions, incidence.n_mentions)(rows)
    again = partial(restore, incidence, risk, settings)
    more = np.setdiff1d(mask, plan.masked).astype(np.int32)
    plan = plan_extended_by(plan, more, stage, best[more], incidence.frequency[more], again)
    if not len(keep):
        return plan
    stays = np.union1d(keep, incidence.numbers_of(settings.never_mask))
    return mask_in_their_place(plan_without(plan, keep, again), rows, best, stays, settings, again)


def restore(
    incidence: Incidence,
    risk: Risk,
    settings: Settings,
    masked: Ints,
    names: Sequence[StageName],
    gain: Floats,
    served: Ints,
) -> Plan:
    """Make the plan of a masked set that was kept, and perhaps overruled by a person since.

    Risks are those under this very set. No bound is stated for its size.
    """
    early = none_masked(incidence.n_entities)
    early[masked[np.array([name not in LATE for name in names], dtype=np.bool_)]] = True
    rows = rows_of(incidence)
    stage = find_violations(rows, risk, early, COSTS[settings.cost](incidence), settings)
    size = PlanSize(sum(name == "chain" for name in names), 0, False, "kept")
    return _assembled(
        rows,
        risk,
        settings,
        stage,
        masked=masked,
        names=names,
        gain=gain,
        served=served,
        size=size,
    )


def _flags_of(entities: Ints, n: int) -> Flags:
    """Return for each of `n` entities whether it is among `entities`, in linear time."""
    flags: Flags = none_masked(n)
    flags[entities] = True
    return flags


def _assembled(
    rows: Rows,
    risk: Risk,
    settings: Settings,
    stage: ChainStage,
    *,
    masked: Ints,
    names: Sequence[StageName],
    gain: Floats,
    served: Ints,
    size: PlanSize,
) -> Plan:
    """Make a plan of the masked set, with every risk that is left."""
    flags = _flags_of(masked, len(rows.ceiling))
    after = document_risks_of(rows, flags)
    chains = treated_chains(stage, flags, after)
    if settings.chain_length > 2 and not risk.chains.complete:
        chains = with_long_chains(chains, stage, risk.links, flags, settings)
    return Plan(
        masked=masked,
        stage=names,
        gain=gain,
        served=served,
        before=risk.documents,
        after=after,
        chains=chains,
        size=size,
        unmet_documents=np.flatnonzero(after >= settings.theta_doc - SLACK).astype(np.int32),
    )
