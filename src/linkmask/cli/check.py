"""Command `check`: tells hooks and builds whether a corpus may be released as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkmask.cli.options import (
    ANY,
    OUTPUT_OPTIONS,
    PLAN_OPTIONS,
    READ_OPTIONS,
    SETTINGS_OPTIONS,
    options,
    settings_of,
)
from linkmask.cli.output import as_dict, progress_bars
from linkmask.errors import PolicyError
from linkmask.report.wording import count, harmless_text

if TYPE_CHECKING:
    from linkmask.commands import CorpusChecked


@click.command(epilog="\b\nExample: linkmask check docs/")
@click.argument("source", metavar="INPUT", type=ANY)
@options(SETTINGS_OPTIONS, READ_OPTIONS, PLAN_OPTIONS, OUTPUT_OPTIONS)
def check(source: Path, as_json: bool, quiet: bool, **given: Any) -> None:
    """Tell whether documents meet the limits as they are, and write nothing.

    The exit status is 2 if a limit is not met or a document holds a value that is always masked.
    It is also 2 if a document can't be read, if an id or a file name gives a person away, or if so
    many documents share a value that not all pairs can be compared. No value is printed.
    """
    from linkmask import commands

    with progress_bars(quiet or as_json, "detection") as progress:
        found = commands.check_files(source, settings_of(given), progress)
    if as_json:
        click.echo(json.dumps(as_dict(found), indent=2, ensure_ascii=False))
    elif not quiet:
        _print(found)
    if not found.within:
        raise PolicyError(found.verdict())


def _print(found: CorpusChecked) -> None:
    """Print a line for each document over a limit or set aside, without values."""
    for one in found.over:
        click.echo(f"{harmless_text(one.name)}: {'; '.join(one.reasons(found.theta_doc))}")
    for aside in found.set_aside:
        name, reason = harmless_text(aside.document), harmless_text(aside.reason)
        click.echo(f"{name}: set aside at {aside.step}: {reason}")
    if found.within:
        click.echo(f"{count(found.documents, 'document')}: all within the limits")
