"""Command `bench`: parse, call, print. No logic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)


class Bench(click.Group):
    """`bench CORPUS` runs; `bench report` and `bench diff` look at what was run."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take what is no command for the corpus of `run`."""
        if args and args[0] not in self.commands:
            args = ["run", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Let options of `run` stand before its corpus."""
        if args and args[0].startswith("-") and args[0] not in ("-h", "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=Bench,
    epilog="\b\nExample: linkmask bench examples/insurance -o bench.run",
    subcommand_metavar="CORPUS [OPTIONS] | report RUN | diff A B",
)
def bench() -> None:
    """Attack a corpus with known persons, behind one defence after another; no model needed.

    Cells are kept one by one in the run folder; the same command goes on where it stopped.
    `linkmask bench run --help` lists the options; other subcommands look at what was run.
    """


@bench.command("run", epilog="\b\nExample: linkmask bench examples/insurance -o bench.run")
@click.argument("corpus", type=FOLDER)
@click.option("-o", "--out", "run", type=FOLDER, required=True, help="Run folder to make.")
@click.option("--config", type=FILE, help="Settings file, as those in experiments/.")
@click.option("--defence", "defences", multiple=True, help="Only this (repeat) [all].")
@click.option("--attack", "attacks", multiple=True, help="Only this (repeat) [all].")
@click.option("--retriever", "retrievers", multiple=True, help="bm25, lsa (repeat) [both].")
@click.option("--generator", "generators", multiple=True, help="parrot, extractive, llm [all].")
@click.option("-k", "k", type=click.IntRange(1), help="Documents in the context [3].")
@click.option("--queries", type=click.IntRange(1), help="Queries of an untold attacker [200].")
@click.option("--seed", type=int, help="Seed of what is random [0].")
@click.option("--llm-url", help="OpenAI-compatible server for generator llm.")
@click.option("--llm-model", help="The model's name on that server.")
@click.option("--judge", help="Another model there, to judge, to write for SAGE, to drive agents.")
@click.option("--llm-budget", help="Stop after so much, as 5000 (requests) or 200ktok.")
@click.option("--presidio", help="Interpreter that has Presidio, if this one has not.")
@click.option("--quiet", is_flag=True, help="Print errors only.")
def bench_run(
    corpus: Path,
    run: Path,
    config: Path | None,
    quiet: bool,
    llm_url: str | None,
    llm_model: str | None,
    llm_budget: str | None,
    **given: Any,
) -> None:
    """Fill the table defences × attacks × measures, then write report and CSVs beside it."""
    from linkmask import config as configs
    from linkmask.llm.budget import parse
    from linkmask.report.terminal import progress
    from linkmask.testbench import commands
    from linkmask.testbench.cells import read_grid

    grid = read_grid(config, {k: v for k, v in given.items() if v is not None and v != ()})
    named: dict[str, Any] = {"llm_url": llm_url, "llm_model": llm_model}
    named |= parse(llm_budget) if llm_budget else {}
    settings = configs.load(overrides={k: v for k, v in named.items() if v})
    with progress(quiet) as told:
        commands.run(corpus, run, grid, settings, lambda name, n, of: told("bench", n, of))
    if not quiet:
        click.echo(commands.said(run))


@bench.command("report", epilog="\b\nExample: linkmask bench report bench.run")
@click.argument("run", type=FOLDER)
def bench_report(run: Path) -> None:
    """Write report.html and the CSV files of a run again, from its cells."""
    from linkmask.testbench import commands

    commands.report(run)
    click.echo(commands.said(run))


@bench.command("diff", epilog="\b\nExample: linkmask bench diff before.run after.run")
@click.argument("before", type=FOLDER)
@click.argument("after", type=FOLDER)
@click.option("--tolerance", type=float, default=0.01, help="Smallest change that counts [0.01].")
def bench_diff(before: Path, after: Path, tolerance: float) -> None:
    """Compare two runs figure by figure; exit status 2 when one became worse or was lost."""
    from linkmask.errors import PolicyError
    from linkmask.testbench import commands

    text, worse = commands.compare(before, after, tolerance)
    click.echo(text)
    if worse:
        raise PolicyError(f"{worse} figures became worse or were lost")


@bench.command("links", epilog="\b\nExample: linkmask bench links examples/insurance -o links/")
@click.argument("corpus", type=FOLDER)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--mentions", type=click.Choice(["embedded", "golden"]), default="embedded")
def bench_links(corpus: Path, out: Path, mentions: str) -> None:
    """Compare the links that the graph finds with the golden ones of CORPUS/golden.json."""
    from linkmask.testbench import links

    click.echo(links.said(links.compare(corpus, out, mentions)))
