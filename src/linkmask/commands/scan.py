"""Scored and planned: a corpus, a table of mentions alone, or a run again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linkmask import corpus
from linkmask.commands.folders import check_run, laid_over, open_run, overruled, remembered
from linkmask.config import Settings
from linkmask.pipeline.planning import Planner
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Audit
from linkmask.report import tables
from linkmask.runs import Run
from linkmask.runs.places import run_at

SCORED = (
    "schema",
    "weights",
    "corrections",
    "edge_threshold",
    "group_budget",
    "chain_length",
    "high",
    "medium",
)
"""Settings that change what risk.json holds."""


def scan_files(
    source: Path | None,
    run_folder: Path,
    settings: Settings,
    *,
    mentions: Path | None = None,
    overwrite: bool = False,
    progress: Progress = silent,
) -> Audit:
    """Detect and score only; without a source, score the mentions file by itself."""
    check_run(run_folder, source)
    read = None if source is None else corpus.Corpus(source, settings)
    if read is not None:
        corpus.check_fields(read)
    with open_run(source, run_folder, settings, mentions, overwrite) as run:
        audit = scanned(run, settings, read, mentions, progress).audit()
        run.write(
            "set-aside.jsonl", [json.dumps(item).encode() + b"\n" for item in audit.set_aside]
        )
        return audit


def scanned(
    run: Run,
    settings: Settings,
    read: corpus.Corpus | None,
    mentions: Path | None,
    progress: Progress,
) -> Planner:
    """Detect in a corpus, or take a table of mentions alone, and score what is found."""
    if read is None:
        assert mentions is not None
        table = Planner(run, settings, progress)
        table.adopt(mentions)
        return table
    from linkmask.pipeline.job import Job

    job = Job(run, settings, read, progress)
    job.detect(mentions)
    job.score()
    return job


def plan_run(
    run_folder: Path,
    overrides: Mapping[str, Any],
    *,
    mask: Sequence[str] = (),
    keep: Sequence[str] = (),
    progress: Progress = silent,
) -> Audit:
    """Choose again from a run, with other limits and no detection.

    `mask` and `keep` overrule: entities, by value or id, masked or left whatever the risk. They
    are remembered in the plan's settings, and lifted by naming them on the other side. Where no
    other setting is given, the last plan stands as it is beside them; else a plan is chosen, and
    overruled then. What differs from the last plan is told in the audit's `changed`.

    Raises:
        UsageError: the run holds no such entity, or one is both masked and kept.
    """
    with Run.open(run_at(run_folder), write=True) as run, run.together():
        last = tables.plan_of(run) if (run.path / "plan.json").exists() else {}
        named = overruled(run, run.settings, mask, keep)
        anew = not last or bool(overrides) or not any(named)
        scored = tables.settings_of(run, last) if last else run.settings
        settings = laid_over(remembered(run), overrides) if anew else scored
        job = Planner(run, settings, progress)
        same = all(getattr(settings, name) == getattr(scored, name) for name in SCORED)
        if same:
            job.reopen()
        else:
            job.score()
        job.decide(None if anew else last, *named)
        if last:
            job.compare(tables.masked_ids(last), "plan")
        return job.audit()
