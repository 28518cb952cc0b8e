"""Plans a run again, with other limits or a person's decisions (`linkmask plan`).

Nothing that reads or writes texts is loaded, since planning again is a matter of a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linkmask.commands.folders import laid_over, settings_of_run
from linkmask.commands.named_entities import ids_decided_by_hand
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Audit
from linkmask.report import stored_plan
from linkmask.runs import Run
from linkmask.runs.file_names import PLAN
from linkmask.runs.run_paths import run_at

SCORED = (
    "schema",
    "weights",
    "corrections",
    "edge_threshold",
    "link_contained",
    "group_budget",
    "chain_length",
    "high",
    "medium",
)
"""Settings that change what risk.json holds."""


def plan_run(
    run_folder: Path,
    overrides: Mapping[str, Any],
    *,
    mask: Sequence[str] = (),
    keep: Sequence[str] = (),
    progress: Progress = silent,
) -> Audit:
    """Choose again from a run, with other limits and no detection.

    `mask` and `keep` overrule the plan: entities, by value or id, that are masked or left readable
    whatever the risk. The plan's settings keep these decisions; to withdraw one, name the entity on
    the other side. Without another setting, the rest of the last plan stays as it is; with one, a
    plan is chosen and then overruled. The audit's `changed` lists what differs from the last plan.

    Raises:
        UsageError: the run holds no such entity, or one is both masked and kept.
    """
    with Run.open(run_at(run_folder), write=True) as run, run.together():
        last = stored_plan.plan_of(run) if (run.path / PLAN).exists() else {}
        named = ids_decided_by_hand(run, run.settings, mask, keep)
        anew = not last or bool(overrides) or not any(named)
        scored = stored_plan.settings_of(run, last) if last else run.settings
        settings = laid_over(settings_of_run(run), overrides) if anew else scored
        job = Planner(run, settings, progress)
        same = all(getattr(settings, name) == getattr(scored, name) for name in SCORED)
        if same:
            job.reopen()
        else:
            job.score()
        job.decide(None if anew else last, *named)
        if last:
            job.compare(stored_plan.masked_ids(last), "plan")
        return job.audit()
