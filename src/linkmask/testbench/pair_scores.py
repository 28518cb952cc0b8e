"""Measures how well scores tell pairs of one person's texts from others, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linkmask.records import Floats, Ints
from linkmask.testbench.measures import Interval, interval

PAIR_DRAWS = 200
"""Bootstrap draws of an interval: each goes through all pairs."""
MOST_PAIRS = 1_000_000
"""Pairs up to which an interval is computed; so many take some 10 s of CPU time."""


class PairScores:
    """Scores of pairs of texts, in descending order; a pair that has none ranks below all others.

    Args:
        left, right: the pairs that were compared.
        score: of each pair.
        person: of each text, by its number.
        ordered: whether a pair and its reverse are two pairs.
    """

    def __init__(
        self, left: Ints, right: Ints, score: Floats, person: Ints, ordered: bool = False
    ) -> None:
        names, numbers = np.unique(person, return_inverse=True)
        self.texts = np.bincount(numbers, minlength=len(names))
        order = np.argsort(-score, kind="stable")
        self.persons = numbers[left[order]], numbers[right[order]]
        self.same = self.persons[0] == self.persons[1]
        self.last = np.flatnonzero(np.diff(score[order], append=-np.inf))
        self.ways = 2 if ordered else 1

    def auc(self, drawn: Ints | None = None) -> float | None:
        """Return how likely a same pair scores above another, of all pairs, ties as half.

        Args:
            drawn: how often each person counts, in the order of their numbers [once].
        """
        same, others, all_same, all_others = self._found(drawn)
        if not all_same or not all_others:
            return None
        gained = np.diff(same, prepend=0, append=all_same)
        before = np.concatenate([[0], others, [all_others]])
        beaten = all_others - (before[:-1] + before[1:]) / 2
        return float((gained * beaten).sum() / (all_same * all_others))

    def average_precision(self, drawn: Ints | None = None) -> float | None:
        """Return the average precision of the pairs by score; a same pair not compared is lost.

        Args:
            drawn: as for `auc`.
        """
        same, others, all_same, _ = self._found(drawn)
        if not all_same:
            return None
        precision = same / np.maximum(same + others, 1)
        return float((np.diff(same, prepend=0) * precision).sum() / all_same)

    def _found(self, drawn: Ints | None) -> tuple[Floats, Floats, float, float]:
        """Return how many pairs score as much or more, same and other, by score; and all of both.

        A person drawn twice is two persons, whose texts are in no pair with each other.
        """
        weight = np.ones(len(self.texts)) if drawn is None else drawn.astype(np.float64)
        left, right = (weight[one] for one in self.persons)
        same = np.cumsum(np.where(self.same, left, 0.0))[self.last]
        others = np.cumsum(np.where(self.same, 0.0, left * right))[self.last]
        held = weight * self.texts
        all_same = float((held * (self.texts - 1)).sum()) / 2
        all_others = float(held.sum() ** 2 - (held**2).sum()) / 2
        return same, others, all_same * self.ways, all_others * self.ways

    def interval(self, measure: Callable[[Ints], float | None]) -> Interval | None:
        """Return the 95 % interval of `auc` or `average_precision`, by drawing persons.

        None for one person, or for more than `MOST_PAIRS` pairs.
        """
        if len(self.same) > MOST_PAIRS:
            return None
        many = len(self.texts)

        def statistic(sample: Sequence[int]) -> float | None:
            return measure(np.bincount(sample, minlength=many).astype(np.int32))

        return interval(statistic, many, PAIR_DRAWS)
