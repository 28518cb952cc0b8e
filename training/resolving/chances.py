"""The learned chances of a span: to be exact, to touch a value of its type, to cover a value.

Three logistic regressions over the same features (`features`). Weights are whole numbers of a unit,
so that a sum does not depend on its order. `training/resolver.py` makes the files.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from training.resolving.features import FEATURES, Key

REMEMBERED = 1 << 18
"""Sums that are kept, at most."""
MOST = 30.0
"""A logit counts no more than this."""
BASE = 1 << 24
"""Three sums of weights are one number to this base, so that they are added up at once."""


class Chance(NamedTuple):
    """Chances in [0, 1] of a span.

    `exact`: it has the span and the type of a value. `typed`: it touches a value of its type.
    `any`: the share of its characters that belong to a value of any type.
    """

    exact: float
    typed: float
    any: float


class Chances:
    """The learned weights, with the sums of features that were met."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            names = bytes(stored["names"]).decode().split("\0")
            columns = stored["weights"].astype(object).T
            packed = columns[0] + BASE * (columns[1] + BASE * columns[2])
            self._unit = float(stored["unit"])
        self._sums = _Sums(dict(zip(names, packed.tolist(), strict=True)))

    def of(self, keys: Iterable[Key]) -> Chance:
        """Return the chances of a span of which these keys hold."""
        total = sum(map(self._sums.__getitem__, keys))
        exact = (total + BASE // 2) % BASE - BASE // 2
        total = (total - exact) // BASE
        typed = (total + BASE // 2) % BASE - BASE // 2
        some = (total - typed) // BASE
        unit = self._unit
        return Chance(_logistic(exact * unit), _logistic(typed * unit), _logistic(some * unit))


class _Sums(dict[Key, int]):
    """Key → the sum of the weights of what holds where the key does, computed once."""

    def __init__(self, weights: Mapping[str, int]) -> None:
        self._weights = weights

    def __missing__(self, key: Key) -> int:
        weigh = self._weights.get
        total = sum(weigh(name, 0) for name in FEATURES[str(key[0])](*key[1:]))
        if len(self) >= REMEMBERED:
            self.clear()
        self[key] = total
        return total


def _logistic(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-MOST, min(MOST, logit))))
