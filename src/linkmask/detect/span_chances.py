"""Weighs what is seen of spans by learned weights: three logistic regressions (docs/detect.md).

`training/resolver.py` makes the weights (`resolver.npz`): whole numbers, so that sums are the same
on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from linkmask.detect.span_features import Key, names
from linkmask.records import Floats

FILE = Path(__file__).with_name("resolver.npz")
REMEMBERED = 1 << 15
"""Keys whose sums are kept; when more are met, all are dropped."""
TARGETS = ("exact", "typed", "any")
"""What the chances are of: a span has the span and the type of a value; it touches a value of its
type; the share of its characters that belong to a value of any type."""


class Chances:
    """The learned weights, and the sums of those that were met.

    `names` are the features, `types` the types, in the order of the weights: (features, types,
    targets), in units of `unit`.
    """

    def __init__(self, path: Path = FILE) -> None:
        with np.load(path, allow_pickle=False) as stored:
            meta = json.loads(bytes(stored["meta"]).decode())
            self._weights = stored["weights"].astype(np.int32)
        self.names: list[str] = meta["names"]
        self._unit: float = meta["unit"]
        self._row = {name: row for row, name in enumerate(self.names)}
        self._type = {name: column for column, name in enumerate(meta["types"])}
        self._lock = Lock()
        self._decisions: dict[frozenset[str], dict[Any, Any]] = {}
        self._forget()

    def _forget(self) -> None:
        self._sums = _Sums(), np.zeros((1 << 10, *self._weights.shape[1:]), np.int32)

    def decisions(self, floor: frozenset[str]) -> dict[Any, Any]:
        """Return where decisions by these weights are kept under a floor; some thousand are."""
        kept = self._decisions.setdefault(floor, {})
        if len(kept) > REMEMBERED:
            kept = self._decisions[floor] = {}
        return kept

    def of(self, spans: Sequence[tuple[str, Sequence[Key]]]) -> Floats:
        """Return the chances in [0, 1] of spans, each a type and keys: shape (spans, targets).

        A type or a feature that was not learned adds nothing.
        """
        with self._lock:
            if len(self._sums[0]) > REMEMBERED:
                self._forget()
            numbers = self._sums[0]
            of = np.array([numbers[key] for _, keys in spans for key in keys], np.intp)
            self._learn(numbers)
            sums = self._sums[1]
        sizes = np.array([len(keys) for _, keys in spans])
        kind = np.repeat(np.array([self._type.get(kind, -1) for kind, _ in spans]), sizes)
        weighed = np.where(kind[:, None] >= 0, sums[of, kind], 0)
        total = np.add.reduceat(weighed, np.cumsum(sizes) - sizes, axis=0)
        return 1 / (1 + np.exp(-np.clip(total * self._unit, -30, 30)))

    def _learn(self, numbers: _Sums) -> None:
        """Sum up the weights of the keys met for the first time."""
        sums = self._sums[1]
        while len(numbers) > len(sums):
            sums = np.concatenate([sums, np.zeros_like(sums)])
        for key in numbers.fresh:
            rows = [row for name in names(key) if (row := self._row.get(name)) is not None]
            sums[numbers[key]] = self._weights[rows].sum(0)
        numbers.fresh.clear()
        self._sums = numbers, sums


class _Sums(dict[Key, int]):
    """Key → its number, the next one if it is met for the first time."""

    def __init__(self) -> None:
        self.fresh: list[Key] = []

    def __missing__(self, key: Key) -> int:
        self[key] = number = len(self)
        self.fresh.append(key)
        return number


@cache
def shipped() -> Chances:
    """Return the shipped weights, read once per process."""
    return Chances()
