"""Commands that detect, plan and release: mask, scan, plan, apply and update."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from linkmask.cli.options import (
    ALLOW_UNMET,
    ANY,
    CHUNKS,
    DRY_RUN,
    FOLDER,
    KEY,
    MENTIONS,
    MODEL_OPTIONS,
    OUT,
    OUTPUT_OPTIONS,
    OVERWRITE,
    PLAN_OPTIONS,
    READ_OPTIONS,
    RELEASE_OPTIONS,
    SETTINGS_OPTIONS,
    STYLE_OPTIONS,
    WORKERS,
    options,
    overrides_of,
    settings_of,
)
from linkmask.cli.output import (
    DETECTION,
    RUN,
    finish,
    print_cost,
    print_summary,
    progress_bars,
    say,
)
from linkmask.errors import UsageError


@click.command(epilog="\b\nExample: linkmask mask claims/ -o masked/ --style pseudonym --workers 2")
@click.argument("source", metavar="INPUT", type=ANY)
@OUT
@click.option("--run", "run_folder", type=FOLDER, help="Private run folder [OUT.run].")
@click.option(
    "--no-run",
    is_flag=True,
    help="Keep no run folder. Then explain, unmask and other commands can't be used.",
)
@click.option(
    "--keep-masked",
    type=FOLDER,
    metavar="RUN",
    help="Also mask what this earlier run masked.",
)
@MENTIONS
@options(
    SETTINGS_OPTIONS,
    READ_OPTIONS,
    [*MODEL_OPTIONS, DRY_RUN],
    PLAN_OPTIONS,
    STYLE_OPTIONS,
    RELEASE_OPTIONS,
    CHUNKS,
    OUTPUT_OPTIONS,
)
def mask(
    source: Path,
    out: Path,
    run_folder: Path | None,
    no_run: bool,
    keep_masked: Path | None,
    mentions: Path | None,
    overwrite: bool,
    allow_unmet: bool,
    show_values: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Mask a corpus: read, detect, score, plan, redact, verify and report.

    INPUT is a file or a folder (docs/corpus.md lists the formats). OUT will contain documents/,
    report.html, summary.json and set-aside.jsonl (what was not released, and why).
    """
    from linkmask import commands

    if dry_run:
        return print_cost(commands.estimate_files(source, settings_of(given)), as_json)
    with progress_bars(quiet or as_json, DETECTION) as progress:
        audit = commands.mask_files(
            source,
            out,
            settings_of(given),
            mentions=mentions,
            run_folder=run_folder,
            keep_run=not no_run,
            overwrite=overwrite,
            keep_masked=keep_masked,
            show_values=show_values,
            progress=progress,
        )
    kept = None if no_run else run_folder or commands.run_beside(out)
    print_summary(audit, as_json, quiet, out, kept)
    finish(audit, allow_unmet, quiet)


