"""Draws SVG pictures: points with intervals, lines, and a map of squares.

Names drawn are those of defences, attacks and settings; nothing of a document comes here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDE, TALL, EDGE = 820, 460, 56
COLOURS = ("#2272b4", "#b3261e", "#128277", "#8a5a00", "#6a4c9c", "#5d6771", "#1a6e33", "#c2571a")
DASHES = ("", "7 4", "2 3", "10 3 2 3")

Curve = Sequence[tuple[float, float]]
"""Points (x, y) from left to right."""


@dataclass(frozen=True)
class Point:
    """A point with its name, its group (points of one are joined), and intervals if known."""

    name: str
    group: str
    x: float
    y: float
    across: tuple[float, float] | None = None
    up: tuple[float, float] | None = None


@dataclass(frozen=True)
class Frame:
    """Where values lie on the picture: x from `left` to `right`, y from `low` to `high`."""

    left: float
    right: float
    low: float
    high: float
    logarithmic: bool = False

    def x(self, value: float) -> float:
        """Return the place across of a value."""
        left, right = self.left, self.right
        if self.logarithmic:
            value, left, right = (math.log(max(v, 1e-9)) for v in (value, left, right))
        return EDGE + (value - left) / ((right - left) or 1.0) * (WIDE - 2 * EDGE)

    def y(self, value: float) -> float:
        """Return the place upwards of a value."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return TALL - EDGE - share * (TALL - 2 * EDGE)

    def axes(self, across: str, up: str, ticks: Sequence[float] = ()) -> list[str]:
        """Return grid lines, numbers and names of the axes."""
        parts = []
        steps = [step / 5 for step in range(6)]
        tenths = round(10 * (self.high - self.low))
        rows = tenths if self.high <= 1 and 3 <= tenths <= 10 else 5
        for row in range(rows + 1):
            value = self.low + row / rows * (self.high - self.low)
            y = self.y(value)
            label = f"{value:.2f}" if self.high <= 1 else f"{value:g}"
            parts += [
                f'<line class="grid" x1="{EDGE}" x2="{WIDE - EDGE}" y1="{y:.1f}" y2="{y:.1f}"/>',
                f'<text class="soft" x="{EDGE - 8}" y="{y + 4:.1f}" text-anchor="end">{label}'
                "</text>",
            ]
        for tick in ticks or [self.left + share * (self.right - self.left) for share in steps]:
            parts.append(
                f'<text class="soft" x="{self.x(tick):.1f}" y="{TALL - EDGE + 18}" '
                f'text-anchor="middle">{tick:,.6g}</text>'
            )
        return [
            *parts,
            f'<text x="{WIDE / 2}" y="{TALL - 14}" text-anchor="middle">{escape(across)}</text>',
            f'<text x="{EDGE}" y="{EDGE - 18}">{escape(up)}</text>',
        ]


def points(some: Sequence[Point], across: str, up: str, title: str) -> str:
    """Draw numbered points with bars for their intervals; points of one group are joined."""
    lows = [one.up[0] if one.up else one.y for one in some]
    highs = [one.up[1] if one.up else one.y for one in some]
    rights = [one.across[1] if one.across else one.x for one in some]
    frame = Frame(
        0.0,
        math.ceil(10 * max(rights, default=1.0)) / 10,
        math.floor(10 * min(lows, default=0.0)) / 10,
        math.ceil(10 * max(highs, default=1.0)) / 10,
    )
    groups = list(dict.fromkeys(one.group for one in some))
    tones = {group: COLOURS[n % len(COLOURS)] for n, group in enumerate(groups)}
    parts = frame.axes(across, up)
    for group in groups:
        joined = sorted((one.x, one.y) for one in some if one.group == group)
        if len(joined) > 1:
            parts.append(_line(frame, joined, tones[group], opacity=0.5))
    marks: list[str] = []
    taken = [(frame.x(one.x), frame.y(one.y)) for one in some]
    rows, step = _key([one.name for one in some])
    for number, one in enumerate(some, 1):
        colour, (px, py) = tones[one.group], taken[number - 1]
        if one.across:
            parts.append(_bar(frame.x(one.across[0]), py, frame.x(one.across[1]), py, colour))
        if one.up:
            parts.append(_bar(px, frame.y(one.up[0]), px, frame.y(one.up[1]), colour))
        at = _free(px, py, taken)
        taken.append(at)
        column, line = divmod(number - 1, rows)
        marks += [
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4.5" fill="{colour}"/>',
            f'<text x="{at[0]:.1f}" y="{at[1] + 4:.1f}" text-anchor="middle" '
            f'style="fill:{colour};font-weight:600">{number}</text>',
            f'<text x="{EDGE / 2 + column * step:.0f}" y="{TALL + 16 + 17 * line}" '
            f'style="fill:{colour};font-size:11px">{number} {escape(one.name)}</text>',
        ]
    return _svg([*parts, *marks], title, TALL + 17 * rows + 12)


