"""Commands that restore originals, or delete what a run holds of a person: unmask, forget."""

from __future__ import annotations

from pathlib import Path

import click

from linkmask.cli.options import FOLDER, KEY, OUT, QUIET
from linkmask.cli.output import RUN, print_related, progress_bars, say
from linkmask.report.wording import count


@click.command(
    epilog="\b\nExample: linkmask mask claims/ -o masked/ --style pseudonym"
    "\nlinkmask unmask masked/ -o restored/"
)
@click.argument("masked", metavar="OUT", type=FOLDER)
@OUT
@click.option("--run", "run_folder", type=FOLDER, help="Run that wrote OUT [OUT.run].")
@KEY
@click.option("--overwrite", is_flag=True, help="Replace the content of the folder.")
@QUIET
def unmask(
    masked: Path,
    out: Path,
    run_folder: Path | None,
    key_file: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Restore the original documents, if the style can be undone."""
    from linkmask import commands

    with progress_bars(quiet, RUN) as progress:
        restored = commands.unmask_files(
            masked, out, run_folder, key_file=key_file, overwrite=overwrite, progress=progress
        )
    if not quiet:
        click.echo(f"Restored {count(restored, 'document')} to {out}")


@click.command(epilog="\b\nExample: linkmask forget masked.run --subject SFH-2207-419")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option(
    "--subject",
    multiple=True,
    required=True,
    help="A value, label or id of the person (repeatable).",
)
@KEY
@click.option("--linked", is_flag=True, help="Also delete the listed values, after you confirm.")
@click.option("--yes", is_flag=True, help="Let --linked go on without asking.")
@click.option("--dry-run", is_flag=True, help="Only say what would be deleted.")
def forget(
    run_folder: Path,
    subject: tuple[str, ...],
    key_file: str | None,
    linked: bool,
    yes: bool,
    dry_run: bool,
) -> None:
    """Delete a person's values from a run, so that nobody can restore them.

    Released documents stay as they are. Other values that perhaps belong to the person are
    listed by type; --linked deletes them, too. A certificate in RUN says what was deleted. The exit
    status is 2 if a file of the run still contains a deleted value.
    """
    say(f"Loading {RUN} …")
    from linkmask import commands

    def confirm(due: commands.Forgotten) -> bool:
        asked = (
            f"Forget {count(due.entities, 'entity', 'entities')} in {due.documents:,} documents?"
        )
        return not linked or yes or click.confirm(asked, err=True)

    gone = commands.forget_subject(
        run_folder, subject, key_file=key_file, linked=linked, dry_run=dry_run, confirm=confirm
    )
    what = (
        f"{count(gone.entities, 'entity', 'entities')}, "
        f"{count(gone.mentions, 'mention')} in {count(gone.documents, 'document')}"
    )
    if dry_run:
        click.echo(f"To be forgotten: {what}. Nothing was deleted.")
    else:
        click.echo(
            f"Forgotten: {what}, "
            f"{'deleted from the run' if gone.left_in else 'kept nowhere in the run'}. "
            "What was released stays as it is; the input is not touched."
        )
    if gone.certificate:
        click.echo(f"Certificate: {gone.certificate}")
    if gone.related:
        print_related(gone.related, run_folder)
    if gone.left_in:
        files = ", ".join(gone.left_in)
        click.echo(f"A deleted value is still part of others that are left in {files}", err=True)
        click.get_current_context().exit(2)
