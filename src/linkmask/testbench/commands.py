"""Does what the commands `bench` and `generate` do with folders and models."""

from __future__ import annotations

from collections.abc import Sequence
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


LINKED = [
    (f"{attack} {head}", ("-", "-", attack, measure))
    for attack in ("linkage", "background", "linker")
    for head, measure in (("rank-1", "rank1"), ("AUC", "auc"))
]
"""Columns for the attacks that link documents: head, and what names the figure."""


def headline_figures(out: Path) -> str:
    """Return the headline figures of a run as lines, without columns and rows that hold none."""
    results = Results(out)
    statuses = [kept["status"] for kept in results.cells.values()]
    system = results.run["grid"]["retrievers"][0], "parrot"
    asked = [
        ("leak", (*system, HEADLINE, "leak")),
        ("ROUGE-1", (*system, "questions", "rouge1")),
    ]
    columns = [("exposure", ("-", "-", "audit", "exposure")), *LINKED, *asked]
    names = results.run["grid"]["defences"]
    found = {(name, head): results.value(name, *at) for name in names for head, at in columns}
    there = {key for key, value in found.items() if value is not None}
    heads = [head for head, _ in columns if any((name, head) in there for name in names)]
    wide = max(len(name) for name in (*names, "defence"))
    lines = [_line("defence", wide, [(head, head) for head in heads])]
    for name in names:
        if any((name, head) in there for head in heads):
            lines.append(_line(name, wide, [(head, _as_text(found[name, head])) for head in heads]))
    if shown := [head for head, _ in asked if head in heads]:
        lines.append(f"{', '.join(shown)}: {', '.join(system)}")
    if results.run["fixed"].get("sentence_model"):
        lines.append("The linker also compares texts by a sentence model.")
    done = statuses.count("done")
    lines += [
        f"{done} cells filled, {len(statuses) - done} with a reason instead.",
        f"Report: {out / 'report.html'}",
    ]
    return "\n".join(lines)


def _line(name: str, wide: int, cells: Sequence[tuple[str, str]]) -> str:
    return " ".join(
        [f"{name:{wide}}", *(f"{text:>{max(7, len(head)) + 1}}" for head, text in cells)]
    )


def _as_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


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
