"""Command `recognizers`: checks files of recognizers, and converts those of Presidio."""

from __future__ import annotations

from pathlib import Path

import click

from linkmask.cli.options import ANY
from linkmask.cli.output import say
from linkmask.errors import OutputError, SettingsError


@click.group()
def recognizers() -> None:
    """Check your own recognizers, and convert those of Presidio."""


@recognizers.command(
    "check", epilog="\b\nExample: linkmask recognizers check house.toml -t 'EMP-123456 called'"
)
@click.argument("file", type=ANY)
@click.option("--preset", help="Preset whose entity types the file may name [insurance].")
@click.option("-t", "--text", "texts", multiple=True, help="Show what is found in a text (repeat).")
def recognizers_check(file: Path, preset: str | None, texts: tuple[str, ...]) -> None:
    """Check a file of recognizers: its form, its patterns, its examples and near-misses."""
    from linkmask.config import load
    from linkmask.detect.candidates import Scope
    from linkmask.detect.recognizers.examples import tried
    from linkmask.detect.recognizers.own import own_recognizers
    from linkmask.schema.recognizers import load as load_recognizers

    config = {"recognizers": (str(file),)}
    settings = load(preset=preset, overrides=config)
    own = own_recognizers(settings)
    held = load_recognizers(settings.recognizers)
    wrong = 0
    for row in held.rows:
        kept = "kept" if row.keep else row.type
        size = f", {len(row.values)} values" if row.values else ""
        click.echo(f"{row.id} ({kept}{size})")
        for one in tried(row):
            wrong += not one.right
            mark = "ok   " if one.right else "WRONG"
            said = ", ".join(one.found) or "nothing"
            click.echo(f"  {mark} {'example' if one.wanted else 'near-miss'} {one.text!r}: {said}")
    for text in texts:
        found = own.find(text, Scope()) if own else []
        said = ", ".join(f"{text[f.start : f.end]} ({f.type or 'kept'}, {f.rule})" for f in found)
        click.echo(f"{text!r}: {said or 'nothing'}")
    if wrong:
        raise SettingsError(f"{file}: {wrong} examples or near-misses are wrong; see above")
    silent = [row.id for row in held.rows if not row.examples]
    click.echo(f"{file}: {len(held.rows)} recognizers, {len(held.types)} types of your own.")
    if silent:
        say(f"Without examples: {', '.join(silent)}.")


@recognizers.command(
    "convert", epilog="\b\nExample: linkmask recognizers convert presidio.yaml -o house.toml"
)
@click.argument("file", type=ANY)
@click.option("-o", "--out", type=ANY, help="File to write [standard output].")
@click.option("--preset", help="Preset whose entity types the file may name [insurance].")
@click.option("--overwrite", is_flag=True, help="Replace a file that is there.")
def recognizers_convert(file: Path, out: Path | None, preset: str | None, overwrite: bool) -> None:
    """Write the recognizers of a Presidio YAML file as TOML in the form of linkmask.

    Entity types that linkmask does not know become types of your own, which are always masked.
    Recognizers that Presidio ships are left out, and named in a comment.
    """
    from linkmask.config import load
    from linkmask.schema.converted import toml_of, with_own_types
    from linkmask.schema.presidio import shipped_names
    from linkmask.schema.recognizers import read

    types = load(preset=preset, environment={}).entity_types
    held = with_own_types(read(file), types)
    comments = [f"Converted from {file.name} by linkmask recognizers convert."]
    if left := shipped_names(file):
        comments.append(f"Left out, because Presidio ships them: {', '.join(left)}.")
    text = toml_of(held, comments)
    if out is None:
        click.echo(text, nl=False)
        return
    if out.exists() and not overwrite:
        raise OutputError(f"{out} is there: give another file, or --overwrite")
    out.write_text(text, encoding="utf-8")
    click.echo(f"{out}: {len(held.rows)} recognizers, {len(held.types)} types of your own.")
