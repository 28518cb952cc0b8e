"""A run planned again as a person decided on it: tried in memory, or carried out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from linkmask.config import Settings
from linkmask.pipeline.planning import Planner
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Audit
from linkmask.report import tables
from linkmask.runs import Run
from linkmask.runs.places import run_at

LIMITS = ("theta_doc", "theta_chain")
"""Settings that a person changes with decisions."""


class Decided(NamedTuple):
    """What a person decided since the last plan: entities by id, and limits by name.

    `lift`: entities whose earlier decision is taken back, so that the limits decide again.
    """

    mask: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    lift: frozenset[str] = frozenset()
    limits: Mapping[str, float] = {}

    def anew(self, settings: Settings) -> bool:
        """Tell whether a plan has to be chosen again: decisions alone leave the last one as it is.

        `settings` are those of the last plan.
        """
        changed = any(getattr(settings, name) != limit for name, limit in self.limits.items())
        return bool(self.lift) or changed

    def laid_over(self, settings: Settings) -> Settings:
        """Return the settings of the last plan with the limits, and without what is taken back."""
        names = ("always_mask", "never_mask")
        rest = {n: tuple(e for e in getattr(settings, n) if e not in self.lift) for n in names}
        return msgspec.structs.replace(settings, **rest, **self.limits)


def planned(
    make: Callable[[Settings], Planner], last: Mapping[str, Any], old: Settings, decided: Decided
) -> Planner:
    """Return a planner that has planned as was decided.

    The last plan stands as it is beside what was decided. Where a limit changed, or a decision was
    taken back, a plan is chosen anew, and overruled then.

    Args:
        make: settings → a planner that knows the run's risks.
        last: the last plan, as it was kept.
        old: its settings.
    """
    job = make(decided.laid_over(old))
    job.decide(None if decided.anew(old) else last, decided.mask, decided.keep)
    return job


def decide_run(run_folder: Path, decided: Decided, *, progress: Progress = silent) -> Audit:
    """Make the run's plan that of what was decided.

    Raises:
        RunError: the run holds no plan, or another command is using it.
    """
    with Run.open(run_at(run_folder), write=True) as run, run.together():

        def make(settings: Settings) -> Planner:
            job = Planner(run, settings, progress)
            job.reopen()
            return job

        last = tables.plan_of(run)
        job = planned(make, last, tables.settings_of(run, last), decided)
        job.compare(tables.masked_ids(last), "plan")
        return job.audit()
