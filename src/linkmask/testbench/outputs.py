"""Writes figures as CSV files, compares two runs, and averages several."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from linkmask.errors import UsageError
from linkmask.testbench.attacks import BETTER
from linkmask.testbench.cells import NEITHER
from linkmask.testbench.figures import ResultRow
from linkmask.testbench.result_tables import Results

FIELDS = (
    "defence", "retriever", "generator", "attack", "measure", "value", "low", "high", "status",
    "reason",
)  # fmt: skip


def as_csv(rows: Sequence[ResultRow]) -> str:
    """Return rows as CSV, figures with six digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for row in rows:
        cells = (getattr(row, name) for name in FIELDS)
        writer.writerow([f"{c:.6f}" if isinstance(c, float) else c or "" for c in cells])
    return out.getvalue()


def averages_csv(runs: Sequence[Path]) -> str:
    """Return the mean of each figure over runs, its least and its largest value, as CSV.

    The thesis extracts with a language model three times, and averages what follows. `runs` says
    how many of the runs have the figure: a mean is of these alone.

    Raises:
        UsageError: there are fewer than two runs, or they are of different corpora, settings or
            versions; seeds and snapshots may differ.
    """
    if len(runs) < 2:
        raise UsageError("an average takes two runs or more")
    read = [Results(run) for run in runs]
    refuse_different((one.run["fixed"] for one in read), free=("seed", "snapshots"))
    found: defaultdict[tuple[str, ...], list[float]] = defaultdict(list)
    for one in read:
        for row in one.rows:
            if row.value is not None:
                found[row.key].append(row.value)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*FIELDS[:5], "mean", "least", "largest", "runs"))
    for key, values in found.items():
        figures = (f"{one:.6f}" for one in (fmean(values), min(values), max(values)))
        writer.writerow((*key, *figures, len(values)))
    return out.getvalue()


def refuse_different(fixed: Iterable[dict[str, object]], free: Sequence[str]) -> None:
    """Refuse runs that differ in what their figures depend on.

    Args:
        fixed: what each run's cells depend on.
        free: what they may differ in.

    Raises:
        UsageError: they differ in something else.
    """
    first, *others = ({k: v for k, v in one.items() if k not in free} for one in fixed)
    if different := sorted({k for other in others for k in first if first[k] != other.get(k)}):
        raise UsageError(f"the runs can't be compared: they differ in {', '.join(different)}")


def types_csv(results: Results) -> str:
    """Return what the audit reads, by defence and type, as CSV."""
    lines = [f"{d},{t},{readable},{total}" for d, t, readable, total in results.types()]
    return "\n".join(["defence,type,readable,all", *lines]) + "\n"


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure that differs between two runs; `worse` when in the wrong direction."""

    key: tuple[str, ...]
    before: float
    after: float
    worse: bool


def changes(before: Path, after: Path, tolerance: float) -> tuple[list[FigureChange], list[str]]:
    """Return the figures that differ by more than `tolerance`, and the cells that were lost."""
    old = {row.key: row for row in Results(before).rows}
    new = {row.key: row for row in Results(after).rows}
    found, lost = [], []
    for key, row in old.items():
        now = new.get(key)
        if row.value is None:
            continue
        if now is None or now.value is None:
            lost.append(" ".join(part for part in key if part != NEITHER))
        elif abs(now.value - row.value) > tolerance:
            way = BETTER.get(key[4].partition(" ")[0], 0)
            found.append(FigureChange(key, row.value, now.value, way * (now.value - row.value) < 0))
    return found, lost