def lines(
    curves: Mapping[str, Curve],
    across: str,
    up: str,
    title: str,
    *,
    top: float | None = None,
    logarithmic: bool = False,
    level: Mapping[str, float] | None = None,
) -> str:
    """Draw curves by name, with level lines where there are any.

    Curves named "a, b" share a colour by `a` and a dash by `b`.
    """
    xs = sorted({x for curve in curves.values() for x, _ in curve})
    ys = [y for curve in curves.values() for _, y in curve] + list((level or {}).values())
    most = top if top is not None else _round(max(ys, default=1.0))
    frame = Frame(xs[0] if xs else 0.0, xs[-1] if xs else 1.0, 0.0, most, logarithmic)
    parts = frame.axes(across, up, xs if len(xs) <= 12 else ())
    names = [name.partition(", ") for name in curves]
    first = list(dict.fromkeys(name for name, _, _ in names))
    second = list(dict.fromkeys(name for _, _, name in names))
    key: list[tuple[str, str, str]] = []
    for (name, curve), (one, _, other) in zip(curves.items(), names, strict=True):
        colour = COLOURS[first.index(one) % len(COLOURS)]
        dash = DASHES[second.index(other) % len(DASHES)]
        parts.append(_line(frame, curve, colour, dash))
        parts += [
            f'<circle cx="{frame.x(x):.1f}" cy="{frame.y(y):.1f}" r="2.5" fill="{colour}"/>'
            for x, y in curve
        ]
        key.append((name, colour, dash))
    for name, value in (level or {}).items():
        ends = [(frame.left, value), (frame.right, value)]
        parts.append(_line(frame, ends, COLOURS[5], DASHES[2]))
        key.append((name, COLOURS[5], DASHES[2]))
    rows, step = _key([name for name, _, _ in key])
    for number, (name, colour, dash) in enumerate(key):
        column, line = divmod(number, rows)
        x, y = EDGE / 2 + column * step, TALL + 14 + 17 * line
        parts += [
            f'<line x1="{x}" x2="{x + 22}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" '
            f'stroke-width="2" stroke-dasharray="{dash}"/>',
            f'<text x="{x + 28}" y="{y}" style="fill:{colour};font-size:11px">{escape(name)}'
            "</text>",
        ]
    return _svg(parts, title, TALL + 17 * rows + 12)


def squares(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float]],
    down: str, across: str, title: str,
) -> str:  # fmt: skip
    """Draw a table of values in [0, 1] as squares, the darker the larger."""
    side = min(56.0, (WIDE - 120) / max(1, len(columns)))
    high = 30.0
    parts = [
        f'<text x="100" y="16">{escape(across)} →</text>',
        f'<text x="10" y="34">{escape(down)} ↓</text>',
    ]
    for n, name in enumerate(columns):
        x = 100 + (n + 0.5) * side
        parts.append(f'<text class="soft" x="{x:.1f}" y="34" text-anchor="middle">{name}</text>')
    for r, (name, row) in enumerate(zip(rows, values, strict=True)):
        y = 42 + r * high
        parts.append(f'<text class="soft" x="90" y="{y + 20}" text-anchor="end">{name}</text>')
        for n, value in enumerate(row):
            x = 100 + n * side
            ink = "#fff" if value > 0.55 else "var(--ink)"
            parts += [
                f'<rect x="{x:.1f}" y="{y}" width="{side - 2:.1f}" height="{high - 2}" '
                f'fill="{COLOURS[0]}" fill-opacity="{0.06 + 0.94 * value:.3f}"/>',
                f'<text x="{x + side / 2 - 1:.1f}" y="{y + 19}" text-anchor="middle" '
                f'style="fill:{ink}">{value:.2f}</text>',
            ]
    return _svg(parts, title, int(52 + high * len(rows)))


def _key(names: Sequence[str]) -> tuple[int, float]:
    """Return the rows of a key and how far apart its columns are: as many as the names leave."""
    longest = 6.0 * max(map(len, names), default=1) + 42
    columns = max(1, min(5, int((WIDE - EDGE / 2) / longest)))
    return max(1, -(-len(names) // columns)), (WIDE - EDGE / 2) / columns


def _round(most: float) -> float:
    """Return a round number not below the largest value."""
    if most <= 0:
        return 1.0
    unit = 10.0 ** math.floor(math.log10(most))
    return float(next(s * unit for s in (1, 2, 2.5, 5, 10) if s * unit >= most * 0.9999))


def _line(frame: Frame, curve: Curve, colour: str, dash: str = "", opacity: float = 1.0) -> str:
    places = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in curve)
    return (
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2" '
        f'stroke-opacity="{opacity}" stroke-dasharray="{dash}"/>'
    )


def _free(x: float, y: float, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return a place near a point where no other mark is."""
    for far in range(13, 200, 7):
        for turn in range(12):
            angle = math.pi * (turn / 6 - 0.25)
            at = x + far * math.cos(angle), y - far * math.sin(angle)
            if all(abs(at[0] - a) > 15 or abs(at[1] - b) > 12 for a, b in taken):
                return at
    return x, y


def _bar(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        'stroke-opacity=".3" stroke-width="1.5"/>'
    )


def _svg(parts: Sequence[str], title: str, tall: int) -> str:
    return (
        f'<svg viewBox="0 0 {WIDE} {tall}" role="img" aria-label="{escape(title)}" width="100%">'
        f"{''.join(parts)}</svg>"
    )
