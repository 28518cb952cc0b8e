"""Command `recognizers`: checks files of recognizers, and converts those of Presidio."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from linkmask.cli.group import OrderedGroup
from linkmask.cli.options import ANY
from linkmask.cli.output import say
from linkmask.errors import SettingsError
from linkmask.report.wording import count

if TYPE_CHECKING:
    from linkmask.schema.recognizer_rows import Recognizers


@click.group(cls=OrderedGroup)
def recognizers() -> None:
    """Check your own recognizers, and convert those of Presidio."""


@recognizers.command(
    "check", epilog="\b\nExample: linkmask recognizers check examples/recognizers/house.toml"
)
@click.argument("file", type=ANY)
@click.option("--preset", help="Preset whose entity types the file may name [insurance].")
@click.option(
    "-t", "--text", "texts", multiple=True, help="Show what is found in this text (repeatable)."
)
def recognizers_check(file: Path, preset: str | None, texts: tuple[str, ...]) -> None:
    """Check a file of recognizers, and try each one on the examples that the file has."""
    from linkmask import commands

    found = commands.try_recognizers(file, preset, texts)
    for row in found.recognizers.rows:
        kept = "kept" if row.keep else row.type
        size = f", {count(len(row.values), 'value')}" if row.values else ""
        click.echo(f"{row.id} ({kept}{size})")
        for one in found.examples[row.id]:
            mark = "ok   " if one.right else "WRONG"
            values = ", ".join(one.found) or "nothing"
            click.echo(
                f"  {mark} {'example' if one.wanted else 'near-miss'} {one.text!r}: {values}"
            )
    for text, hits in found.texts:
        values = ", ".join(f"{hit.value} ({hit.type or 'kept'}, {hit.rule})" for hit in hits)
        click.echo(f"{text!r}: {values or 'nothing'}")
    if found.wrong:
        raise SettingsError(f"{file}: {found.wrong} examples or near-misses are wrong; see above")
    _print_counts(file, found.recognizers)
    if found.without_examples:
        say(f"Without examples: {', '.join(found.without_examples)}.")


@recognizers.command(
    "convert",
    epilog="\b\nExample: linkmask recognizers convert presidio.yaml -o own.toml",
)
@click.argument("file", type=ANY)
@click.option("-o", "--out", type=ANY, help="File to write [standard output].")
@click.option("--preset", help="Preset whose entity types the file may name [insurance].")
@click.option("--overwrite", is_flag=True, help="Replace a file that is there.")
def recognizers_convert(file: Path, out: Path | None, preset: str | None, overwrite: bool) -> None:
    """Write the recognizers of a Presidio YAML file as TOML.

    An entity type of Presidio that linkmask does not have becomes one of your own types, and is
    always masked. Recognizers that ship with Presidio are left out; a comment names them.
    """
    from linkmask import commands

    converted, text = commands.convert_recognizers(file, out, preset, overwrite)
    if out is None:
        click.echo(text, nl=False)
    else:
        _print_counts(out, converted)


def _print_counts(file: Path, held: Recognizers) -> None:
    rows = count(len(held.rows), "recognizer")
    types = count(len(held.types), "type of your own", "types of your own")
    click.echo(f"{file}: {rows}, {types}.")
