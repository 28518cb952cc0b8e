"""Runs the engine over a run: risks, plan, and the risks that are left."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from linkmask import graph, runs
from linkmask import plan as planning
from linkmask.config import Settings
from linkmask.formulas import uniqueness
from linkmask.graph.grown import grown_incidence
from linkmask.pipeline.answers.questions import asked_questions
from linkmask.pipeline.planning import generalization, rare_values
from linkmask.pipeline.progress import CorpusCounts
from linkmask.pipeline.values.run_value import RunValues
from linkmask.plan.floor import floor_entities
from linkmask.records import Floats, Incidence, Ints, Links, Plan, Risk, Stage
from linkmask.runs import Run, editions
from linkmask.schema import RARE_TERM

if TYPE_CHECKING:
    from linkmask.policy import Demands


@dataclass(frozen=True, slots=True)
class Analysis:
    """A corpus as the engine sees it, and what it gives away."""

    incidence: Incidence
    risk: Risk


def analyse(
    run: Run,
    settings: Settings,
    counted: CorpusCounts,
    kept: tuple[Incidence, Links | None] | None = None,
) -> Analysis:
    """Score every document, link and chain from the run's mentions, or from stored scores."""
    incidence, links = kept or (_incidence(run, settings, counted), None)
    return assessed(replace(incidence, salt=run.salt), settings, links)


def assessed(incidence: Incidence, settings: Settings, links: Links | None = None) -> Analysis:
    """Score every document, link and chain of a corpus."""
    return Analysis(incidence, graph.assess(incidence, settings, links=links))


def incidence_of(run: Run, settings: Settings) -> Incidence:
    """Return the incidence of a run: the stored one, or one made from its mentions."""
    kept = run.scored()
    return kept[0] if kept else _incidence(run, settings, CorpusCounts())


def _incidence(run: Run, settings: Settings, counted: CorpusCounts) -> Incidence:
    types = settings.entity_types
    normalize = runs.unchanged if run.has("mentions") else None
    table, dropped = run.mention_table(types.type_of, normalize)
    counted.dropped |= dropped
    return as_pinned(graph.incidence(table, types.weights, settings), run)


def incidence_grown(
    run: Run, before: Run, settings: Settings, counted: CorpusCounts
) -> Incidence | None:
    """Return the incidence of a run, made from that of another run; None if it has none.

    Only the mentions of documents that differ are read.
    """
    kept = before.scored()
    if kept is None or settings.id_separator != before.settings.id_separator:
        return None
    lines, types = run.lines_by_document(), settings.entity_types
    differing = lines.differing(before.lines_by_document())
    table, dropped = run.mention_table_of(differing, types.type_of)
    counted.dropped |= dropped
    anew = graph.incidence(table, types.weights, settings)
    return as_pinned(grown_incidence(kept[0], anew, list(lines), types.weights), run)


def as_pinned(incidence: Incidence, run: Run) -> Incidence:
    """Return an incidence with uniqueness by the counts that a run pins, where it pins any."""
    pins = editions.counts_of(run)
    return incidence if pins is None else pinned(incidence, pins)


def pinned(incidence: Incidence, pins: editions.Counts) -> Incidence:
    """Return an incidence with uniqueness by counts that were pinned.

    An entity that came later has the count of its first edition, under the pinned N.
    """
    if not incidence.n_entities:
        return incidence
    both = zip(incidence.entities, incidence.frequency.tolist(), strict=True)
    counts = np.array([pins.entities.get(entity, now) for entity, now in both], np.int32)
    return replace(incidence, uniqueness=uniqueness(np.maximum(counts, 1), pins.documents))


def choose(
    run: Run,
    analysis: Analysis,
    settings: Settings,
    demands: Demands | None = None,
    held: Collection[str] = (),
    values: RunValues | None = None,
) -> Plan:
    """Choose a small set to mask that brings every risk under its limit.

    Masked whatever the risk are entities that policies demand, those written coarser by rule, and
    `held`, ids of the entities that an earlier edition masked. For the limits a date counts as what
    is left of it; if they require it, the date is masked whole, also in later editions. A value
    that rare terms mask in some documents counts as if all showed it, and as the release shows it.
    Values in the answers to `settings.questions` cost more than others.
    What a person decided (`always_mask`, `never_mask`) then overrules the plan, so that it masks
    the same as a plan that is decided on later.
    `values` are those of the run's mentions, if they are known.
    """
    incidence = analysis.incidence
    free = msgspec.structs.replace(settings, always_mask=(), never_mask=())
    generalized = generalization.generalized_entities(run, incidence, free, values)
    whole = np.array([entity for entity, name in generalized.items() if not name], dtype=np.int32)
    by_rule = np.union1d(whole, floor_entities(incidence, {RARE_TERM}))
    kept = np.setdiff1d(incidence.numbers_of(held), list(generalized))
    demanded = np.union1d(kept, by_rule).astype(np.int32)
    if demands is not None:
        demanded = np.union1d(demanded, demands.demanded).astype(np.int32)
    released = rare_values.as_released(run, incidence, settings)
    asked = _asked(run, incidence, settings, values)
    while True:
        plan = _chosen(analysis, free, generalized, demanded, asked)
        more = () if released is None else rare_values.over_limits(released, plan, free)
        if not len(more):
            break
        demanded = np.union1d(demanded, more).astype(np.int32)
    decided = settings.always_mask, settings.never_mask
    return overrule(run, analysis, settings, plan, *decided) if any(decided) else plan


