"""Command `bench`: measures defences against attacks on benchmark corpora."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkmask.cli.options import MODEL_OPTIONS, options

if TYPE_CHECKING:
    from linkmask.config import Settings

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)


class Bench(click.Group):
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


@click.group(
    cls=Bench,
    epilog="\b\nExample: linkmask bench examples/insurance -o bench.run",
    subcommand_metavar="CORPUS [OPTIONS] | report RUN | diff A B | average RUN… | certify RELEASE "
    "| kept ORIGINALS RELEASE | links … | filter … | sweep …",
)
def bench() -> None:
    """Apply each defence to a corpus whose persons are known, and attack the result.

    The run folder keeps each result, and the same command continues where it stopped.
    `linkmask bench run --help` lists the options; other subcommands report and compare runs.
    """


def model_of(given: dict[str, Any]) -> Settings:
    """Take the options that name a model out of those given; settings with them."""
    from linkmask import config as configs
    from linkmask.llm.budget import parse

    named = {name: given.pop(name) for name in ("llm_url", "llm_model")}
    budget = given.pop("llm_budget")
    named |= parse(budget) if budget else {}
    return configs.load(overrides={k: v for k, v in named.items() if v})


@bench.command("run", epilog="\b\nExample: linkmask bench examples/insurance -o bench.run")
@click.argument("corpus", type=FOLDER)
@click.option("-o", "--out", "run", type=FOLDER, required=True, help="Run folder to create.")
@click.option("--config", type=FILE, help="Settings file, such as those in experiments/.")
@click.option("--defence", "defences", multiple=True, help="Use this defence (repeat) [all].")
@click.option("--attack", "attacks", multiple=True, help="Use this attack (repeat) [all].")
@click.option(
    "--retriever",
    "retrievers",
    multiple=True,
    help="Retriever: bm25, lsa, minilm-chroma, … (repeat).",
)
@click.option(
    "--generator",
    "generators",
    multiple=True,
    help="Generator: parrot, extractive, llm (repeat) [all].",
)
@click.option("-k", "k", type=click.IntRange(1), help="Number of documents in the context [3].")
@click.option(
    "--queries",
    type=click.IntRange(1),
    help="Number of queries of an attacker who knows nothing of the corpus [200].",
)
@click.option("--seed", type=int, help="Seed of all random choices [0].")
@click.option(
    "--judge", help="Second model on the server: grades answers, and acts in sage and rag-thief."
)
@click.option("--presidio", help="Python interpreter with Presidio, if this one has none.")
@click.option("--snapshots", help="Earlier run over CORPUS, whose mentions are used again.")
@click.option("--bertscore", help="Model of BERTScore [roberta-large]; minilm is a small one.")
@options(MODEL_OPTIONS)
@click.option("--quiet", is_flag=True, help="Print errors only.")
def bench_run(
    corpus: Path,
    run: Path,
    config: Path | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Measure every attack against every defence, then write a report and CSV files."""
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
    """Compare two runs by figure; the status is 2 if a figure became worse or is missing."""
    from linkmask.errors import PolicyError
    from linkmask.testbench import commands

    text, worse = commands.compare(before, after, tolerance)
    click.echo(text)
    if worse:
        raise PolicyError(f"{worse} figures became worse or were lost")


@bench.command("average", epilog="\b\nExample: linkmask bench average a.run b.run c.run > mean.csv")
@click.argument("runs", nargs=-1, required=True, type=FOLDER)
def bench_average(runs: tuple[Path, ...]) -> None:
    """Print the mean of each figure over several runs, as CSV."""
    from linkmask.testbench.outputs import averages_csv

    click.echo(averages_csv(runs), nl=False)


@bench.command("certify", epilog="\b\nExample: linkmask bench certify masked --most 0.1")
@click.argument("release", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--most",
    type=click.FloatRange(0, 1),
    help="Largest probability that the linker finds a document's person again [0.1].",
)
@click.option(
    "--candidates",
    type=click.IntRange(1),
    help="Smallest number of persons among whom each is hidden; 5 is the same as --most 0.2.",
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
    help="Folder of a sentence model, by which the linker compares texts as well.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_certify(
    release: Path,
    most: float | None,
    candidates: int | None,
    pairs: int,
    model: Path | None,
    as_json: bool,
) -> None:
    """Run the linker on masked documents; the status is 2 if a document is above the limit."""
    from linkmask.errors import PolicyError
    from linkmask.testbench.certificate import certificate_lines, certify, strictest_limit

    limit = strictest_limit(most, candidates)
    found = certify(release, limit, pairs, model)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo("\n".join(certificate_lines(found)))
    if found["over"] or found["not_read"]:
        raise PolicyError(
            f"for {found['over']} documents, the linker finds another of the same person with a "
            f"probability above {limit:g}; {found['not_read']} documents could not be read"
        )


