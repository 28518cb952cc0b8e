"""Commands that show what was or would be masked: verify, explain, review and preview."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from linkmask.cli.options import (
    ANY,
    FOLDER,
    JSON,
    MENTIONS,
    MODEL_OPTIONS,
    OUTPUT_OPTIONS,
    PLAN_OPTIONS,
    READ_OPTIONS,
    SETTINGS_OPTIONS,
    STYLE_OPTIONS,
    options,
    settings_of,
)
from linkmask.cli.output import (
    DETECTION,
    RUN,
    as_dict,
    console,
    print_findings,
    progress_bars,
    say,
)
from linkmask.errors import PolicyError, UsageError
from linkmask.report.wording import count


@click.command(epilog="\b\nExample: linkmask verify masked/")
@click.argument("out", metavar="OUT", type=FOLDER)
@click.option("--run", "run_folder", type=FOLDER, help="Run that wrote OUT [OUT.run].")
@options(OUTPUT_OPTIONS)
def verify(out: Path, run_folder: Path | None, as_json: bool, quiet: bool) -> None:
    """Check a masked corpus: search it for the masked values, and detect values again."""
    from linkmask import commands

    with progress_bars(quiet or as_json, DETECTION) as progress:
        findings = commands.verify_files(out, run_folder, progress=progress)
    if as_json:
        click.echo(json.dumps([as_dict(finding) for finding in findings], indent=2))
    elif not quiet:
        print_findings(findings)
    if any(finding.blocking for finding in findings):
        raise PolicyError("Verification failed: see the findings above; do not release OUT.")


@click.command(epilog="\b\nExample: linkmask explain masked.run --person SFH-2207-419")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option("--entity", help="Value, label or id: say why it is masked or readable.")
@click.option("--document", help="Id of a document: explain its risk and masks.")
@click.option("--pair", nargs=2, metavar="A B", help="Ids of two documents: show what links them.")
@click.option("--person", help="Name or number of a person: show what is still readable.")
@click.option("--show-values", is_flag=True, help="Show values, not only labels.")
@JSON
def explain(run_folder: Path, as_json: bool, show_values: bool, **question: Any) -> None:
    """Explain an entity, a document or a link, or show what is still readable about a person.

    Give one of the first four options.
    """
    if not as_json:
        say(f"Loading {RUN} …")
    from linkmask import commands

    asked = {name: value for name, value in question.items() if value}
    if len(asked) != 1:
        raise UsageError("give exactly one of --entity, --document, --pair and --person")
    answer = commands.explain_run(run_folder, **asked, show_values=show_values)
    if as_json:
        click.echo(json.dumps(answer.data, indent=2, ensure_ascii=False))
    else:
        console().print(answer.text, markup=False, highlight=False, soft_wrap=True)


@click.command(epilog="\b\nExample: linkmask review masked.run")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option(
    "--reviewer", metavar="PERSON", help="Your name in the log of decisions [name of your account]."
)
@click.option("--no-browser", is_flag=True, help="Print the address only, and open no browser.")
@click.option("--verify-log", is_flag=True, help="Only check that nobody changed the log.")
def review(run_folder: Path, reviewer: str | None, no_browser: bool, verify_log: bool) -> None:
    """Decide about values on a local page, and see what each decision costs.

    Only this machine reaches the page. The printed address works once; then the browser has access.
    """
    say(f"Loading {RUN} …")
    from linkmask.review import serving

    if verify_log:
        head = serving.verify_log(run_folder)
        click.echo(f"The log is whole: {count(head.lines, 'line')}, the last hash is {head.hash}")
        return
    serving.serve(run_folder, reviewer, browser=not no_browser, say=click.echo)


@click.command(epilog="\b\nExample: linkmask preview claims/ -n 3")
@click.argument("source", metavar="INPUT", type=ANY)
@click.option("-n", "--number", type=click.IntRange(1), default=3, help="Number of documents [3].")
@MENTIONS
@options(SETTINGS_OPTIONS, READ_OPTIONS, MODEL_OPTIONS, PLAN_OPTIONS, STYLE_OPTIONS)
def preview(source: Path, number: int, mentions: Path | None, **given: Any) -> None:
    """Show some documents before and after masking, and write nothing."""
    say(f"Loading {DETECTION} …")
    from linkmask import commands
    from linkmask.report.preview import preview as show

    terminal = console()
    for masked, found in commands.preview_files(
        source, settings_of(given), number, mentions=mentions
    ):
        terminal.print(show(masked, found))