def _asked(
    run: Run, incidence: Incidence, settings: Settings, values: RunValues | None
) -> Ints | None:
    """Return how many answers to the user's questions hold each entity; None without questions.

    Raises:
        InputError: the file of questions can't be read, or a line is none.
    """
    questions = asked_questions(settings)
    if not questions:
        return None
    # Without questions, planning again loads nothing that detects.
    from linkmask.pipeline.answers.asked_entities import questions_about
    from linkmask.pipeline.values.run_values import values_of

    if values is None:
        values = values_of(run, settings.id_separator)
    return questions_about(questions, values, incidence, settings)


def _chosen(
    analysis: Analysis,
    settings: Settings,
    generalized: Mapping[int, str],
    demanded: Ints,
    asked: Ints | None,
) -> Plan:
    """Choose what to mask beside what is demanded; for the limits a date counts as what is left."""
    types, incidence, risk = settings.entity_types, analysis.incidence, analysis.risk
    if not any(generalized.values()):
        return planning.choose(incidence, risk, settings, types, demanded, asked)
    while True:
        fixed = frozenset(demanded.tolist())
        here = {entity: name for entity, name in generalized.items() if entity not in fixed}
        coarse, became = generalization.generalized_incidence(incidence, here)
        of_coarse = None
        if asked is not None:
            of_coarse = np.zeros(coarse.n_entities, asked.dtype)
            np.maximum.at(of_coarse, became, asked)
        arguments = coarse, graph.assess(coarse, settings), settings, types, demanded
        plan = planning.choose(*arguments, of_coarse)
        full = generalization.plan_in_original_entities(plan, here, became)
        chosen = full.masked, full.stage, full.gain, full.served
        again = planning.restore(incidence, risk, settings, *chosen)
        more = _over_by_themselves(incidence, full, again)
        if not len(more):
            # What a kept plan is restored to, unless only what is left of the dates shows that it
            # is met.
            return replace(again, size=full.size) if again.met or not full.met else full
        demanded = np.union1d(demanded, more).astype(np.int32)


def _over_by_themselves(incidence: Incidence, full: Plan, again: Plan) -> Ints:
    """Return the weightiest readable entity of each document that months bring over its limit.

    A month that stands readable in one document counts as held by all documents with a day of it.
    The check of the masked document does not count these: a style may show no months for them.

    Args:
        full: the plan, its risks those of the corpus with months in place of days.
        again: the same, its risks those of the corpus with these days masked.
    """
    masked = np.zeros(incidence.n_entities, np.bool_)
    masked[full.masked] = True
    weight = incidence.uniqueness * incidence.weight
    more = []
    for document in np.setdiff1d(again.unmet_documents, full.unmet_documents).tolist():
        row = slice(incidence.start[document], incidence.start[document + 1])
        entities = incidence.entity[row]
        share = np.where(masked[entities], 0.0, incidence.relevance[row] * weight[entities])
        if share.any():
            more.append(entities[int(np.argmax(share))])
    return np.array(sorted(set(more)), np.int32)


def restore(
    analysis: Analysis,
    settings: Settings,
    masked: Ints,
    stages: Sequence[Stage],
    gain: Floats,
    served: Ints,
) -> Plan:
    """Make a plan from a stored masked set, which a user may have changed since."""
    return planning.restore(
        analysis.incidence, analysis.risk, settings, masked, stages, gain, served
    )


def overrule(
    run: Run,
    analysis: Analysis,
    settings: Settings,
    plan: Plan,
    mask: Collection[str],
    keep: Collection[str],
) -> Plan:
    """Add entities to a plan and take others from it, by id; see `linkmask.plan.overrule`.

    Its limits are then also counted as the release shows values. Ids of no entity change nothing.
    """
    incidence = analysis.incidence
    more, less = incidence.numbers_of(mask), incidence.numbers_of(keep)
    plan = planning.overrule(incidence, analysis.risk, settings, plan, more, less)
    return as_released(run, analysis, settings, plan)


def as_released(
    run: Run, analysis: Analysis, settings: Settings, plan: Plan, *, fixed: bool = False
) -> Plan:
    """Return a plan that a person overruled, its limits also counted as the release shows values.

    Unless the plan is `fixed`, others are masked in place of what the person keeps, where that
    meets a limit. A limit that is unmet in the release is unmet.
    """
    incidence = analysis.incidence
    released = rare_values.as_released(run, incidence, settings, plan)
    if released is None:
        return plan
    if not fixed:
        more = rare_values.beside_kept_values(released, plan, settings)
        plan = planning.overrule(incidence, analysis.risk, settings, plan, mask=more, stage="chain")
    return rare_values.with_unmet(released, plan, settings)


def remaining(analysis: Analysis, plan: Plan, settings: Settings) -> Risk:
    """Score the corpus after masking by the plan; unmet documents have the risk that it states."""
    masked = np.zeros(analysis.incidence.n_entities, dtype=np.bool_)
    masked[plan.masked] = True
    left = graph.assess(analysis.incidence, settings, masked, analysis.risk.links)
    documents, over = left.documents.copy(), plan.unmet_documents
    documents[over] = np.maximum(documents[over], plan.after[over])
    return replace(left, documents=documents)
