"""Detects and scores a corpus, or scores a table of mentions (`linkmask scan`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from linkmask.commands.folders import check_run, open_run
from linkmask.config import Settings
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Audit
from linkmask.runs import Run

if TYPE_CHECKING:
    from linkmask.corpus import Corpus


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
    read = None
    if source is not None:
        from linkmask import corpus  # a table alone needs no reader of files

        read = corpus.Corpus(source, settings)
        corpus.check_fields(read)
    with open_run(source, run_folder, settings, mentions, overwrite) as run:
        audit = detect_and_score(run, settings, read, mentions, progress).audit()
        run.write(
            "set-aside.jsonl", [json.dumps(item).encode() + b"\n" for item in audit.set_aside]
        )
        return audit


def detect_and_score(
    run: Run,
    settings: Settings,
    read: Corpus | None,
    mentions: Path | None,
    progress: Progress,
) -> Planner:
    """Detect in a corpus, or take a table of mentions alone, and score what is found."""
    if read is None:
        assert mentions is not None
        table = Planner(run, settings, progress)
        table.adopt(mentions)
        return table
    from linkmask.pipeline.jobs.release_job import ReleaseJob

    job = ReleaseJob(run, settings, read, progress)
    job.detect(mentions)
    job.score()
    return job
