"""Does what the commands `bench` and `generate` do with folders and models."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from linkmask.config import Settings
from linkmask.pipeline.release import write_whole
from linkmask.testbench.authoring import Authored, Order, write
from linkmask.testbench.cells import Grid
from linkmask.testbench.figures import HEADLINE
from linkmask.testbench.grid import Progress, bench, silent
from linkmask.testbench.markdown import tables_in_markdown
from linkmask.testbench.outputs import as_csv, changes, refuse_different, types_csv
from linkmask.testbench.result_tables import Results


def run(
    corpus: Path,
    out: Path,
    grid: Grid,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> None:
    """Fill a run's cells and write its report."""
    bench(corpus, out, grid, settings, progress)
    report(out)


def report(out: Path) -> None:
    """Write report.html, the CSV files and tables.md from a run's cells."""
    from linkmask.testbench.page import render

    results = Results(out)
    write_whole(out / "report.html", render(results).encode(), 0o644)
    write_whole(out / "results.csv", as_csv(results.rows).encode(), 0o644)
    write_whole(out / "differences.csv", as_csv(list(results.comparisons())).encode(), 0o644)
    write_whole(out / "types.csv", types_csv(results).encode(), 0o644)
    write_whole(out / "tables.md", tables_in_markdown(results).encode(), 0o644)


def headline_figures(out: Path) -> str:
    """Return the headline figures of a run as lines."""
    results = Results(out)
    known = {row.key: row.value for row in results.rows}
    statuses = [kept["status"] for kept in results.cells.values()]
    retriever, generator = results.run["grid"]["retrievers"][0], "parrot"
    wide = max(len(name) for name in (*results.run["grid"]["defences"], "defence"))
    lines = [f"{'defence':{wide}} {'exposure':>9} {'leak':>7} {'ROUGE-1':>8}"]
    for name in results.run["grid"]["defences"]:
        figures = (
            known.get((name, "-", "-", "audit", "exposure")),
            known.get((name, retriever, generator, HEADLINE, "leak")),
            known.get((name, retriever, generator, "questions", "rouge1")),
        )
        if any(value is not None for value in figures):
            texts = ("–" if value is None else f"{value:.3f}" for value in figures)
            lines.append("{:{}} {:>9} {:>7} {:>8}".format(name, wide, *texts))
    done = statuses.count("done")
    lines += [
        f"leak, ROUGE-1: {retriever}, {generator}",
        f"{done} cells filled, {len(statuses) - done} with a reason instead.",
        f"Report: {out / 'report.html'}",
    ]
    return "\n".join(lines)


def compare(before: Path, after: Path, tolerance: float) -> tuple[str, int]:
    """Return what changed between two runs as text, and how many figures are worse or lost.

    Raises:
        UsageError: the runs are of different corpora or settings.
    """
    fixed = (Results(path).run["fixed"] for path in (before, after))
    refuse_different(fixed, free=("version", "snapshots"))
    found, lost = changes(before, after, tolerance)
    lines = [
        f"{'worse' if change.worse else 'changed'}: {' '.join(k for k in change.key if k != '-')} "
        f"{change.before:.3f} → {change.after:.3f}"
        for change in sorted(found, key=lambda change: (not change.worse, change.key))
    ] + [f"lost: {name}" for name in lost]
    return "\n".join(lines or ["No figure differs."]), sum(c.worse for c in found) + len(lost)


def author_corpus(
    out: Path,
    order: Order,
    settings: Settings,
    checker: str | None = None,
    overwrite: bool = False,
    progress: Progress = silent,
) -> tuple[Authored, list[dict[str, Any]]]:
    """Have the model of the settings write a corpus; return what is there, and what was asked.

    Args:
        checker: name of another model on the server, which checks what the first one wrote.

    Returns:
        The corpus, and the usage of each model: `requests`, `tokens_in`, `tokens_out` and others.

    Raises:
        OutputError, ModelError, SettingsError: see `authoring.write` and `llm.connect`.
    """
    from linkmask import llm

    with ExitStack() as open_models:
        named = [settings, replace(settings, llm_model=checker)] if checker else [settings]
        models = [open_models.enter_context(llm.connect(each)) for each in named]
        second = (models[1], checker) if checker else None
        done = write(
            out, order, models[0], settings, checker=second, overwrite=overwrite, progress=progress
        )
        return done, [model.usage.as_data() for model in models]
