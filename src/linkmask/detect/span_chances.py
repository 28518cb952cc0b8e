"""Weighs what is seen of spans by learned weights: three logistic regressions (docs/detect.md).

`training/resolver.py` makes the weights (`resolver.npz`): whole numbers, so that sums are the same
on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from linkmask.detect.span_features import Key, names
from linkmask.records import Floats

FILE = Path(__file__).with_name("resolver.npz")
REMEMBERED = 1 << 16
"""Keys whose sums are kept, and decisions."""
TARGETS = ("exact", "typed", "any")
"""What the chances are of: a span has the span and the type of a value; it touches a value of its
type; the share of its characters that belong to a value of any type."""


class Chances:
    """The learned weights, with the sums of the keys met last.

    They have the shape (features, types, targets); `row` has the place of each feature.
    """

    def __init__(self, path: Path = FILE) -> None:
        with np.load(path, allow_pickle=False) as stored:
            meta = json.loads(bytes(stored["meta"]).decode())
            self._weights = stored["weights"].astype(np.int32)
        self._unit: float = meta["unit"]
        self.row: dict[str, int] = {name: row for row, name in enumerate(meta["names"])}
        self._type = {name: column for column, name in enumerate(meta["types"])}
        self.decisions: dict[Any, Any] = {}  # what was decided by these weights (`resolve`)
        self._sum = lru_cache(REMEMBERED)(self._weigh)

    def of(self, spans: Sequence[tuple[str, Sequence[Key]]]) -> Floats:
        """Return the chances in [0, 1] of spans, each a type and keys: shape (spans, targets).

        A type or a feature that was not learned adds nothing.
        """
        if not spans:
            return np.zeros((0, len(TARGETS)))
        weight = self._sum
        sums = np.array([weight(kind, key) for kind, keys in spans for key in keys])
        sizes = np.array([len(keys) for _, keys in spans])
        total = np.add.reduceat(sums, np.cumsum(sizes) - sizes, axis=0)
        return 1 / (1 + np.exp(-np.clip(total * self._unit, -30, 30)))

    def _weigh(self, kind: str, key: Key) -> tuple[int, ...]:
        """Return the sums of the weights of a key's features for a type, by target."""
        rows = [row for name in names(key) if (row := self.row.get(name)) is not None]
        if kind not in self._type:
            return (0,) * len(TARGETS)
        return tuple(self._weights[rows, self._type[kind]].sum(0).tolist())


@cache
def shipped() -> Chances:
    """Return the shipped weights, read once per process."""
    return Chances()
