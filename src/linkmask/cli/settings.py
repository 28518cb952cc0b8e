"""Command `settings`: prints the JSON Schema of a settings file, and checks a user's file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from linkmask.cli.group import OrderedGroup
from linkmask.cli.options import ANY


@click.group(cls=OrderedGroup)
def settings() -> None:
    """Print the JSON Schema of a settings file (for --config), and check your own."""


@settings.command("schema", epilog="\b\nExample: linkmask settings schema > linkmask.schema.json")
def settings_schema() -> None:
    """Print the JSON Schema (2020-12) of a settings file, by which editors check what you type."""
    from linkmask.config.described import json_schema

    click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))


@settings.command("check", epilog="\b\nExample: linkmask settings check settings.toml")
@click.argument("file", type=ANY)
def settings_check(file: Path) -> None:
    """Check a settings file; an error names the setting."""
    from linkmask.config import load

    found = load(file, environment={})
    click.echo(f"{file}: settings over preset {found.preset}, all known and in range.")