@bench.command(
    "kept", epilog="\b\nExample: linkmask bench kept documents masked --questions mine.jsonl"
)
@click.argument("originals", type=click.Path(path_type=Path, exists=True))
@click.argument("release", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--questions",
    type=FILE,
    help="Your questions, a JSON object a line: question, answer, and perhaps documents (ids).",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Smallest share of answers (without questions: of words) that must be left [0].",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench_kept(
    originals: Path, release: Path, questions: Path | None, least: float, as_json: bool
) -> None:
    """Measure how much a release leaves to read; the status is 2 if it is less than a limit."""
    from linkmask.errors import PolicyError
    from linkmask.testbench.remaining_text import kept, kept_lines, read_questions

    found = kept(originals, release, read_questions(questions) if questions else ())
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo("\n".join(kept_lines(found)))
    share = found["answers"] if found.get("answers") is not None else found["words"]
    if share < least:
        raise PolicyError(f"{share:.3f} is left, which is less than {least:g}")


@bench.command("links", epilog="\b\nExample: linkmask bench links examples/insurance -o links/")
@click.argument("corpus", type=FOLDER)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--config", type=FILE, help="Settings file, such as experiments/rq1.toml.")
@click.option(
    "--mentions",
    multiple=True,
    help="Source of mentions: embedded, golden, presidio, llm (repeat).",
)
@options(MODEL_OPTIONS)
def bench_links(
    corpus: Path, out: Path, config: Path | None, mentions: tuple[str, ...], **model: Any
) -> None:
    """Compare the links that linkmask finds with those of CORPUS/golden.json."""
    from linkmask.testbench import link_comparison
    from linkmask.testbench.cells import read_settings
    from linkmask.testbench.missing import holes_are_errors

    asked = read_settings(
        config, link_comparison.LinkComparison, {"mentions": mentions} if mentions else {}
    )
    with holes_are_errors():
        found = link_comparison.compare(corpus, out, asked, model_of(model))
    click.echo(link_comparison.summary_lines(found, asked))


@bench.command("filter", epilog="\b\nExample: linkmask bench filter tune_entities -o filter/")
@click.argument("corpus", type=FOLDER)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--config", type=FILE, help="Settings file, such as experiments/context-filter.toml.")
@options(MODEL_OPTIONS)
@click.option("--quiet", is_flag=True, help="Print errors only.")
def bench_filter(corpus: Path, out: Path, config: Path | None, quiet: bool, **model: Any) -> None:
    """Compare values of filter_strength (of the corpus pass) against CORPUS/golden.json."""
    from linkmask.report.terminal import progress
    from linkmask.testbench import tuning
    from linkmask.testbench.cells import read_settings
    from linkmask.testbench.missing import holes_are_errors

    filters = read_settings(config, tuning.Filters, {})
    with holes_are_errors(), progress(quiet) as show:
        tuning.compare_filters(corpus, out, filters, model_of(model), show)
    if not quiet:
        click.echo(
            (out / "filter.csv").read_text(encoding="utf-8") + f"Page: {out / 'filter.html'}"
        )


@bench.command(
    "sweep", epilog="\b\nExample: linkmask bench sweep -o out/ --config experiments/size.toml"
)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option(
    "--config", type=FILE, required=True, help="Settings file, such as experiments/size.toml."
)
@options(MODEL_OPTIONS)
@click.option("--quiet", is_flag=True, help="Print errors only.")
def bench_sweep(out: Path, config: Path, quiet: bool, **model: Any) -> None:
    """Generate corpora that differ in one property, and run the testbench on each."""
    from linkmask.report.terminal import progress
    from linkmask.testbench import sweeps
    from linkmask.testbench.cells import read_settings

    asked = read_settings(config, sweeps.Sweep, {})
    with progress(quiet) as show:
        sweeps.sweep(out, asked, model_of(model), show)
    if not quiet:
        click.echo(f"Page: {out / 'sweep.html'}")
