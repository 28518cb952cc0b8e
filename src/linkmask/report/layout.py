"""Places the documents of a graph in a picture: by stress, one component after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from linkmask.records import Floats

STEP = 54.0
"""Length of a link, in the picture's units."""
APART = 26.0
"""Smallest distance of two documents in the picture, if there is room."""
GAP = 44.0
STRIDES = (1, 2, 3, 5, 7)
"""Orders on the starting circle; each may lead to another drawing."""


def layout(n: int, links: Sequence[tuple[int, int]], width: float) -> tuple[Floats, float]:
    """Return the places of `n` nodes, (n, 2), within [0, width] × [0, height], and that height.

    Each connected component is drawn so that distances on paper come close to distances in links
    (stress majorization), the largest first, and the drawings are set in rows.

    Notes:
        O(n³) in the largest component: meant for a hundred nodes or so.

    References:
        E. Gansner, Y. Koren, S. North, "Graph drawing by stress majorization", GD (2004).
    """
    near: list[list[int]] = [[] for _ in range(n)]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    drawn = [_draw_component(part, near, width - GAP) for part in _components(near)]
    return _rows(drawn, n, width)


def _components(near: list[list[int]]) -> list[list[int]]:
    """Return the components, largest first, each in breadth-first order."""
    seen = [False] * len(near)
    parts = []
    for first in range(len(near)):
        if not seen[first]:
            part = list(_distances(first, near))
            for node in part:
                seen[node] = True
            parts.append(part)
    return sorted(parts, key=lambda part: (-len(part), part[0]))


def _distances(first: int, near: list[list[int]]) -> dict[int, int]:
    """Return the links between `first` and every node it reaches, in breadth-first order."""
    away = {first: 0}
    queue = deque([first])
    while queue:
        node = queue.popleft()
        for other in sorted(near[node]):
            if other not in away:
                away[other] = away[node] + 1
                queue.append(other)
    return away


def _draw_component(
    part: list[int], near: list[list[int]], width: float
) -> tuple[list[int], Floats]:
    """Draw one component by itself, its box beginning at (0, 0)."""
    n = len(part)
    if n <= 2:
        return part, np.array([[k * STEP, 0.0] for k in range(n)]).reshape(n, 2)
    place = _spread(STEP * _stress(part, near))
    size = np.ptp(place, axis=0)
    if size[1] > size[0]:
        place, size = place[:, ::-1], size[::-1]
    place = place - place.min(axis=0)
    return part, place * min(1.0, width / max(size[0], 1.0))


def _stress(part: list[int], near: list[list[int]], rounds: int = 80) -> Floats:
    """Return places whose distances fit the graph's: the best of a few starts from a circle."""
    n = len(part)
    number = {node: k for k, node in enumerate(part)}
    ideal = np.zeros((n, n))
    for node in part:
        for other, away in _distances(node, near).items():
            ideal[number[node], number[other]] = away
    weight = np.zeros((n, n))
    apart = ideal > 0
    weight[apart] = ideal[apart] ** -2.0
    inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight, hermitian=True)
    best, least = np.zeros((n, 2)), np.inf
    for stride in STRIDES:
        angle = 2 * np.pi * (np.arange(n) * stride % n + np.arange(n) / n) / n
        place = np.stack([np.cos(angle), np.sin(angle)], axis=1) * ideal.max() / 2
        for _ in range(rounds):
            between = np.linalg.norm(place[:, None] - place[None], axis=2)
            pull = np.where(between > 1e-9, weight * ideal / np.maximum(between, 1e-9), 0.0)
            place = inverse @ ((np.diag(pull.sum(axis=1)) - pull) @ place)
        between = np.linalg.norm(place[:, None] - place[None], axis=2)
        stress = float((weight * (between - ideal) ** 2).sum())
        if stress < least - 1e-6:
            best, least = place, stress
    return best


def _spread(place: Floats, rounds: int = 80) -> Floats:
    """Push apart what lies closer than `APART`."""
    for _ in range(rounds):
        way = place[:, None] - place[None]
        between = np.linalg.norm(way, axis=2)
        np.fill_diagonal(between, np.inf)
        short = np.maximum(APART - between, 0.0)
        if not short.any():
            break
        unit = way / np.maximum(between, 1e-6)[..., None]
        place = place + (unit * short[..., None]).sum(axis=1) * 0.3
    return place


def _rows(drawn: list[tuple[list[int], Floats]], n: int, width: float) -> tuple[Floats, float]:
    """Set the drawings side by side in rows as wide as the picture, centred in their row."""
    place = np.zeros((n, 2))
    rows: list[list[tuple[list[int], Floats]]] = []
    used = width
    for part, where in drawn:
        wide = float(np.ptp(where[:, 0])) + GAP
        if used + wide > width:
            rows.append([])
            used = 0.0
        rows[-1].append((part, where))
        used += wide
    top = 0.0
    for row in rows:
        wide = sum(float(np.ptp(where[:, 0])) + GAP for _, where in row)
        tall = max(float(np.ptp(where[:, 1])) for _, where in row) + GAP
        left = (width - wide) / 2 + GAP / 2
        for part, where in row:
            down = top + (tall - float(np.ptp(where[:, 1]))) / 2
            place[part] = where + np.array([left, down])
            left += float(np.ptp(where[:, 0])) + GAP
        top += tall
    return place, top