@click.command(epilog="\b\nExample: linkmask scan claims/ -o claims.run")
@click.argument("source", metavar="[INPUT]", type=ANY, required=False)
@click.option("-o", "--out", "run_folder", type=FOLDER, required=True, help="Run folder to create.")
@OVERWRITE
@MENTIONS
@options(SETTINGS_OPTIONS, READ_OPTIONS, [*MODEL_OPTIONS, DRY_RUN], PLAN_OPTIONS, OUTPUT_OPTIONS)
def scan(
    source: Path | None,
    run_folder: Path,
    mentions: Path | None,
    overwrite: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Detect values and compute risks, and mask nothing.

    Then run plan and apply. With --mentions, risks can be computed without INPUT.
    """
    from linkmask import commands

    if source is None and mentions is None:
        raise UsageError("scan needs an INPUT to detect in, or --mentions FILE")
    if dry_run:
        if source is None:
            raise UsageError("--dry-run needs an INPUT to count")
        return print_cost(commands.estimate_files(source, settings_of(given)), as_json)
    with progress_bars(quiet or as_json, DETECTION) as progress:
        audit = commands.scan_files(
            source,
            run_folder,
            settings_of(given),
            mentions=mentions,
            overwrite=overwrite,
            progress=progress,
        )
    print_summary(audit, as_json, quiet, None)
    finish(audit, allow_unmet=True, quiet=quiet)


@click.command(epilog="\b\nExample: linkmask plan masked.run --theta-chain 0.4 --solver exact")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option(
    "--mask",
    "mask",
    multiple=True,
    metavar="VALUE",
    help="Also mask this value; a label or id will do (repeatable).",
)
@click.option(
    "--keep",
    "keep",
    multiple=True,
    metavar="VALUE",
    help="Keep this value readable; a label or id will do (repeatable).",
)
@options(SETTINGS_OPTIONS, PLAN_OPTIONS, OUTPUT_OPTIONS)
@ALLOW_UNMET
def plan(
    run_folder: Path,
    mask: tuple[str, ...],
    keep: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    allow_unmet: bool,
    **given: Any,
) -> None:
    """Choose what to mask in a run.

    Use it after scan, or to try other limits.
    Decisions by --mask and --keep hold in later plans.
    """
    from linkmask import commands

    with progress_bars(quiet or as_json, RUN) as progress:
        audit = commands.plan_run(
            run_folder, overrides_of(given), mask=mask, keep=keep, progress=progress
        )
    print_summary(audit, as_json, quiet, None)
    finish(audit, allow_unmet, quiet)


@click.command(epilog="\b\nExample: linkmask apply claims.run -o masked/")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@OUT
@click.option(
    "--input",
    "source",
    type=ANY,
    help="Path of the input, if it was moved.",
)
@WORKERS
@options(MODEL_OPTIONS, STYLE_OPTIONS, RELEASE_OPTIONS, OUTPUT_OPTIONS)
def apply(
    run_folder: Path,
    out: Path,
    source: Path | None,
    overwrite: bool,
    allow_unmet: bool,
    show_values: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Write masked documents by the plan of a run."""
    from linkmask import commands

    with progress_bars(quiet or as_json, DETECTION) as progress:
        audit = commands.apply_run(
            run_folder,
            out,
            overrides_of(given),
            source=source,
            overwrite=overwrite,
            show_values=show_values,
            progress=progress,
        )
    print_summary(audit, as_json, quiet, out)
    finish(audit, allow_unmet, quiet)


@click.command(epilog="\b\nExample: linkmask update masked.run claims/ -o masked/")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.argument("source", metavar="INPUT", type=ANY)
@click.option(
    "-o",
    "--out",
    type=FOLDER,
    required=True,
    help="Folder of the last edition; the new one replaces it.",
)
@click.option(
    "--recount",
    is_flag=True,
    help="Count again how many documents have each value, show the effect, and ask before masking.",
)
@click.option("--yes", is_flag=True, help="Let --recount go on without asking.")
@click.option(
    "--rehash",
    is_flag=True,
    help="Read all files, also those whose inode, size and times are as at the last update.",
)
@click.option(
    "--allow-empty", is_flag=True, help="Release an edition without documents if INPUT has none."
)
@WORKERS
@KEY
@ALLOW_UNMET
@options(OUTPUT_OPTIONS)
def update(
    run_folder: Path,
    source: Path,
    out: Path,
    recount: bool,
    yes: bool,
    rehash: bool,
    allow_empty: bool,
    allow_unmet: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Release the next edition of a corpus that was masked before and has changed since.

    What an earlier edition masked stays masked.
    """
    from linkmask import commands

    def confirm(effect: Mapping[str, Any]) -> bool:
        from linkmask.report.changes import recount_lines

        for line in [] if quiet else recount_lines(effect):
            say(line)
        return yes or click.confirm("Count anew and release?", err=True)

    with progress_bars(quiet or as_json or recount, DETECTION) as progress:
        audit = commands.update_files(
            run_folder,
            source,
            out,
            overrides_of(given),
            recount=recount,
            rehash=rehash,
            allow_empty=allow_empty,
            confirm=confirm,
            progress=progress,
        )
    print_summary(audit, as_json, quiet, out, commands.run_at(run_folder))
    finish(audit, allow_unmet, quiet)
