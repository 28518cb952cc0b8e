"""Commands `bench links`, `bench filter` and `bench sweep`: vary one thing and compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from linkmask.cli.options import FILE, FOLDER, MODEL_OPTIONS, OUT, QUIET, model_of, options


@click.command("links", epilog="\b\nExample: linkmask bench links examples/insurance -o links/")
@click.argument("corpus", type=FOLDER)
@OUT
@click.option("--config", type=FILE, help="Settings file, such as experiments/rq1.toml.")
@click.option(
    "--mentions",
    multiple=True,
    help="What finds the mentions (repeatable): embedded, presidio, llm, or golden (annotated).",
)
@options(MODEL_OPTIONS)
def bench_links(
    corpus: Path, out: Path, config: Path | None, mentions: tuple[str, ...], **model: Any
) -> None:
    """Compare the links that linkmask finds with the annotated links in CORPUS/golden.json."""
    from linkmask.testbench import link_comparison
    from linkmask.testbench.cells import read_settings
    from linkmask.testbench.missing import holes_are_errors

    asked = read_settings(
        config, link_comparison.LinkComparison, {"mentions": mentions} if mentions else {}
    )
    with holes_are_errors():
        found = link_comparison.compare(corpus, out, asked, model_of(model))
    click.echo(link_comparison.summary_lines(found, asked))


@click.command("filter", epilog="\b\nExample: linkmask bench filter CORPUS -o filter/")
@click.argument("corpus", type=FOLDER)
@OUT
@click.option("--config", type=FILE, help="Settings file, such as experiments/context-filter.toml.")
@options(MODEL_OPTIONS)
@QUIET
def bench_filter(corpus: Path, out: Path, config: Path | None, quiet: bool, **model: Any) -> None:
    """Compare detected with annotated values, for several values of setting `filter_strength`."""
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


@click.command(
    "sweep", epilog="\b\nExample: linkmask bench sweep -o out/ --config experiments/size.toml"
)
@OUT
@click.option(
    "--config", type=FILE, required=True, help="Settings file, such as experiments/size.toml."
)
@options(MODEL_OPTIONS)
@QUIET
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
