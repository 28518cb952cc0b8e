"""Draws SVG pictures: risk distributions, stacked bars, the document graph.

Colours come from the page by class, so that they follow light, dark and print; nothing is told by
colour alone. Every text that is put in is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import escape

from linkmask.report.layout import layout
from linkmask.report.wording import harmless_text

WIDE = 470.0
LEFT = 6.0
PANEL = 124.0
"""Height of one distribution, its heading and axis included."""
RADIUS = 10.0


@dataclass(frozen=True, slots=True)
class Node:
    """A document of the graph: what it is called; `kind` is over, near, some or calm, by risk."""

    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Tie:
    """A link of the graph by node numbers; `kind` is high, medium, low, weak or gone: not drawn."""

    left: int
    right: int
    kind: str
    label: str


# ── distributions ───────────────────────────────────────────────────────────────────────────────


def histograms(
    name: str,
    title: str,
    panels: Sequence[tuple[str, Sequence[int]]],
    marks: Mapping[str, float],
) -> str:
    """Draw distributions over [0, 1] below each other, to one scale, with limits marked.

    `panels`: (heading, count per bin of equal width); `marks`: label → place in [0, 1].
    """
    most = max([1, *(n for _, bins in panels for n in bins)])
    tall = PANEL * len(panels) + 26
    description = "; ".join(f"{head}: {_in_words(bins)}" for head, bins in panels)
    parts = [
        _mark(at, label, PANEL * len(panels))
        for label, at in sorted(marks.items(), key=lambda mark: mark[1])
    ]
    parts += [_panel(k * PANEL + 14, head, bins, most) for k, (head, bins) in enumerate(panels)]
    ticks = "".join(
        f'<text class="tick" x="{_x(v / 5):.1f}" y="{tall - 2:.1f}" text-anchor="middle">'
        f"{v / 5:g}</text>"
        for v in range(6)
    )
    return _svg(name, title, description, WIDE, tall, "".join(parts) + ticks)


def _panel(top: float, heading: str, bins: Sequence[int], most: int) -> str:
    base = top + PANEL - 18
    room = PANEL - 52
    step = (_x(1.0) - _x(0.0)) / max(len(bins), 1)
    bars = []
    for k, n in enumerate(bins):
        if n:
            tall = max(room * n / most, 1.5)
            x = _x(0.0) + k * step
            bars.append(
                f'<rect class="bar" x="{x + 1:.1f}" y="{base - tall:.1f}" '
                f'width="{step - 2:.1f}" height="{tall:.1f}"/>'
                f'<text class="count" x="{x + step / 2:.1f}" y="{base - tall - 3:.1f}" '
                f'text-anchor="middle">{compact(n)}</text>'
            )
    line = f'<path class="axis" d="M{_x(0):.1f} {base:.1f}H{_x(1):.1f}"/>'
    head = f'<text class="head" x="{_x(0):.1f}" y="{top + 8:.1f}">{_safe(heading)}</text>'
    return head + line + "".join(bars)


def _mark(at: float, label: str, bottom: float) -> str:
    x = _x(at)
    anchor = "end" if at > 0.5 else "start"
    shift = -4 if at > 0.5 else 4
    return (
        f'<path class="limit" d="M{x:.1f} 4V{bottom - 4:.1f}"/>'
        f'<text class="mark" x="{x + shift:.1f}" y="12" text-anchor="{anchor}">'
        f"{_safe(label)}</text>"
    )


def _x(value: float) -> float:
    return LEFT + 4 + value * (WIDE - 2 * LEFT - 8)


def _in_words(bins: Sequence[int]) -> str:
    """Say a distribution: where its mass lies, for those who do not see it."""
    total = sum(bins)
    if not total:
        return "none"
    width = 1 / len(bins)
    held = [(k, n) for k, n in enumerate(bins) if n]
    return ", ".join(f"{n:,} from {k * width:.2f} to {(k + 1) * width:.2f}" for k, n in held)


def compact(number: int) -> str:
    """Return a count in at most four characters: 999, 1.2k, 35k, 1.2M."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            value = number / size
            return f"{value:.1f}{unit}" if value < 9.95 else f"{value:.0f}{unit}"
    return str(number)


# ── bars ────────────────────────────────────────────────────────────────────────────────────────


def bar(parts: Iterable[tuple[str, int]], most: int) -> str:
    """Draw one stacked bar: (class, count) one after another, `most` filling the whole width.

    It only repeats the numbers beside it, so readers that do not see it are spared it.
    """
    at = 0.0
    pieces = []
    for kind, n in parts:
        wide = 100.0 * n / max(most, 1)
        if n:
            pieces.append(f'<rect class="{kind}" x="{at:.2f}" width="{wide:.2f}" height="10"/>')
        at += wide
    return (
        '<svg class="stack" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" '
        f'focusable="false">{"".join(pieces)}</svg>'
    )


# ── graph ───────────────────────────────────────────────────────────────────────────────────────


def graphs(
    name: str,
    states: Sequence[tuple[str, str, Sequence[Node], Sequence[Tie]]],
    width: float = 560.0,
) -> list[str]:
    """Draw one graph in several states, (title, description, nodes, links), places unchanged.

    Places come from the first state's links. Nodes are numbered from 1, as the key beside them.
    """
    _, _, nodes, ties = states[0]
    found, tall = layout(len(nodes), [(tie.left, tie.right) for tie in ties], width)
    place: list[list[float]] = found.tolist()
    pictures = []
    for k, (title, description, nodes_now, ties_now) in enumerate(states):
        edges = [tie for tie in ties_now if tie.kind != "gone"]
        lines = [_line(tie, place) for tie in sorted(edges, key=lambda tie: tie.kind != "weak")]
        dots = [_dot(n, node, place[n]) for n, node in enumerate(nodes_now)]
        body = "".join(lines + dots)
        pictures.append(_svg(f"{name}-{k}", title, description, width, max(tall, 60.0), body))
    return pictures


def _line(tie: Tie, place: Sequence[Sequence[float]]) -> str:
    (a, b), (c, d) = place[tie.left], place[tie.right]
    return (
        f'<path class="link {tie.kind}" d="M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}">'
        f"<title>{_safe(tie.label)}</title></path>"
    )


def _dot(number: int, node: Node, place: Sequence[float]) -> str:
    x, y = place
    return (
        f'<g class="node {node.kind}"><title>{_safe(node.label)}</title>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}"/>'
        f'<text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle">{number + 1}</text></g>'
    )


def _svg(name: str, title: str, description: str, width: float, height: float, body: str) -> str:
    return (
        f'<svg class="picture" role="img" aria-labelledby="{name}-t {name}-d" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" preserveAspectRatio="xMidYMid meet">'
        f'<title id="{name}-t">{_safe(title)}</title>'
        f'<desc id="{name}-d">{_safe(description)}</desc>{body}</svg>'
    )


def _safe(text: str) -> str:
    return str(escape(harmless_text(text)))
