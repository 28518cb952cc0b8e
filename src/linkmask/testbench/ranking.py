"""Measures how well scores of pairs bring the texts of one person together.

A pair that has no score was not compared: it ranks below all that were.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from linkmask.records import Floats, Ints
from linkmask.testbench.pair_scores import PairScores


class Ranking:
    """Texts in order of how surely each belongs with a text, and whose they are.

    Args:
        left, right: the pairs that were compared, each once.
        score: of each pair; the more, the surer.
        person: of each text, by its number.
    """

    def __init__(self, left: Ints, right: Ints, score: Floats, person: Sequence[int]) -> None:
        self.left, self.right, self.score = left, right, score
        self.person = np.asarray(person)
        self.same = self.person[left] == self.person[right]

    @cached_property
    def own(self) -> Ints:
        """How many other texts of its person each text has."""
        counts = np.unique_inverse(self.person)
        size = np.bincount(counts.inverse_indices)[counts.inverse_indices]
        return (size - 1).astype(np.int32)

    def hits(self, k: int = 1) -> Floats:
        """Return for each text how likely its k nearest hold one of its person's, 0 to 1.

        Ties are broken at random: the value is the expectation. NaN for a text whose person has no
        other.
        """
        n = len(self.person)
        text = np.concatenate([self.left, self.right])
        score, same = np.tile(self.score, 2), np.tile(self.same, 2)
        order = np.lexsort((-score, text))
        bounds = np.searchsorted(text[order], np.arange(n + 1))
        found = np.full(n, np.nan)
        for number in np.flatnonzero(self.own).tolist():
            rows = order[bounds[number] : bounds[number + 1]]
            found[number] = _hit(score[rows], same[rows], k)
        return found

    @property
    def rank1(self) -> float:
        """Share of texts, of those whose person has another, whose nearest is their person's."""
        return float(np.nanmean(self.hits()))

    def by_known(self, known: int) -> float | None:
        """Return how often an attacker finds one more text of a person of whom some are known.

        The attacker takes the other text that scores highest with any of the `known` ones. Of each
        person who has more texts, every run of so many is known once, in their order and round
        again; the share is averaged over persons. None if nobody has more.
        """
        from scipy.sparse import coo_array

        n = len(self.person)
        rows, columns = np.append(self.left, self.right), np.append(self.right, self.left)
        above = np.tile(self.score - self.score.min(initial=0.0) + 1.0, 2)  # 0: not compared
        scores = coo_array((above, (rows, columns)), (n, n)).tocsr()
        shares = []
        for person in np.unique(self.person).tolist():
            own = np.flatnonzero(self.person == person)
            if len(own) <= known:
                continue
            hits = []
            for first in range(len(own)):
                held = own[(first + np.arange(known)) % len(own)]
                best = scores[held].max(axis=0).toarray().ravel()
                best[held] = -1.0
                hits.append(float((self.person[best == best.max()] == person).mean()))
            shares.append(float(np.mean(hits)))
        return float(np.mean(shares)) if shares else None

    def pairs(self) -> PairScores:
        """Return the scores of all pairs of texts, as measures of pairs take them."""
        return PairScores(self.left, self.right, self.score, self.person)

    def auc(self) -> float | None:
        """Return how likely a same pair scores above another, of all pairs, ties as half."""
        return self.pairs().auc()

    def average_precision(self) -> float | None:
        """Return the average precision of the pairs by score; a same pair not compared is lost."""
        return self.pairs().average_precision()

    def b_cubed(self, cut: float) -> tuple[Floats, Floats]:
        """Return B³ precision and recall (Bagga and Baldwin 1998) of each text's cluster.

        Texts joined by a chain of pairs that score `cut` or more are one cluster.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        n, joined = len(self.person), self.score >= cut
        shape = (n, n)
        edges = (self.left[joined], self.right[joined])
        _, cluster = connected_components(coo_array((np.ones(int(joined.sum())), edges), shape))
        pair = np.unique_inverse(self.person).inverse_indices * n + cluster
        _, place, both = np.unique(pair, return_inverse=True, return_counts=True)
        size = np.bincount(cluster, minlength=n)[cluster]
        return both[place] / size, both[place] / (self.own + 1)


def _hit(score: Floats, same: Ints, k: int) -> float:
    """Return how likely k texts hold one that is the same, taken in descending order of scores."""
    if len(score) <= k:
        return float(same.any())
    cut = score[k - 1]
    sure, tied = score > cut, score == cut
    if same[sure].any():
        return 1.0
    left, hits, right = int(tied.sum()), k - int(sure.sum()), int(same[tied].sum())
    missed = 1.0
    for at in range(hits):
        missed *= max(0, left - right - at) / (left - at)
    return 1 - missed
