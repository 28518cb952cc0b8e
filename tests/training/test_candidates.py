"""Candidates are compared by words and by runs of one label."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.candidates import figures, runs
from training.data import Row


def test_a_run_ends_where_the_label_changes() -> None:
    assert list(runs(["", "A", "A", "B", "", "A"])) == [(1, 3, "A"), (3, 4, "B"), (5, 6, "A")]


def test_figures_count_words_whatever_their_label_and_runs_with_the_same_ends() -> None:
    """Worked by hand: three of four words are found, and one that bears no label."""
    row = Row(["Ann", "Lee", "saw", ",", "Leeds", "York"], ["N", "N", "", "", "L", "L"], 0)
    assert figures([row], [["N", "N", "N", "", "N", ""]]) == (3 / 4, 3 / 4, 0)
    recall, precision, f1 = figures([row], [["N", "N", "", "N", "", "L"]])
    assert (recall, precision) == (3 / 4, 1)
    assert f1 == pytest.approx(2 / (2 + 3))
