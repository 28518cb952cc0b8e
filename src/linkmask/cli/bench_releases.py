"""Commands `bench certify` and `bench kept`: attack a release, and measure what it keeps."""

from __future__ import annotations

import json
from pathlib import Path

import click

from linkmask.cli.options import FILE, JSON


@click.command("certify", epilog="\b\nExample: linkmask bench certify masked --most 0.1")
@click.argument("release", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--most",
    type=click.FloatRange(0, 1),
    help="Limit for the probability that an attacker who reads a document finds another one about "
    "the same person [0.1].",
)
@click.option(
    "--candidates",
    type=click.IntRange(1),
    help="The same limit, as a number of persons to choose from: 5 means --most 0.2.",
)
@click.option(
    "--pairs",
    type=click.IntRange(0),
    default=0,
    help="Number of likeliest pairs to show, with the words that link them [0].",
)
@click.option(
    "--sentence-model",
    "model",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of a sentence model, for the linker and for one more attacker.",
)
@click.option(
    "--background",
    type=click.Path(path_type=Path, exists=True),
    help="Public texts, among which attackers look for each person.",
)
@JSON
def bench_certify(
    release: Path,
    most: float | None,
    candidates: int | None,
    pairs: int,
    model: Path | None,
    background: Path | None,
    as_json: bool,
) -> None:
    """Estimate how often an attacker can tell which masked documents are about one person.

    The status is 2 if a document is above the limit, or a text could not be read.
    """
    from linkmask.errors import PolicyError, UsageError
    from linkmask.testbench.certificate import (
        certificate_lines,
        certify,
        strictest_limit,
        unmet,
    )

    limit = strictest_limit(most, candidates)
    if pairs and background:
        raise UsageError("--pairs shows pairs of documents: leave out --background")
    found = certify(release, limit, pairs, model, background)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo("\n".join(certificate_lines(found)))
    if missed := unmet(found):
        raise PolicyError(missed)


@click.command(
    "kept", epilog="\b\nExample: linkmask bench kept documents masked --questions mine.jsonl"
)
@click.argument("originals", type=click.Path(path_type=Path, exists=True))
@click.argument("release", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--questions",
    type=FILE,
    help="JSONL file of your questions, with keys question and answer, and maybe documents (ids).",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Smallest share of words that must be left; with --questions, of the answers' words [0].",
)
@JSON
def bench_kept(
    originals: Path, release: Path, questions: Path | None, least: float, as_json: bool
) -> None:
    """Measure how much a release leaves to read; the status is 2 if it is less than a limit."""
    from linkmask.errors import PolicyError
    from linkmask.pipeline.answers.questions import read_questions
    from linkmask.testbench.remaining_text import kept, kept_lines

    found = kept(originals, release, read_questions(questions) if questions else ())
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo("\n".join(kept_lines(found)))
    share = found["answers"] if found.get("answers") is not None else found["words"]
    if share < least:
        raise PolicyError(f"{share:.3f} is left, which is less than {least:g}")
