"""The picture of docs/linkage.md, drawn from the tables of docs/results/linkage.md."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import NamedTuple

TABLES = Path(__file__).parent / "results" / "linkage.md"
SETS = ("dev25", "old10")

ROWS = {
    "nothing masked": ("nothing masked", "end", -9, 4),
    "by risk alone": ("limits alone", "end", -9, 4),
    "no rare words": ("without rare words", "end", -9, 4),
    "default": ("default", "start", 9, -5),
    "theta_doc 0.6": ("theta_doc 0.6", "end", -9, 4),
    "uniform": ("uniform", "end", -9, 14),
    "release": ("release", "end", -9, -4),
    "everything": ("everything", "middle", 0, 18),
}
"""Row of the tables → its label, the anchor of the label's text, and its offset from the point."""

WIDTH, HEIGHT, LEFT, TOP = 330, 300, 56, 42
SIDE, UP = 264, 210
ANSWERS = (0.7, 1.0)
FOUND = (0.0, 0.9)


class Point(NamedTuple):
    """A way of masking: the general answers it keeps, and what the linker finds (rank-1)."""

    row: str
    answers: float
    found: float


def points(page: str, name: str) -> list[Point]:
    """Return the rows of `ROWS` in the table below the heading of a set."""
    section = page.partition(f"\n### {name}\n")[2].partition("\n##")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [re.split(r"\s*\|\s*", line)[1:-1] for line in lines]
    answers, found = cells[0].index("general"), cells[0].index("rank-1, linker")
    by_row = {row[0]: row for row in cells}
    return [Point(r, float(by_row[r][answers]), float(by_row[r][found])) for r in ROWS]


def svg(page: str) -> str:
    """Return the picture: a panel for each set, one point for each way of masking."""
    panels = [panel(points(page, name), name, at * WIDTH) for at, name in enumerate(SETS)]
    width = WIDTH * len(SETS)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}"'
            f' width="{width}" height="{HEIGHT}" font-family="sans-serif" font-size="11">',
            f'<rect width="{width}" height="{HEIGHT}" fill="#ffffff"/>',
            *chain.from_iterable(panels),
            "</svg>\n",
        ]
    )


def panel(shown: list[Point], name: str, left: int) -> list[str]:
    """Return the elements of one set's panel, whose left edge is at `left`."""
    x0, y0 = left + LEFT, TOP + UP
    elements = [
        f'<text x="{x0}" y="{TOP - 20}" font-size="13" font-weight="bold">{name}</text>',
        f'<path d="M{x0} {TOP}V{y0}H{x0 + SIDE}" fill="none" stroke="#555555"/>',
        f'<text x="{x0 + SIDE}" y="{y0 + 34}" text-anchor="end">general answers kept →</text>',
        f'<text x="{x0}" y="{TOP - 5}">rank-1 of the linker (lower is better)</text>',
    ]
    for tick in (0.7, 0.8, 0.9, 1.0):
        x = x0 + SIDE * share(tick, ANSWERS)
        elements.append(f'<text x="{x:.0f}" y="{y0 + 16}" text-anchor="middle">{tick:.1f}</text>')
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8):
        y = y0 - UP * share(tick, FOUND)
        elements += [
            f'<path d="M{x0} {y:.0f}H{x0 + SIDE}" stroke="#e4e4e4"/>',
            f'<text x="{x0 - 6}" y="{y + 4:.0f}" text-anchor="end">{tick:.1f}</text>',
        ]
    for point in shown:
        label, anchor, right, down = ROWS[point.row]
        x = x0 + SIDE * share(point.answers, ANSWERS)
        y = y0 - UP * share(point.found, FOUND)
        strong = ' font-weight="bold"' if point.row == "default" else ""
        elements += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#2b6cb0"/>',
            f'<text x="{x + right:.1f}" y="{y + down:.1f}"'
            f' text-anchor="{anchor}"{strong}>{label}</text>',
        ]
    return elements


def share(value: float, span: tuple[float, float]) -> float:
    """Return where a value lies in a span: 0 at its beginning, 1 at its end."""
    return (value - span[0]) / (span[1] - span[0])
