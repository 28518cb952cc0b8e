"""Prints tables for people, JSON for programs, and warnings on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkmask.report.wording import count

if TYPE_CHECKING:
    from linkmask.records import Audit


DETECTION = "word lists, recognizers and the tagger"
"""What a command that detects loads first."""
RUN = "the run"
"""What a command on a run loads first."""


WHOLE_ROW = 1000
"""Columns of a console without a terminal: more than any row of a policy has."""


def say(text: str, colour: str | None = None) -> None:
    """Print a line on stderr."""
    click.secho(text, fg=colour, err=True)


def console(whole: bool = False) -> Any:
    """Return rich's console for stdout; with `whole`, rows are not cut in a pipe or file."""
    from rich.console import Console

    to_terminal = Console(highlight=False)
    if whole and not to_terminal.is_terminal:
        return Console(highlight=False, width=WHOLE_ROW)
    return to_terminal


def progress_bars(silent: bool, loading: str) -> Any:
    """Return a context whose value draws progress bars on stderr, or none.

    A message about loading comes first, before slow imports.
    """
    if not silent:
        say(f"Loading {loading} …")
    from linkmask.report.terminal import progress

    return progress(silent)


def print_summary(
    audit: Audit, as_json: bool, quiet: bool, out: Path | None, run: Path | None = None
) -> None:
    """Print what was done, as a table or as JSON, and where it and its run lie."""
    if as_json:
        click.echo(json.dumps(as_dict(audit), indent=2))
    elif not quiet:
        from linkmask.report.terminal import summary

        console().print(summary(audit))
        if out is not None:
            click.echo(f"\nDocuments: {out / 'documents'}\nReport:    {out / 'report.html'}")
        if run is not None:
            click.echo(f"Run:       {run} (private: it holds what was masked)")


def print_cost(stages: dict[str, dict[str, int]], as_json: bool) -> None:
    """Print what a language model would be asked, by stage."""
    if as_json:
        click.echo(json.dumps(stages, indent=2))
        return
    for stage, cost in stages.items():
        click.echo(
            f"{stage}: {count(cost['requests'], 'request')}, {cost['cached']:,} of them answered "
            f"before; for the rest about {count(cost['tokens_in'], 'token')} to read, "
            f"at most {cost['tokens_out']:,} to write"
        )
    if "stage2" in stages:
        click.echo("stage2 depends on what stage1 finds: its tokens are a guess.")
    if "rewrite" in stages:
        click.echo("rewrite is counted as if every document held a masked value.")


def print_findings(findings: list[Any]) -> None:
    """Print what verification found."""
    from linkmask.report.terminal import findings_table

    console().print(findings_table(findings))


def print_related(related: Sequence[Any], run_folder: Path) -> None:
    """Print entities that may also belong to a forgotten person, and how to forget them."""
    one = "entity links these documents to others, or contains a forgotten value"
    several = "entities link these documents to others, or contain a forgotten value"
    click.echo(f"\nNot forgotten: {count(len(related), one, several)}; maybe of the same person.")
    for row in related:
        click.echo(f"  {row.type} {row.entity} in {count(row.documents, 'other document')}")
    every = " ".join(f"--subject {one.entity}" for one in related)
    click.echo(
        f"To forget all of it, with every document it stands in:\n"
        f"  linkmask forget {run_folder} {every}"
    )


def as_dict(record: Any) -> Any:
    """Return a record as what JSON can hold."""
    from dataclasses import asdict

    return asdict(record)


def finish(audit: Audit, allow_unmet: bool, quiet: bool = False) -> None:
    """Print what a run fell short of; leave with status 2 where this counts."""
    from linkmask.report.shortcomings import shortcomings

    found = list(shortcomings(audit))
    for one in [] if quiet else found:
        say(one.line, "yellow")
    effects = {one.effect for one in found}
    if "set_aside" in effects or ("unmet" in effects and not allow_unmet):
        sys.exit(2)
