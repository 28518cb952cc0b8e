"""What chooses spans of case reports is learned from what is marked."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba")

from linkmask.detect.ner import features, span_selection
from training import judge

LIKE = {"DRUG": "TREATMENT", "DISEASE": "MEDICAL_CONDITION"}


def test_marked_spans_are_counted_in_words() -> None:
    text = "He took low-dose aspirin daily."
    _, starts, ends = features.split(text)
    spans = [(8, 24, "Medication"), (25, 30, "Frequency")]
    assert judge.marked(starts, ends, spans, LIKE) == {(2, 6): 1}


def test_a_word_that_often_ends_a_span_says_so() -> None:
    texts = [["took", "oral", "aspirin", "."], ["no", "aspirin", "."], ["no", "oral", "food", "."]]
    table = judge.table(texts, [{(1, 3): 1}, {(1, 2): 1}, {}])
    last = span_selection.SHARES  # of the second type
    assert table["aspirin"][last] > 0 > table["."][last]
    assert table["oral"][last] < table["oral"][last + 1] < table["aspirin"][last]
    assert table["."][last + 3] > table["no"][last + 3]
    assert "food" not in table, "met once, it tells nothing"


def test_the_regression_finds_what_tells() -> None:
    random = np.random.default_rng(1)
    seen = np.concatenate([np.ones((400, 1)), random.normal(3, 2, (400, 2))], axis=1)
    right = (seen[:, 1] + random.normal(size=400) > 3).astype(float)
    constant, telling, idle = judge.fit(seen, right)
    assert telling > 1 > abs(idle)
    assert constant + 3 * telling + 3 * idle == pytest.approx(0, abs=0.5)
