"""Weighs the features of a pair of texts into a probability that both are one person's.

The weights are learned (`training/linker.py` says from what) and shipped in `weights.toml`; those
that also weigh the vectors of a sentence model, in `weights-sentences.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from linkmask.graph.linkage.features import BY_SENTENCES, NAMES, Pairs, ScoredPairs
from linkmask.records import Floats, Ints

FAR = 700.0
"""Log-odds beyond which a probability is 0."""
LEAST = 1e-12
"""Distance from 0 and 1 at which a probability's log-odds are taken."""
PRIOR = 5
"""Texts as many as which the usual share counts where a corpus says how many are so."""
ROUNDS, SETTLED = 500, 1e-4
"""Rounds of estimating the shift, and the change of log-odds at which it is settled."""
Line = tuple[float, float, float]
FILE = Path(__file__).with_name("weights.toml")
SENTENCES_FILE = Path(__file__).with_name("weights-sentences.toml")


class LinkModel(NamedTuple):
    """The weights that were learned.

    `weights`: of features, in the order of `Pairs.features`, each per unit of the feature. `pair`,
    `text`: intercept, and weights of score and share, of the log-odds of a pair and of a text's
    nearest. `known`: intercept, and weights of share and rank of the link in the originals
    (`outcome.relative_evidence`), of the log-odds that a masked text's nearest is its person's.
    `both`: the same with the link's strength (`outcome.pair_evidence`), of the log-odds that both
    texts of any pair are one person's. `link_weight`: weight of the link strength of two
    originals in the score that these are by; `apart`: the same as `both` where that weight is 0.
    `text_spread`, `known_spread`: how far the log-odds of a corpus that was left out lay from those
    of `text` and `known`, root mean square.
    `known_share`: share of the texts to which `known` was fitted whose nearest was their person's.
    `learned_from`: the corpora, by name.
    """

    weights: Floats
    pair: Line
    text: Line
    known: Line
    both: Line
    apart: Line
    another: tuple[float, float] = (0.0, 0.0)
    link_weight: float = 0.0
    text_spread: float = 0.0
    known_spread: float = 0.0
    known_share: float = 0.5
    another_share: float = 0.5
    learned_from: Sequence[str] = ()

    @property
    def words_and_links_apart(self) -> LinkModel:
        """The model by which no link makes another pair less likely.

        In one score, the links of a text leave little of its share to a pair that words alone join.
        """
        return self._replace(link_weight=0.0, both=self.apart)

    def score(self, pairs: Pairs) -> ScoredPairs:
        """Return a score for each pair; the more, the likelier both are one person's."""
        scores = np.asarray(np.round(pairs.features @ self.weights, 9))
        return ScoredPairs(pairs.left, pairs.right, scores, pairs.texts)

    def probabilities(self, pairs: ScoredPairs) -> Floats:
        """Return the probability that both texts of a pair are one person's."""
        return _probability(self.pair, pairs.scores, shares(pairs).mean(axis=0))

    def found(self, pairs: ScoredPairs, nearest: Ints | None = None) -> Floats:
        """Return for each text the probability that its nearest is its person's.

        It holds for a text whose person has another, and is 0 for a text that has no nearest. Its
        inverse is the number of persons among whom this attacker sees the text's hidden.

        Args:
            pairs, nearest: as for `nearest_of`.
        """
        score, share = nearest_of(pairs, nearest)
        return np.where(np.isfinite(score), _probability(self.text, score, share), 0.0)

    def known_probability(self, share: Floats, rank: Floats) -> Floats:
        """Return the probability that the text nearest to a masked one is about the same person.

        Args:
            share, rank: evidence of the originals for each pair (`outcome.relative_evidence`).
        """
        return _probability(self.known, share, rank)

    def another_probability(self, strongest: Floats, told: Floats) -> Floats:
        """Return the probability that a text's person has another text, by the originals.

        How many have one is estimated from the corpus, since corpora differ in it most.

        Args:
            strongest: strength in [0, 1] of the strongest link of each original.
            told: how much its values tell, in [0, 1]: the fewer they are, the less it means that no
                link leads to it.
        """
        where_none, by_strength = self.another
        odds = _log_odds(np.array(self.another_share)) + told * (
            where_none + by_strength * strongest
        )
        return adapted(1 / (1 + np.exp(-odds)), self.another_share, FAR)

    def both_probability(self, share: Floats, strength: Floats) -> Floats:
        """Return the probability that two texts are one person's, by the originals.

        Args:
            share, strength: what the originals say of both (`outcome.pair_evidence`).
        """
        return _probability(self.both, share, strength)


