"""Command `doctor`: reports what is installed and what it can do."""

from __future__ import annotations

import json

import click

from linkmask.cli.options import JSON
from linkmask.cli.output import as_dict

COLOURS = {"ok": "green", "note": "yellow", "wrong": "red"}


@click.command(epilog="\b\nExample: linkmask doctor")
@JSON
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check the installation and the machine: packages, extras, files, cache, memory, disk.

    The exit status is 1 if something needed is missing or broken.
    """
    from linkmask import commands

    found = commands.diagnose()
    if as_json:
        click.echo(json.dumps([as_dict(one) for one in found], indent=2))
    else:
        for one in found:
            state = click.style(f"{one.state:5}", fg=COLOURS[one.state])
            click.echo(f"{state} {one.topic}: {one.told}")
    if any(one.state == "wrong" for one in found):
        ctx.exit(1)
