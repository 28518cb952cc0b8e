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

NEVER = -30.0
"""Log-odds of what can't be."""
FILE = Path(__file__).with_name("weights.toml")


class Model(NamedTuple):
    """What was learned.

    `weights`: of features, in the order of `NAMES`, each per unit of the feature. `pair`: slope and
    intercept of a pair's log-odds over the score. `text`: intercept, and weights of the log-odds
    of a text's likeliest pair and of its lead over the second. `learned_from`: the corpora.
    """

    weights: Floats
    pair: tuple[float, float]
    text: tuple[float, float, float]
    learned_from: Sequence[str] = ()

    def scores(self, pairs: Pairs) -> Floats:
        """Return a score for each pair; the more, the likelier both are one person's."""
        return np.asarray(np.round(pairs.features @ self.weights, 9))

    def log_odds(self, pairs: Pairs) -> Floats:
        """Return the log-odds that both texts of a pair are one person's.

        A person has a few texts however many there are, so the odds before anything is read fall
        as 1 / texts.
        """
        slope, intercept = self.pair
        prior = np.log(max(1, pairs.texts - 1))
        return np.asarray(slope * self.scores(pairs) + intercept - prior)

    def probabilities(self, pairs: Pairs) -> Floats:
        """Return the probability that both texts of a pair are one person's."""
        return probability(self.log_odds(pairs))

    def found(self, pairs: Pairs) -> Floats:
        """Return for each text the probability that its likeliest is its person's.

        It is 0 for a text that is compared with none. Its inverse is the number of persons among
        whom the text's is hidden from this attacker.
        """
        intercept, likeliest, lead = self.text
        first, second = likeliest_two(pairs, self.log_odds(pairs))
        odds = intercept + likeliest * first + lead * (first - second)
        return np.where(first > NEVER, probability(odds), 0.0)


def likeliest_two(pairs: Pairs, log_odds: Floats) -> tuple[Floats, Floats]:
    """Return the two largest log-odds of each text's pairs; `NEVER` where there are fewer."""
    text, both = np.concatenate([pairs.left, pairs.right]), np.tile(log_odds, 2)
    order = np.lexsort((-both, text))
    text, both = text[order], np.append(both[order], NEVER)
    start, end = (np.searchsorted(text, np.arange(pairs.texts), side) for side in ("left", "right"))  # type: ignore[call-overload]
    first = np.where(start < end, both[np.minimum(start, len(text))], NEVER)
    second = np.where(start + 1 < end, both[np.minimum(start + 1, len(text))], NEVER)
    return np.maximum(first, NEVER), np.maximum(second, NEVER)


def probability(log_odds: Floats) -> Floats:
    """Return the probabilities that log-odds stand for."""
    return np.asarray(1 / (1 + np.exp(-log_odds)))


def read(path: Path) -> Model:
    """Read a model from its file; a feature without a weight has none."""
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    weights = np.array([tree["weights"].get(name, 0.0) for name in NAMES])
    return Model(weights, tuple(tree["pair"]), tuple(tree["text"]), tuple(tree["learned_from"]))


@cache
def shipped() -> Model:
    """Return the model of the package, read once."""
    return read(FILE)
