"""Figures against what they are by definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.testbench.measures import (
    answer_scores,
    auc,
    calibration_error,
    differences,
    interval,
    interval_of_mean,
    mean,
    retrieval_scores,
    rouge_l,
    tpr_at,
)

SCORES = st.lists(st.integers(0, 4).map(float), min_size=1, max_size=8)


@given(SCORES, SCORES)
def test_auc_is_the_share_of_pairs_in_order(members: list[float], others: list[float]) -> None:
    pairs = [(a > b) + (a == b) / 2 for a in members for b in others]
    assert auc(members, others) == pytest.approx(sum(pairs) / len(pairs))


def test_tpr_at_one_percent_lets_one_of_a_hundred_pass() -> None:
    others = [0.0] * 99 + [5.0]
    assert tpr_at([1.0, 0.0], others) == 0.5
    assert tpr_at([6.0, 1.0], [5.0]) == 0.5
    assert tpr_at([], [1.0]) is None


def test_answers_are_compared_word_by_word() -> None:
    found = answer_scores("The knee was operated on in May.", "Knee surgery in May")
    assert found == {"rouge1": 0.75, "f1": pytest.approx(6 / 11), "contains": 0.0}
    assert answer_scores("knee surgery: May", "knee surgery in May")["contains"] == 1
    assert answer_scores("", "x")["f1"] == 0


def test_retrieval_is_scored_by_rank() -> None:
    assert retrieval_scores((4, 2), (4,)) == {"recall": 1.0, "ndcg": 1.0}
    late = retrieval_scores((1, 4), (4,))
    assert late["recall"] == 1
    assert 0 < (late["ndcg"] or 0) < 1
    assert retrieval_scores((1,), ()) == {"recall": None, "ndcg": None}


def test_an_interval_holds_its_mean_and_comes_again() -> None:
    values = [0.0, 0.5, 1.0, None, 0.25]
    found = interval_of_mean(values)
    assert found == interval(lambda drawn: mean([values[i] for i in drawn]), len(values))
    assert found is not None
    assert found[0] <= 0.4375 <= found[1]
    assert interval_of_mean([0.5]) is None


def test_differences_are_paired() -> None:
    """Persons that differ much among themselves, but always by the same, leave no doubt."""
    a, b = [0.1, 0.5, 0.9, 0.3], [0.2, 0.6, 1.0, 0.4]
    assert interval_of_mean(differences(a, b)) == pytest.approx((-0.1, -0.1))


WORDS = st.lists(st.sampled_from("abc"), max_size=9)


@settings(max_examples=60)
@given(WORDS, WORDS)
def test_rouge_l_is_that_of_the_longest_common_subsequence(a: list[str], b: list[str]) -> None:
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            best = max(rows[i][j + 1], rows[i + 1][j])
            rows[i + 1][j + 1] = rows[i][j] + 1 if x == y else best
    expected = 2 * rows[-1][-1] / (len(a) + len(b)) if a and b else 0.0
    assert rouge_l(" ".join(a), " ".join(b)) == pytest.approx(expected)


def test_calibration_error_by_hand() -> None:
    """.2 and .2, where half is so, are .3 off each; .9 of what is so is .1 off."""
    said, so = np.array([0.2, 0.2, 0.9]), np.array([1.0, 0.0, 1.0])
    assert calibration_error(said, so) == pytest.approx(0.7 / 3)
    assert calibration_error(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 0
