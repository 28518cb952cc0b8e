"""Masks a corpus of files, shows a preview, and estimates the requests to a language model."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TypedDict, Unpack

from linkmask import corpus
from linkmask.commands.folders import (
    check_run,
    check_unreviewed,
    complete_decided_release,
    has_released,
    open_run,
    replaceable,
    take_out,
)
from linkmask.commands.keys import check_given_key, check_key
from linkmask.config import Settings
from linkmask.errors import InputError, UsageError
from linkmask.pipeline import mask
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.progress import Progress, silent
from linkmask.pipeline.values.earlier_masks import EarlierMasks, masked_by
from linkmask.records import Audit, Masked, Mention
from linkmask.report import stored_plan, stored_release
from linkmask.runs import Run
from linkmask.runs.file_names import RELEASED
from linkmask.runs.forgotten import marks_in
from linkmask.runs.run_paths import run_at, run_beside


class ReleaseOptions(TypedDict, total=False):
    """Of a release: mentions read from a file, its run's folder and fate, what may be replaced,
    the run whose masks are kept."""

    mentions: Path | None
    run_folder: Path | None
    keep_run: bool
    overwrite: bool
    keep_masked: Path | None


def mask_files(
    source: Path,
    out: Path,
    settings: Settings,
    *,
    show_values: bool = False,
    progress: Progress = silent,
    **where: Unpack[ReleaseOptions],
) -> Audit:
    """Do the main job: read, detect, score, plan, redact, verify, report.

    Raises:
        UsageError: INPUT, OUT or a setting can't be used.
        RunError: the run folder can't be used.
    """
    with open_release(source, out, settings, progress=progress, **where) as job:
        return mask(job, source, out, where.get("mentions"), show_values)


@contextmanager
def open_release(
    source: Path,
    out: Path,
    settings: Settings,
    *,
    mentions: Path | None = None,
    run_folder: Path | None = None,
    keep_run: bool = True,
    overwrite: bool = False,
    keep_masked: Path | None = None,
    progress: Progress = silent,
) -> Iterator[ReleaseJob]:
    """Open the run that is to release into OUT; an earlier one is replaced when all went well.

    `keep_masked`: a run, or what it wrote to, whose masks are kept; else what the replaced one
    masked is compared only.

    Raises:
        UsageError: INPUT, OUT or a setting can't be used.
        RunError: the run folder can't be used.
    """
    if run_folder is not None and not keep_run:
        raise UsageError("--run keeps a run and --no-run keeps none: give one of them")
    check_unreviewed(settings)
    check_given_key(settings)
    folder = run_folder or run_beside(out)
    overwrite = complete_decided_release(folder, out, dropped=not keep_run) or overwrite
    corpus.check_out(source, out, overwrite)
    check_run(folder, source, out)
    take_out(out)
    replacing = has_released(folder, overwrite)
    if replacing:
        check_key(folder, settings, keep_run)
    before, marks = _earlier(folder, keep_masked), marks_in(folder)
    read = corpus.Corpus(source, settings)  # listed before its digest is taken
    corpus.check_fields(read)
    ours = replaceable(out, read.files(), folder)
    with open_run(source, folder, settings, mentions, overwrite, replacing, read) as run:
        run.note(**marks)
        run.kept = keep_run
        job = ReleaseJob(run, settings, read, progress, before)
        job.overwrite, job.ours = overwrite, ours
        yield job
        run.ended()


def _earlier(folder: Path, named: Path | None) -> EarlierMasks | None:
    """Return the masks of the named run, or else of the run whose release is replaced.

    Raises:
        RunError: the run that was named holds no plan, or one of them is damaged.
    """
    if named is not None:
        with Run.open(run_at(named)) as run:
            kept = stored_release.valid_plan(run)
            return masked_by(run, kept, stored_plan.settings_of(run, kept), keep=True)
    if not (folder / RELEASED).exists():
        return None
    with Run.open(folder) as run:
        kept = run.read_json(RELEASED)
        return masked_by(run, kept, stored_plan.settings_of(run, kept))


def estimate_files(source: Path, settings: Settings) -> dict[str, dict[str, int]]:
    """Estimate the requests to a language model, by stage, without sending any.

    Raises:
        UsageError: no language model is used.
    """
    from linkmask.pipeline.detection import extraction_cost
    from linkmask.pipeline.redaction import rewriting

    read = corpus.Corpus(source, settings)
    corpus.check_fields(read)
    costs = {}
    if settings.detection.prompted:
        costs = extraction_cost.estimate(read, settings)
    if settings.style == "rewrite":
        costs["rewrite"] = rewriting.estimate(read, settings)
    if not costs:
        raise UsageError(
            "--dry-run counts requests: give --detector llm or embedded+llm, or --style rewrite"
        )
    return {stage: asdict(cost) for stage, cost in costs.items()}


def preview_files(
    source: Path,
    settings: Settings,
    number: int,
    *,
    mentions: Path | None = None,
    progress: Progress = silent,
) -> Iterator[tuple[Masked, list[Mention]]]:
    """Yield documents at even steps, masked, with the mentions found in them; keep nothing.

    The whole corpus is scanned: what is masked in one document depends on the others.

    Raises:
        InputError: INPUT holds no document that can be read.
    """
    with tempfile.TemporaryDirectory(prefix="linkmask-") as folder:
        read = corpus.Corpus(source, settings)
        corpus.check_fields(read)
        with open_run(source, Path(folder) / "run", settings, mentions, overwrite=False) as run:
            job = ReleaseJob(run, settings, read, progress)
            job.detect(mentions)
            job.score()
            job.plan()
            aside = [*job.counted.unread, *job.counted.aside.values()]
            if aside and not job.counted.documents:
                raise InputError(f"nothing to show: {len(aside)} set aside, {aside[0].reason}")
            count = job.counted.documents
            shown = {(2 * n + 1) * count // (2 * number) for n in range(number)}
            pairs = job.redaction().with_mentions(read, job.counted)
            upto = enumerate(islice(pairs, 1 + max(shown)))
            yield from (pair for at, pair in upto if at in shown)
