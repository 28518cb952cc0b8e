"""Writes figures as CSV files, and compares two runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from linkmask.testbench.cells import NEITHER
from linkmask.testbench.result_tables import BETTER, ResultRow, Results

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


def types_csv(results: Results) -> str:
    """Return what the audit reads, by defence and type, as CSV."""
    lines = [f"{d},{t},{left},{total}" for d, t, left, total in results.types()]
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
