"""Are two texts one person's? A weighted sum of features, and the probability it stands for.

The weights are learned (`training/linker.py` says from what) and shipped in `weights.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from linkmask.graph.linkage.features import NAMES, Pairs
from linkmask.records import Floats

FILE = Path(__file__).with_name("weights.toml")


class Model(NamedTuple):
    """What was learned.

    `weights`: of features, in the order of `NAMES`, each per unit of the feature. `pair`: slope and
    intercept of a pair's log-odds over the score. `learned_from`: the corpora, by name.
    """

    weights: Floats
    pair: tuple[float, float]
    learned_from: Sequence[str] = ()

    def scores(self, pairs: Pairs) -> Floats:
        """Return a score for each pair; the more, the likelier both are one person's."""
        return np.asarray(np.round(pairs.features @ self.weights, 9))

    def probabilities(self, pairs: Pairs, scores: Floats | None = None) -> Floats:
        """Return the probability that both texts of a pair are one person's.

        A person has a few texts however many there are, so the odds before anything is read fall
        as 1 / texts.
        """
        slope, intercept = self.pair
        scores = self.scores(pairs) if scores is None else scores
        odds = slope * scores + intercept - np.log(max(1, pairs.texts - 1))
        return np.asarray(1 / (1 + np.exp(-odds)))


def read(path: Path) -> Model:
    """Read a model from its file; a feature without a weight has none."""
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    weights = np.array([tree["weights"].get(name, 0.0) for name in NAMES])
    slope, intercept = tree["pair"]
    return Model(weights, (slope, intercept), tuple(tree["learned_from"]))


@cache
def shipped() -> Model:
    """Return the model of the package, read once."""
    return read(FILE)
