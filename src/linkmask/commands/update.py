"""Makes the next edition of a run from the corpus of another day."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linkmask import corpus
from linkmask.commands.folders import (
    check_run,
    check_unreviewed,
    complete_decided_release,
    laid_over,
    open_run,
    replaceable,
    settings_of_run,
)
from linkmask.commands.keys import check_key
from linkmask.commands.verify import plan_of_release
from linkmask.config.detectors import with_public_texts_of_today
from linkmask.errors import InputError, RunError
from linkmask.pipeline import mask
from linkmask.pipeline.editions.updating import Confirm, Update, updatable
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Audit
from linkmask.runs import Run, editions
from linkmask.runs.file_names import DECIDED
from linkmask.runs.folder import DETECTION
from linkmask.runs.forgotten import marks_of
from linkmask.runs.run_paths import run_at

NEVER = 1_000_000
"""So many searches among new objects no update needs before one among older ones."""


def carry_decisions(before: Run, run: Run) -> None:
    """Take over the decisions of the last edition's review, but not its sample of that edition."""
    if before.find(DECIDED).exists():
        run.write_json(DECIDED, {**before.read_json(DECIDED), "steps": [], "sample": None})


@contextmanager
def _old_objects_stay() -> Iterator[None]:
    """Let Python look for garbage in cycles among new objects only: reading documents leaves it.

    An update of 118,000 documents makes ten million objects and keeps nearly all of them to its
    end: those that were visited once are not visited again.
    """
    was = gc.get_threshold()
    gc.set_threshold(was[0], NEVER)
    try:
        yield
    finally:
        gc.set_threshold(*was)


def update_files(
    run_folder: Path,
    source: Path,
    out: Path,
    overrides: Mapping[str, Any],
    *,
    recount: bool = False,
    rehash: bool = False,
    allow_empty: bool = False,
    confirm: Confirm = lambda effect: True,
    show_values: bool = False,
    progress: Progress = silent,
) -> Audit:
    """Release the next edition of a run into OUT: only what changed is detected again.

    Args:
        recount: count anew how many documents hold each value.
        rehash: read all files, also those whose times and inodes are as they were noted.
        allow_empty: release an edition without documents if INPUT is a folder without any.
        confirm: is shown what that changes, before anything is masked (`recounting`); where it
            returns False, nothing is released.

    Raises:
        UsageError: INPUT, OUT or a setting can't be used, or counting anew was not confirmed.
        InputError: INPUT holds no document, and the edition is not to be without any.
        RunError: the run can't be updated, or OUT holds what another run wrote.
    """
    folder = run_at(run_folder)
    complete_decided_release(folder, out)
    corpus.check_out(source, out, overwrite=True)
    check_run(folder, source, out)
    with Run.open(folder) as before:
        settings = with_public_texts_of_today(laid_over(settings_of_run(before), overrides))
        for one in (before.settings, settings):
            check_unreviewed(one)
        released = updatable(before, settings)
        fixed = (name for name in DETECTION if name != "background_digest")
        differs = [n for n in fixed if getattr(settings, n) != getattr(before.settings, n)]
        if differs:
            changed = ", ".join(differs)
            raise RunError(f"an update must detect like its run: do not change {changed}")
        if (out / "documents").exists() and plan_of_release(out) != released.get("plan"):
            raise RunError(f"{out} is neither the last release of {folder} nor a new folder")
        check_key(folder, settings, keep_run=True)
        read = corpus.Corpus(source, settings, may_be_empty=True)
        stamps = frozenset[int]() if rehash else editions.stamps_of(before)
        read.remember(released.get("inputs", {}), stamps)
        if not (allow_empty or read.files()):
            raise InputError(f"no document in {source}: if all are deleted, add --allow-empty")
        corpus.check_fields(read)
        ours = replaceable(out, read.files(), folder)
        with open_run(
            source, folder, settings, None, overwrite=True, replacing=True, read=read
        ) as run:
            run.note(salt=before.about.get("salt", ""))
            if forgotten := before.about.get("forgotten"):  # numbers and types, no value
                run.note(forgotten=forgotten)
            run.note(**marks_of(before))
            carry_decisions(before, run)
            job = Update(run, settings, read, before, released, out, progress, stamps)
            job.ours = ours
            job.confirm = confirm if recount else None
            with _old_objects_stay():
                audit = mask(job, source, out, None, show_values)
                del job, read, released  # else what they hold is visited now
            run.ended()
            return audit
