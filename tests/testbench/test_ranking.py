"""Ranking: do scores of pairs bring one person's texts together? Figures worked out by hand."""

from itertools import combinations

import numpy as np
import pytest

from linkmask.testbench import pair_scores
from linkmask.testbench.measures import auc
from linkmask.testbench.pair_scores import PairScores
from linkmask.testbench.ranking import Ranking

PERSON = [0, 0, 1, 1, 2]
PAIRS = {(0, 1): 0.9, (2, 3): 0.2, (1, 2): 0.5, (0, 4): 0.1}
"""Compared pairs of five texts; six pairs were not compared."""


def ranking(pairs: dict[tuple[int, int], float] = PAIRS) -> Ranking:
    left, right = np.array(list(pairs), dtype=np.int32).reshape(-1, 2).T
    return Ranking(left, right, np.array(list(pairs.values())), PERSON)


def test_a_hit_is_a_nearest_text_of_the_same_person() -> None:
    """Text 2 is nearer to 1 than to 3; text 4's person has no other text."""
    assert ranking().hits()[:4].tolist() == [1, 1, 0, 1]
    assert np.isnan(ranking().hits()[4])
    assert ranking().hits(2)[:4].tolist() == [1, 1, 1, 1]
    assert ranking().rank1 == 0.75


def test_who_cannot_tell_between_texts_guesses() -> None:
    """Of two that are equally near one is right; a draw of two of three misses one in three."""
    tied = {(0, 1): 0.5, (0, 2): 0.5, (0, 3): 0.5}
    assert ranking(tied).hits()[0] == pytest.approx(1 / 3)
    assert ranking(tied).hits(2)[0] == pytest.approx(2 / 3)
    assert ranking({(0, 2): 0.5}).hits()[0] == 0


def test_pairs_that_were_not_compared_count_below_all_others() -> None:
    """Same: (0,1) .9 and (2,3) .2; others .5, .1 and six unseen: 8 and 7 of 8 are beaten."""
    assert ranking().auc() == pytest.approx((8 + 7) / 16)
    missed = {(0, 1): 0.9, (1, 2): 0.5}
    assert ranking(missed).auc() == pytest.approx((8 + 7 / 2) / 16)
    assert ranking().average_precision() == pytest.approx((1 + 2 / 3) / 2)
    assert ranking(missed).average_precision() == pytest.approx(1 / 2)


def test_a_person_drawn_twice_counts_as_two_who_are_in_no_pair() -> None:
    """The same as the AUC of all scores, with the texts of each person written as often."""
    drawn, ranks = np.array([2, 1, 0], np.int32), ranking().pairs()
    texts = [(t, p, copy) for t, p in enumerate(PERSON) for copy in range(drawn[p])]
    scores: dict[bool, list[float]] = {True: [], False: []}
    for (a, *mine), (b, *other) in combinations(texts, 2):
        if a != b and (mine == other or mine[0] != other[0]):
            scores[mine == other].append(PAIRS.get((a, b), 0.0))
    assert ranks.auc(drawn) == pytest.approx(auc(scores[True], scores[False]))
    ranked = sorted([(s, same) for same, some in scores.items() for s in some], reverse=True)
    found = [same for _, same in ranked]
    shares = [sum(found[: n + 1]) / (n + 1) for n, same in enumerate(found) if same]
    assert len(scores[True]) == 3
    assert ranks.average_precision(drawn) == pytest.approx(np.mean(shares))


def test_an_interval_of_an_auc_holds_it_and_is_narrow_where_persons_are_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of too many pairs there is none."""
    left, right = np.triu_indices(12, k=1)
    person = np.repeat(np.arange(6), 2)
    score = np.where(person[left] == person[right], 0.9, 0.1)
    pairs = PairScores(left.astype(np.int32), right.astype(np.int32), score, person)
    assert pairs.interval(pairs.auc) == (1, 1)
    score[(left == 0) & (right == 1)] = 0
    worse = PairScores(left.astype(np.int32), right.astype(np.int32), score, person)
    low, high = worse.interval(worse.auc) or (0, 0)
    assert low < (worse.auc() or 0) < high == 1
    monkeypatch.setattr(pair_scores, "MOST_PAIRS", 65)
    assert worse.interval(worse.auc) is None


def test_clusters_are_scored_text_by_text() -> None:
    """At .5 the clusters are {0, 1, 2}, {3}, {4}: precision 2/3, 2/3, 1/3, 1, 1."""
    precision, recall = ranking().b_cubed(0.5)
    assert precision.tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 3, 1, 1])
    assert recall.tolist() == pytest.approx([1, 1, 1 / 2, 1 / 2, 1])


def test_of_a_person_of_whom_some_texts_are_known_the_nearest_to_any_is_taken() -> None:
    """Persons 0 (three texts) and 1 (two): texts 0 and 1 are far, 2 is near to 1 alone."""
    left, right = np.triu_indices(5, k=1)
    person = [0, 0, 0, 1, 1]
    near = {(0, 3): 0.9, (1, 2): 0.8, (3, 4): 0.7}
    score = np.array(
        [near.get(pair, 0.1) for pair in zip(left.tolist(), right.tolist(), strict=True)]
    )
    ranking = Ranking(left.astype(np.int32), right.astype(np.int32), score, person)
    # one known: 0 → 3 (wrong), 1 → 2, 2 → 1; 3 → 0 (wrong), 4 → 3
    assert ranking.by_known(1) == pytest.approx((2 / 3 + 1 / 2) / 2)
    # two known, of person 0 alone: {0, 1} → 3 (wrong), {1, 2} → the four others alike, {2, 0} → 3
    assert ranking.by_known(2) == pytest.approx((0 + 1 / 3 + 0) / 3)
    assert ranking.by_known(3) is None
