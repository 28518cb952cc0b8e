"""Writes masked documents by the plan of a kept run, without detecting again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from linkmask import corpus
from linkmask.commands.folders import (
    check_approved,
    complete_decided_release,
    laid_over,
    replaceable,
)
from linkmask.commands.keys import check_key
from linkmask.errors import RunError
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Audit
from linkmask.report import stored_plan
from linkmask.report.plan_digest import plan_digest
from linkmask.runs import Run
from linkmask.runs.run_paths import run_at


def apply_run(
    run_folder: Path,
    out: Path,
    overrides: Mapping[str, Any],
    *,
    source: Path | None = None,
    overwrite: bool = False,
    show_values: bool = False,
    progress: Progress = silent,
) -> Audit:
    """Write masked documents from a run's plan as it stands in plan.json, also if edited.

    Raises:
        RunError: the input is not the one that was scanned, there was none or it was moved, or the
            run has no plan.
    """
    folder = run_at(run_folder)
    overwrite = complete_decided_release(folder, out) or overwrite
    with Run.open(folder, write=True) as run:
        if not run.has("mentions"):
            raise RunError("the run was made of mentions alone: scan them with their INPUT")
        if source is None and not run.source.exists():
            raise RunError(f"{run.source} is not there any more: name its new place with --input")
        source = source or run.source
        corpus.check_out(source, out, overwrite)
        kept = stored_plan.plan_of(run)
        settings = laid_over(stored_plan.settings_of(run, kept), overrides)
        check_key(folder, settings, keep_run=True)
        read = corpus.Corpus(source, settings, may_be_empty=True)
        if read.digest() != run.digest:
            raise RunError(f"{source} is not what the run scanned, or has changed: scan it again")
        ours = replaceable(out, read.files(), run.path)
        job = ReleaseJob(run, settings, read, progress)
        job.reopen()
        job.restore(kept)
        job.count_as_released()
        assert job.chosen is not None
        needed = max(settings.approvals, stored_plan.settings_of(run, kept).approvals)
        asked = msgspec.structs.replace(settings, approvals=needed)
        check_approved(run, asked, plan_digest(job.analysis.incidence, job.chosen, settings))
        job.overwrite, job.ours = overwrite, ours
        job.redact()
        findings = job.accept(job.check())
        audit = job.release(source, out, findings, show_values)
        run.ended()
        return audit
