"""Plans a run again by a user's decisions, in memory on trial or permanently."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from linkmask import corpus
from linkmask.choices import HERE
from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.errors import RunError, UsageError
from linkmask.pipeline.correcting import ALONE, renamed_ids
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.progress import Progress, Source, silent
from linkmask.records import Audit, Mention, Why, entity_id
from linkmask.report import stored_plan
from linkmask.runs import Run, editions
from linkmask.runs.run_paths import run_at

LIMITS = ("theta_doc", "theta_chain")
"""Settings that a person changes with decisions."""


class PendingDecisions(NamedTuple):
    """Decisions that the last plan does not contain yet: entities by id, and limits by name.

    `lift`: entities whose earlier decision is taken back, so that the limits decide again.
    `correct`: what entities are, as the setting `corrections` says it; "" takes it back.
    """

    mask: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    lift: frozenset[str] = frozenset()
    limits: Mapping[str, float] = {}
    correct: Mapping[str, str] = {}

    def anew(self, settings: Settings) -> bool:
        """Tell whether a plan has to be chosen again: decisions alone leave the last one as it is.

        `settings` are those of the last plan.
        """
        changed = any(getattr(settings, name) != limit for name, limit in self.limits.items())
        return bool(self.lift or self.correct) or changed

    def laid_over(self, settings: Settings) -> Settings:
        """Return the settings of the last plan with these limits, without undone decisions."""
        names = ("always_mask", "never_mask")
        rest = {n: tuple(e for e in getattr(settings, n) if e not in self.lift) for n in names}
        corrections = {**settings.corrections, **self.correct}
        corrections = {key: one for key, one in corrections.items() if one}
        return msgspec.structs.replace(settings, **rest, **self.limits, corrections=corrections)

    def renamed(self, run: Run, settings: Settings) -> tuple[PendingDecisions, Settings]:
        """Return it, and the settings with it, under the ids that entities have once corrected.

        If one of two united entities is masked and the other kept, they are masked. Entities that
        an earlier edition masked stay masked.
        """
        after = self.laid_over(settings)
        if after.corrections == settings.corrections:
            return self, after
        held = set(editions.ledger_of(run).masked)
        every = {*self.mask, *self.keep, *after.always_mask, *after.never_mask, *held}
        to = renamed_ids(run, every, settings, after)

        def new(ids: Iterable[str]) -> set[str]:
            return {one for entity in ids for one in to.get(entity, {entity})}

        mask = new(self.mask)
        always = mask | new(after.always_mask) | (new(held) - held)
        always -= new(self.keep) - mask
        after = msgspec.structs.replace(
            after,
            always_mask=tuple(sorted(always)),
            never_mask=tuple(sorted(new(after.never_mask) - always)),
        )
        return self._replace(mask=frozenset(mask), keep=frozenset(new(self.keep) - mask)), after


def planned(
    make: Callable[[Settings], Planner],
    run: Run,
    last: Mapping[str, Any],
    old: Settings,
    decided: PendingDecisions,
) -> Planner:
    """Return a planner that has planned by the decisions.

    Decisions to mask or keep leave the rest of the last plan as it is. If a limit changed, a
    decision was taken back or an entity was corrected, a new plan is chosen and then overruled.

    Args:
        make: settings → a planner that knows the run's risks.
        run: the run as it stands.
        last: the last plan, as it was kept.
        old: its settings.
    """
    anew = decided.anew(old)
    decided, settings = decided.renamed(run, old)
    job = make(settings)
    job.decide(None if anew else last, decided.mask, decided.keep)
    return job


def decide_run(
    run_folder: Path, decided: PendingDecisions, *, progress: Progress = silent
) -> Audit:
    """Replace the run's plan by one with these decisions.

    Raises:
        RunError: the run holds no plan, or another command is using it.
        UsageError: entities are to be corrected, and the run was made of mentions alone.
    """
    with Run.open(run_at(run_folder), write=True) as run, run.together():

        def make(settings: Settings) -> Planner:
            job = Planner(run, settings, progress)
            if decided.correct:
                job.score()
            else:
                job.reopen()
            return job

        last = stored_plan.plan_of(run)
        if decided.correct and not run.has("mentions"):
            raise UsageError(ALONE)
        job = planned(make, run, last, stored_plan.settings_of(run, last), decided)
        job.compare(stored_plan.masked_ids(last), "plan")
        return job.audit()


class MissedValue(NamedTuple):
    """A value that detection had missed: its entity, and in how many documents and places it is."""

    entity: str
    documents: int
    mentions: int


def mark_missed(
    run_folder: Path, value: str, entity_type: str, document: str | None = None
) -> MissedValue:
    """Take a value that detection missed into the run, wherever it stands in the corpus.

    With `document`, the id of one, it is taken only where it stands there, and is masked nowhere
    else, unless the corpus holds it as an entity already.

    It is searched for in whole words, case and white space folded; places within a value that is
    known are left to that. The run is scored again. The plan masks what it masked before.

    Raises:
        UsageError: there is no such type, or the value stands nowhere outside of known values.
        RunError: the input has changed since, or another command is using the run.
    """
    from linkmask.pipeline.detection.detector import canonical

    with Run.open(run_at(run_folder), write=True) as run, run.together():
        last = stored_plan.plan_of(run)
        settings = stored_plan.settings_of(run, last)
        if entity_type not in settings.entity_types.weights:
            raise UsageError("there is no such type of value")
        normalized = canonical(settings)(entity_type, value)
        entity = entity_id(normalized, entity_type, settings.id_separator)
        source = unchanged_input(run, settings)
        read: Source = source if document is None else partial(source, {document})
        fresh = _found(read, run, entity_type, value, normalized)
        if document is not None and not _holds(run, entity, settings):
            corrections = {**settings.corrections, entity: HERE}
            settings = msgspec.structs.replace(settings, corrections=corrections)
        run.add_mentions(fresh)
        job = Planner(run, settings)
        job.score()
        job.restore(last)
        job.count_as_released()
        job.keep()
        return MissedValue(entity, len(fresh), sum(map(len, fresh.values())))


def _found(
    read: Source, run: Run, entity_type: str, value: str, normalized: str
) -> dict[str, list[Mention]]:
    """Return the mentions of a value that detection missed, by document.

    Raises:
        UsageError: it stands nowhere outside of known values.
    """
    from linkmask.pipeline.values.earlier_masks import found_again

    why = Why("review", "marked")
    mention = Mention("", "", -1, -1, entity_type, value, normalized, 1.0, why)
    fresh = dict(found_again(read, run, [mention]))
    if not fresh:
        raise UsageError(
            "it stands nowhere as whole words, or only within values that are known: decide "
            "about these"
        )
    return fresh


def _holds(run: Run, entity: str, settings: Settings) -> bool:
    """Tell whether a run holds an entity."""
    kept = run.scored()
    if kept is not None:
        return entity in frozenset(kept[0].entities)
    return any(entity_id(m.value, m.type, settings.id_separator) == entity for m in run.mentions())


def unchanged_input(run: Run, settings: Settings) -> Corpus:
    """Return the corpus that a run was made of.

    Raises:
        RunError: the run was made of mentions alone, or its input has changed or is gone.
    """
    if not run.has("mentions"):
        raise RunError("the run was made of mentions alone: it has no texts to show")
    read = corpus.Corpus(run.source, settings, may_be_empty=True)
    if read.digest() != run.digest:
        raise RunError(f"{run.source} is not what the run scanned, or has changed: scan it again")
    return read
