"""Estimates the plan that decisions would lead to, in memory.

The plan is chosen by the code that makes it, so an estimate equals the plan that follows. It does
not include what only the check of masked documents finds, such as documents that are set aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from linkmask.commands.decide import PendingDecisions, planned
from linkmask.config import Settings
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.planning.scoring import as_pinned, assessed
from linkmask.records import Plan, Risk
from linkmask.report.exposure import exposure_shares
from linkmask.review.corrected import Corrected, corrected_corpus, plan_in_run_entities
from linkmask.review.opened_run import OpenedRun, Trial, masked_flags


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a plan masks, what it misses, and what it leaves.

    `plan` has the entities of the run as they are before corrections.
    `after`: the risks under the plan. `exposure`: share of what the unmasked documents give away
    that stays readable. `utility`: share of the mentions that stay readable. `mean`, `highest`:
    risks of the documents. All in [0, 1]. `renamed`: the ids of entities after their
    corrections. `aside`: documents that a policy asks about, or that the last release held back.
    """

    plan: Plan
    after: Risk
    masked: int
    mentions: int
    documents_over: int
    chains_over: int
    high: int
    mean: float
    highest: float
    exposure: float
    utility: float
    renamed: Mapping[str, str]
    aside: int

    @property
    def met(self) -> bool:
        """Whether every limit is met."""
        return not (self.documents_over or self.chains_over)


def estimate(opened: OpenedRun, decided: PendingDecisions) -> Estimate:
    """Return what the run's plan would be as was decided."""
    other: Corrected | None = None

    def trial(settings: Settings) -> Planner:
        nonlocal other
        if settings.corrections == opened.settings.corrections:
            return Trial(opened, settings)
        other = corrected_corpus(opened, settings)
        analysis = assessed(as_pinned(other.incidence, opened.run), settings)
        return Trial(opened, settings, analysis, other.spoken)

    job: Planner = opened.planner
    if decided != PendingDecisions():
        job = planned(trial, opened.run, opened.last, opened.settings, decided)
    plan, after = job.chosen, job.after()
    assert plan is not None and after is not None
    plan = replace(plan, after=after.documents)  # as it is once the plan is kept and read again
    mentions, share = opened.mentions, opened.share
    if other is not None:
        mentions, share = other.mentions, exposure_shares(other.incidence)
    flags = masked_flags(plan, len(mentions))
    masked, every = int(mentions[flags].sum()), int(mentions.sum())
    counts = after.chains.counts
    return Estimate(
        plan=plan if other is None else plan_in_run_entities(plan, other.moved),
        after=after,
        masked=len(plan.masked),
        mentions=masked,
        documents_over=len(plan.unmet_documents),
        chains_over=int((~plan.chains.met).sum()),
        high=counts.get("HIGH", 0),
        mean=float(np.mean(plan.after)) if len(plan.after) else 0.0,
        highest=float(plan.after.max(initial=0.0)),
        exposure=float(share[~flags].sum()),
        utility=1 - masked / max(every, 1),
        renamed={} if other is None else other.renamed,
        aside=len(opened.held_back | _asked(job)),
    )


def _asked(job: Planner) -> set[str]:
    """Return the documents that are set aside until a policy's question is answered."""
    names = job.analysis.incidence.documents
    return {names[d] for d, _ in job.demands.questions()} if job.demands else set()


@dataclass(frozen=True, slots=True)
class Change:
    """What another decision would come to: the values masked then, and those readable then."""

    estimate: Estimate
    masked: list[int]
    readable: list[int]


def plan_change(opened: OpenedRun, before: Estimate, decided: PendingDecisions) -> Change:
    """Return what the plan would be as was decided, beside another estimate."""
    after = estimate(opened, decided)
    now, then = before.plan.masked, after.plan.masked
    return Change(after, np.setdiff1d(then, now).tolist(), np.setdiff1d(now, then).tolist())


def with_choice(decided: PendingDecisions, entity: str, choice: str) -> PendingDecisions:
    """Return the decisions with another choice for one entity: `mask` or `keep`."""
    mask, keep, lift = (one - {entity} for one in (decided.mask, decided.keep, decided.lift))
    if choice == "mask":
        return decided._replace(mask=mask | {entity}, keep=keep, lift=lift)
    return decided._replace(mask=mask, keep=keep | {entity}, lift=lift)
