"""Runs one grid over generated corpora that differ in one property: size or overlap.

    OUT/<what>-<value>/corpus, OUT/<what>-<value>/run    what was written, and a run over it
    OUT/sweep.csv, OUT/sweep.html                        from the cells of those runs alone

The same command goes on where it stopped.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from linkmask.config import Settings
from linkmask.pipeline.release import write_whole
from linkmask.testbench.cells import NEITHER, Grid, checked
from linkmask.testbench.figures import ResultRow
from linkmask.testbench.generate import WritingPlan, write
from linkmask.testbench.grid import Progress, bench, silent
from linkmask.testbench.outputs import FIELDS
from linkmask.testbench.page_parts import Figure, Sheet, sheet_as_html
from linkmask.testbench.pictures import Curve, lines
from linkmask.testbench.result_tables import Results


class Sweep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is varied; a settings file in `experiments/` has the same keys."""

    vary: Literal["documents", "overlap", "persons", "decoys"]
    """What the corpora differ in."""
    values: tuple[float, ...]
    """Its values."""
    plan: dict[str, int | float | str] = {}
    """What they have in common: the options of `linkmask generate`."""
    grid: Grid = Grid()
    """What is run over each."""


SHOWN = (
    ("exposure", NEITHER, "audit", "exposure"),
    ("leak to random words", "", "crawl", "leak"),
    ("documents seen by random words", "", "crawl", "coverage"),
    ("rank-1 among masked documents", NEITHER, "linkage", "rank1"),
    ("rank-1 among decoys of the topic", NEITHER, "linkage", "rank1_decoys"),
    ("rank-1 with one known document", NEITHER, "background", "rank1"),
    ("leak of own questions", "", "questions", "leak"),
    ("ROUGE-1 of own questions", "", "questions", "rouge1"),
)
"""Pictures of a sweep: title, retriever (empty: the first), attack, measure."""


def sweep(
    out: Path, sweep: Sweep, settings: Settings | None = None, progress: Progress = silent
) -> list[tuple[float, list[ResultRow]]]:
    """Write the corpora, run the grid over each, and the tables and pictures of all.

    Raises:
        SettingsError: the plan or the grid names what there is not.
    """
    checked(sweep.grid)
    found = []
    for value in sweep.values:
        folder = out / f"{sweep.vary}-{value:g}"
        if not (folder / "corpus" / "golden.json").is_file():
            write(folder / "corpus", plan_of(sweep, value), overwrite=True)
        bench(
            folder / "corpus", folder / "run", sweep.grid, settings,
            lambda name, n, of, at=f"{value:g} ": progress(at + name, n, of),  # type: ignore[misc]
        )  # fmt: skip
        found.append((value, Results(folder / "run").rows))
    write_whole(out / "sweep.csv", _csv(sweep, found).encode(), 0o644)
    write_whole(out / "sweep.html", _page(sweep, found).encode(), 0o644)
    return found


def plan_of(sweep: Sweep, value: float) -> WritingPlan:
    """Return the plan of one corpus."""
    whole = value if sweep.vary == "overlap" else int(value)
    return msgspec.convert({**sweep.plan, sweep.vary: whole}, WritingPlan)


def _csv(sweep: Sweep, found: Sequence[tuple[float, list[ResultRow]]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([sweep.vary, *FIELDS])
    for value, rows in found:
        for row in rows:
            cells: list[Any] = [getattr(row, name) for name in FIELDS]
            texts = [f"{c:.6f}" if isinstance(c, float) else c or "" for c in cells]
            writer.writerow([f"{value:g}", *texts])
    return out.getvalue()


def _page(sweep: Sweep, found: Sequence[tuple[float, list[ResultRow]]]) -> str:
    common = ", ".join(f"{name} {value}" for name, value in sweep.plan.items())
    facts = f"Generated corpora{f' ({common})' if common else ''}, {sweep.vary} from "
    facts += f"{sweep.values[0]:g} to {sweep.values[-1]:g}; seed {sweep.plan.get('seed', 0)}."
    title = f"What {sweep.vary} {'do' if sweep.vary.endswith('s') else 'does'} to leak and linkage"
    return sheet_as_html(Sheet("generated", title, facts, list(_figures(sweep, found)), []))


def _figures(sweep: Sweep, found: Sequence[tuple[float, list[ResultRow]]]) -> Iterator[Figure]:
    grid = sweep.grid
    for title, retriever, attack, measure in SHOWN:
        at = (NEITHER, NEITHER) if retriever else (grid.retrievers[0], grid.generators[0])
        curves: dict[str, Curve] = {}
        for name in grid.defences:
            key = name, *at, attack, measure
            values = [(x, r.value) for x, rows in found for r in rows if r.key == key]
            if curve := [(x, y) for x, y in values if y is not None]:
                curves[name] = curve
        if curves:
            asking = f"Asked through {at[0]} and {at[1]}, {grid.queries} queries."
            chart = lines(curves, sweep.vary, title, f"{title} by {sweep.vary}", top=1.0,
                          logarithmic=sweep.vary == "documents")  # fmt: skip
            yield Figure(title[0].upper() + title[1:], "" if retriever else asking, chart)
