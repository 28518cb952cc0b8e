"""Finds the folder of a run and the settings with which it continues, and refuses unusable ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from linkmask import runs
from linkmask.config import Settings, checked, load
from linkmask.errors import RunError, UsageError
from linkmask.report import stored_plan
from linkmask.report.wording import count
from linkmask.runs import Run
from linkmask.runs.damaged_file import damaged
from linkmask.runs.decision_log import approved_by
from linkmask.runs.file_names import PLAN, RELEASED
from linkmask.runs.run_paths import INSIDE, real_path, run_beside, run_of

if TYPE_CHECKING:
    from linkmask.corpus import Corpus


def check_run(folder: Path, source: Path | None, out: Path | None = None) -> None:
    """Refuse a run folder that would mix with the input or with what is released.

    Raises:
        UsageError: it lies inside the input or inside OUT, or holds one of them.
    """
    real = real_path(folder)
    if source is not None and source.is_dir() and real.is_relative_to(real_path(source)):
        raise UsageError(
            f"the run folder {folder} lies inside the input: give one outside of it with --run"
        )
    if out is not None:
        here = real_path(out)
        if real.is_relative_to(here) or here.is_relative_to(real):
            raise UsageError(
                f"the run folder {folder} lies in {out} or around it, and {out} must hold nothing "
                "private: give one outside of it with --run"
            )


def take_out(out: Path) -> None:
    """Move a run that lies inside OUT, where runs were once kept, to its place beside OUT.

    Raises:
        RunError: it can't be moved.
    """
    inside = run_of(out)
    if inside != out / INSIDE:
        return
    try:
        inside.rename(run_beside(out))
    except OSError as error:
        raise RunError(
            f"can't move the run {inside} to {run_beside(out)} ({error.strerror}): "
            "move it out of what is released yourself"
        ) from None


class _ReleasedFiles(msgspec.Struct):
    """What of `released.json` says which files were written; the rest is not decoded."""

    documents: dict[str, msgspec.Raw]


def replaceable(out: Path, files: Iterable[str], folder: Path) -> frozenset[str]:
    """Return the names of files of documents that linkmask wrote to OUT, or is to write.

    `files` are the latter; `folder`: the run whose release is replaced, if there is one.

    Raises:
        OutputError: OUT holds others where it is replaced whole.
        RunError: the run is damaged.
    """
    from linkmask import corpus

    ours = {*files}
    for run in {folder, run_of(out)}:
        if (record := run / RELEASED).exists():
            try:
                held = msgspec.json.decode(record.read_bytes(), type=_ReleasedFiles)
                ours |= held.documents.keys()
            except (OSError, msgspec.DecodeError):
                raise damaged(record) from None
    corpus.check_replaceable(out, ours)
    return frozenset(ours)


def check_approved(run: Run, settings: Settings, plan: str) -> None:
    """Refuse to release a plan that too few reviewers have approved.

    The settings with which the run was made count, too, so that approvals can't be switched off.

    Raises:
        RunError: too few have, or the log of decisions was cut or changed.
    """
    needed = max(run.settings.approvals, settings.approvals)
    if needed and (found := len(approved_by(run.path, plan))) < needed:
        raise RunError(
            f"{count(needed, 'reviewer')} must approve exactly this plan before it is released, "
            f"and {found} did: linkmask review {run.path}"
        )


def check_unreviewed(settings: Settings) -> None:
    """Refuse to release without a review where approvals are asked for.

    Raises:
        UsageError: they are.
    """
    if settings.approvals:
        raise UsageError(
            "the setting approvals requires a review before the release: use scan, plan, review "
            "and apply"
        )


def complete_decided_release(folder: Path, out: Path, dropped: bool = False) -> bool:
    """Tell whether a killed command had decided a release to OUT, which then is completed.

    A command has ended only when it noted so; until then it may do its work again. If the run is
    `dropped` at the end, its folder is removed last, so an empty folder also shows a kill.
    """
    journal = runs.recover(folder)
    if journal is None and dropped and folder.is_dir() and not folder.is_symlink():
        return not any(folder.iterdir())
    return journal is not None and journal.concerns(out)


def has_released(folder: Path, overwrite: bool) -> bool:
    """Tell whether a folder holds the run of a release, which stays until the next one replaces it.

    Raises:
        RunError: there is such a run, and it may not be replaced.
    """
    if not (folder / RELEASED).exists():
        return False
    if not overwrite:
        raise RunError(f"{folder} is the run of a release: give another --run, or --overwrite")
    return True


def _digest(source: Path) -> str:
    from linkmask import corpus

    return corpus.digest(source)


def open_run(
    source: Path | None,
    folder: Path,
    settings: Settings,
    mentions: Path | None,
    overwrite: bool,
    replacing: bool = False,
    read: Corpus | None = None,
) -> Run:
    """Continue the folder's run if it was made from this input; otherwise make a new one.

    `replacing`: the run that is there stays until the new one takes its place. `read` is the
    corpus, where it is listed already: so its digest is of what will be read.
    """
    settings = checked(settings)
    if settings.policy:
        from linkmask.pipeline.planning import regulation

        regulation.policies(settings)  # a table of one's own may be wrong
    if settings.questions:
        from linkmask.pipeline.answers.questions import asked_questions

        asked_questions(settings)  # before hours of detection
    digest = "" if source is None else read.digest() if read else _digest(source)
    place = source or mentions or folder
    usual = msgspec.to_builtins(load(preset=settings.preset, environment={}))
    given = {n: v for n, v in msgspec.to_builtins(settings).items() if v != usual[n]}
    given["preset"] = settings.preset
    arguments: Any = {"source": place, "digest": digest, "given": given, "replacing": replacing}
    if mentions is None:
        try:
            return Run.resume(folder, settings, **arguments)
        except RunError:
            if not overwrite:
                raise
    return Run.create(folder, settings, overwrite=overwrite, **arguments)


def release_at(folder: Path, run_folder: Path | None) -> tuple[Path, Path]:
    """Return what was written and the run that wrote it, where either of them was named.

    Raises:
        RunError: there is no such folder; its run is not found and none was named; or a run was
            named without OUT.
    """
    if not folder.exists():
        raise RunError(f"there is no folder {folder}")
    if run_folder is not None:
        return folder, run_folder
    if (folder / "run.json").is_file():
        real = real_path(folder)
        inside = real.name == INSIDE
        out = real.parent if inside else real.with_name(real.name.removesuffix(".run"))
        if (out / "documents").is_dir() and real_path(run_of(out)) == real:
            return out, folder
        raise RunError(f"{folder} is a run: give the folder it wrote to, and --run {folder}")
    run = run_of(folder)
    if not (run / "run.json").is_file():
        raise RunError(f"there is no run {run}: name the one that wrote {folder} with --run")
    return folder, run


def laid_over(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """Return the settings of a run, overridden by those of the command line."""
    if not overrides:
        return settings
    given = dict(overrides)
    config, preset = given.pop("config", None), given.pop("preset", None)
    return load(config, preset, given, base=settings)


def settings_of_run(run: Run) -> Settings:
    """Return the settings of the run, with what a person decided in its last plan."""
    if not (run.path / PLAN).exists():
        return run.settings
    last = stored_plan.settings_of(run, run.read_json(PLAN))
    decided = {name: getattr(last, name) for name in ("always_mask", "never_mask", "corrections")}
    return msgspec.structs.replace(run.settings, **decided)