def shares(pairs: ScoredPairs) -> Floats:
    """Return the logarithm of a pair's share among the pairs of its left text, and of its right.

    The share is exp(score) over the sum of exp(score) of all pairs of the text; the weights were
    learned by it. A pair of a text that is similar to all has a small share.
    """
    scores, sides = pairs.scores, (pairs.left, pairs.right)
    highest = np.full(pairs.texts, -np.inf)
    for side in sides:
        np.maximum.at(highest, side, scores)
    total = np.zeros(pairs.texts)
    for side in sides:
        total += np.bincount(side, np.exp(scores - highest[side]), pairs.texts)
    return np.stack([scores - highest[side] - np.log(total[side]) for side in sides])


def nearest_of(pairs: ScoredPairs, nearest: Ints | None = None) -> tuple[Floats, Floats]:
    """Return the linker's score of each text's nearest, −inf where it has none, and its share.

    Args:
        pairs: scored by the linker.
        nearest: the text that another attacker takes for the nearest of each, −1 for none; without
            it, the nearest is the one with the largest score.
    """
    score, share = np.full(pairs.texts, -np.inf), np.full(pairs.texts, -np.inf)
    sides = (pairs.left, pairs.right), (pairs.right, pairs.left)
    for (text, other), part in zip(sides, shares(pairs), strict=True):
        near = slice(None) if nearest is None else nearest[text] == other
        np.maximum.at(score, text[near], pairs.scores[near])
        np.maximum.at(share, text[near], part[near])
    return score, np.where(np.isfinite(share), share, 0.0)


def shifted(probability: Floats, by: float) -> Floats:
    """Return probabilities whose log-odds are shifted; 0 stays 0."""
    return np.where(probability > 0, 1 / (1 + np.exp(-(_log_odds(probability) + by))), 0.0)


def adapted(probability: Floats, usual: float, most: float) -> Floats:
    """Return the probabilities of a corpus's texts, adapted to of how many of them it is so."""
    return shifted(probability, shift_of(probability, usual, most))


def shift_of(probability: Floats, usual: float, most: float) -> float:
    """Return by how much the log-odds of a corpus's texts are shifted to adapt them.

    Where it is so of fewer or more texts than in the corpora of the fit, the log-odds of all lie
    off by the same amount. It is estimated from the probabilities themselves by expectation
    maximization (Saerens, Latinne and Decaestecker 2002), held back by `PRIOR` texts of the usual
    share.

    Args:
        usual: share of which it is so in the corpora of the fit.
        most: largest shift, in log-odds.
    """
    shift, odds = 0.0, _log_odds(probability)
    before = float(_log_odds(np.array(usual)))
    for _ in range(ROUNDS):
        expected = (1 / (1 + np.exp(-(odds + shift)))).sum() + PRIOR * usual
        share = float(_log_odds(expected / (len(probability) + PRIOR)))
        last, shift = shift, float(np.clip(share - before, -most, most))
        if abs(shift - last) < SETTLED:
            break
    return shift


def _log_odds(probability: Floats) -> Floats:
    inner = np.clip(probability, LEAST, 1 - LEAST)
    return np.asarray(np.log(inner / (1 - inner)))


def _probability(line: Line, first: Floats, second: Floats) -> Floats:
    intercept, by_first, by_second = line
    odds = np.maximum(intercept + by_first * first + by_second * second, -FAR)
    return np.asarray(1 / (1 + np.exp(-odds)))


def read(path: Path, sentences: bool = False) -> LinkModel:
    """Read a model from its file; a feature without a weight has none.

    Args:
        sentences: whether it also weighs what a sentence model says.

    Raises:
        LookupError: a weight is of a feature that there is not.
    """
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    names = (*NAMES, *BY_SENTENCES) if sentences else NAMES
    if gone := tree["weights"].keys() - set(names):
        raise LookupError(f"weights of unknown features: {sorted(gone)}")
    weights = np.array([tree["weights"].get(name, 0.0) for name in names])
    lines = (tuple(tree[name]) for name in ("pair", "text", "known", "both", "apart"))
    pair, text, known, both, apart = lines
    named = ("link_weight", "text_spread", "known_spread", "known_share", "another_share")
    numbers = dict[str, float]((name, float(tree[name])) for name in named)
    another, corpora = tuple(tree["another"]), tuple(tree["learned_from"])
    return LinkModel(
        weights, pair, text, known, both, apart, another, learned_from=corpora, **numbers
    )


@cache
def shipped_model(sentences: bool = False) -> LinkModel:
    """Return a model of the package, read once: the linker's, or that with a sentence model."""
    return read(SENTENCES_FILE if sentences else FILE, sentences)
