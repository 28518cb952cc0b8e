"""Command `generate`: writes benchmark corpora from grammars, or by a language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from linkmask.cli.options import (
    ANY,
    MODEL_OPTIONS,
    OUT,
    OVERWRITE,
    QUIET,
    Options,
    options,
    settings_of,
)
from linkmask.cli.output import say
from linkmask.errors import BudgetSpent, PolicyError, UsageError
from linkmask.report.wording import count

MADE: Options = [
    click.option(
        "--overlap",
        type=click.FloatRange(0, 1),
        help="Share of values that two or more documents contain.",
    ),
    click.option("--persons", type=click.IntRange(1, 5), help="Persons per document [1]."),
    click.option(
        "--decoys",
        type=click.IntRange(0, 20),
        help="Further persons with the same condition and place, for each person [0].",
    ),
    click.option(
        "--jsonl",
        is_flag=True,
        default=None,
        help="Write documents.jsonl and clusters.jsonl, not a file for each document.",
    ),
]
"""For a corpus that no model writes."""

WRITTEN: Options = [
    *MODEL_OPTIONS,
    click.option("--checker", help="Model that checks what --llm-model wrote, on the same server."),
    click.option("--config", type=ANY, help="TOML file with settings for the language model."),
    click.option(
        "--set",
        "pairs",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set one of these settings by its name (repeatable).",
    ),
    click.option("--topic", help="Topic of the texts that a model writes [health insurance]."),
    click.option(
        "--at-once", type=click.IntRange(1, 64), help="Clusters written at the same time [1]."
    ),
    click.option(
        "--attempts",
        type=click.IntRange(1, 1000),
        help="Maximum number of drafts of a cluster [12].",
    ),
    click.option(
        "--lax",
        is_flag=True,
        default=None,
        help="Keep drafts that fail the strict checks (docs/formulas.md, section 13).",
    ),
]
"""For a corpus that a model writes."""

ONLY_MADE = ("overlap", "persons", "decoys", "jsonl")
SHARED = ("documents", "language", "seed")
OF_ORDER = ("language", "seed", "topic", "at_once", "attempts")


@click.command(epilog="\b\nExample: linkmask generate -o corpus/ --documents 1000 --decoys 2")
@OUT
@click.option(
    "--documents",
    type=click.IntRange(10, 1_000_000),
    default=200,
    help="Approximate number of documents [200].",
)
@click.option(
    "--language",
    type=click.Choice(["en", "fr", "both"]),
    default="en",
    help="Language of the texts [en].",
)
@click.option("--seed", type=int, default=0, help="Seed; each seed gives another corpus [0].")
@options(MADE, WRITTEN)
@OVERWRITE
@QUIET
def generate(out: Path, quiet: bool, overwrite: bool, **given: Any) -> None:
    """Generate a made-up corpus with annotations: mentions, persons, links and questions.

    The texts come from grammars and word lists, or with --llm-url from a language model. The exit
    status is 2 if fewer clusters (documents about one person) were written than asked for.
    """
    given = {name: value for name, value in given.items() if value is not None and value != ()}
    made = [name for name in ONLY_MADE if name in given]
    if not given.keys() - {*made, *SHARED}:
        _make(out, quiet, overwrite, given)
    elif made:
        raise UsageError(f"--{made[0]} is for a corpus that no model writes")
    else:
        _author(out, quiet, overwrite, given)


def _make(out: Path, quiet: bool, overwrite: bool, given: dict[str, Any]) -> None:
    from linkmask.testbench.generate import WritingPlan, write

    written = write(out, WritingPlan(**given), overwrite=overwrite)
    if not quiet:
        _print_written(out, written)


def _author(out: Path, quiet: bool, overwrite: bool, given: dict[str, Any]) -> None:
    from linkmask.report.terminal import progress
    from linkmask.testbench.authoring import Order
    from linkmask.testbench.commands import author_corpus

    options = {name: given.pop(name) for name in OF_ORDER if name in given}
    order = Order.of(given.pop("documents"), strict=not given.pop("lax", False), **options)
    checker = given.pop("checker", None)
    with _keeping(out), progress(quiet) as show:
        done, usage = author_corpus(out, order, settings_of(given), checker, overwrite, show)
    if not quiet:
        _print_written(out, done.written)
        for name, n in sorted(done.refused.items()):
            click.echo(f"discarded after {name}: {n}")
        for one in usage:
            tokens = count(one["tokens_in"] + one["tokens_out"], "token")
            click.echo(f"{count(one['requests'], 'request')}, {tokens}")
    if done.given_up:
        raise PolicyError(
            f"{count(done.given_up, 'cluster')} failed in all of {order.attempts} drafts; the same "
            "command with more --attempts goes on"
        )


@contextmanager
def _keeping(out: Path) -> Iterator[None]:
    """Say of work that was stopped that what is finished is there."""
    try:
        yield
    except BudgetSpent as error:
        say(f"Stopped: {error}. Finished clusters are kept in {out}.", "yellow")
        click.get_current_context().exit(3)
    except KeyboardInterrupt:
        say(f"Stopped. Finished clusters are kept in {out}; run the same command to go on.")
        click.get_current_context().exit(130)


def _print_written(out: Path, written: Any) -> None:
    click.echo(
        f"Wrote {count(written.documents, 'document')} about {count(written.persons, 'person')}, "
        f"{count(written.mentions, 'mention')} and {count(written.links, 'link')} to {out}"
    )
