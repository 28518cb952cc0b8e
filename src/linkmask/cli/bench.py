"""Command `bench`: measures defences against attacks on benchmark corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from linkmask.cli.bench_releases import bench_certify, bench_kept
from linkmask.cli.bench_studies import bench_filter, bench_links, bench_sweep
from linkmask.cli.group import OrderedGroup
from linkmask.cli.options import FILE, FOLDER, MODEL_OPTIONS, QUIET, model_of, options


class Bench(OrderedGroup):
    """`bench CORPUS` runs; `bench report` and `bench diff` look at what was run."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Interpret an argument that is no command as the corpus of `run`."""
        if args and args[0] not in self.commands:
            args = ["run", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Let options of `run` stand before its corpus."""
        if args and args[0].startswith("-") and args[0] not in ("-h", "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Bench, subcommand_metavar="CORPUS -o RUN | COMMAND [ARGS]...")
def bench() -> None:
    """Measure what attackers learn from a corpus whose persons are known (docs/testbench.md).

    `linkmask bench CORPUS` is short for `linkmask bench run CORPUS`.
    """


@bench.command("run", epilog="\b\nExample: linkmask bench examples/insurance -o bench.run")
@click.argument("corpus", type=FOLDER)
@click.option("-o", "--out", "run", type=FOLDER, required=True, help="Run folder to create.")
@click.option("--config", type=FILE, help="Settings file, such as those in experiments/.")
@click.option("--defence", "defences", multiple=True, help="Use this defence (repeatable) [all].")
@click.option("--attack", "attacks", multiple=True, help="Use this attack (repeatable) [all].")
@click.option(
    "--retriever",
    "retrievers",
    multiple=True,
    help="Use this retriever (repeatable) [bm25, lsa, minilm-chroma].",
)
@click.option(
    "--generator",
    "generators",
    multiple=True,
    help="What writes the answers (repeatable): parrot (repeats documents), extractive, llm.",
)
@click.option(
    "-k",
    "k",
    type=click.IntRange(1),
    help="Number of documents that the retriever gives to the generator [3].",
)
@click.option(
    "--queries",
    type=click.IntRange(1),
    help="Number of queries of an attacker who knows nothing of the corpus [200].",
)
@click.option("--seed", type=int, help="Seed of all random choices [0].")
@click.option("--judge", help="Model that grades answers, on the server of --llm-url.")
@click.option("--presidio", help="Python interpreter with Presidio, if this one has none.")
@click.option("--snapshots", help="Earlier run over CORPUS, whose mentions are used again.")
@click.option(
    "--bertscore", help="Model of the measure BERTScore; minilm is a small one [roberta-large]."
)
@click.option(
    "--sentence-model", help="Folder of a sentence model, which the linker then also uses."
)
@options(MODEL_OPTIONS)
@QUIET
def bench_run(
    corpus: Path,
    run: Path,
    config: Path | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Measure each attack against each defence, and write a report and CSV files."""
    from linkmask.report.terminal import progress
    from linkmask.testbench import commands
    from linkmask.testbench.cells import read_grid

    settings = model_of(given)
    grid = read_grid(config, {k: v for k, v in given.items() if v is not None and v != ()})
    with progress(quiet) as show:
        commands.run(corpus, run, grid, settings, lambda name, n, of: show("bench", n, of))
    if not quiet:
        click.echo(commands.headline_figures(run))


@bench.command("report", epilog="\b\nExample: linkmask bench report bench.run")
@click.argument("run", type=FOLDER)
def bench_report(run: Path) -> None:
    """Write report.html and the CSV files of a run again, from its kept results."""
    from linkmask.testbench import commands

    commands.report(run)
    click.echo(commands.headline_figures(run))


@bench.command("diff", epilog="\b\nExample: linkmask bench diff before.run after.run")
@click.argument("before", type=FOLDER)
@click.argument("after", type=FOLDER)
@click.option(
    "--tolerance", type=float, default=0.01, help="Largest change that is ignored [0.01]."
)
def bench_diff(before: Path, after: Path, tolerance: float) -> None:
    """Compare the figures of two runs; the status is 2 if one became worse or is missing."""
    from linkmask.errors import PolicyError
    from linkmask.testbench import commands

    text, worse = commands.compare(before, after, tolerance)
    click.echo(text)
    if worse:
        raise PolicyError(f"{worse} figures became worse or were lost")


@bench.command("average", epilog="\b\nExample: linkmask bench average a.run b.run c.run > mean.csv")
@click.argument("runs", nargs=-1, required=True, type=FOLDER)
def bench_average(runs: tuple[Path, ...]) -> None:
    """Print mean, least and largest of each figure over several runs, as CSV."""
    from linkmask.testbench.outputs import averages_csv

    click.echo(averages_csv(runs), nl=False)


for command in (bench_certify, bench_kept, bench_links, bench_filter, bench_sweep):
    bench.add_command(command)
