"""What the resolver learns from: what holds of a span, and whether a set tells."""

import numpy as np
import pytest
from benchmarks.annotated import Marked, Truth
from training.resolver import Marks, Text, calibration, write

from linkmask.detect.candidates import Candidate
from linkmask.detect.register import ABOUT_A_PERSON
from linkmask.detect.resolve import spans
from linkmask.detect.span_chances import Chances
from linkmask.detect.view import Reading

TEXT = "Dr. Morvel saw Zelko Anders in Dover."
MARKED = (Marked(4, 10, "PER", "NAME"), Marked(15, 27, "PER", "NAME"))
PLACE = Candidate(31, 36, "LOCATION", "ner", "location", 0.9)


def judged(one, types=frozenset({"NAME"}), name="tab"):
    text = Text(
        name, Truth("d", TEXT, MARKED), 0, Reading("content", "", TEXT), TEXT, [],
        ABOUT_A_PERSON,
    )  # fmt: skip
    (span,) = (s for s in spans([one]) if s.by == one.detector)
    return Marks(text, set(types)).of(span)


def named(start, end, kind="NAME"):
    return Candidate(start, end, kind, "ner", "name", 0.9)


def test_a_span_is_exact_or_touches_or_covers_a_share_of_its_characters():
    assert judged(named(15, 27)) == ((True, True, 1.0), (True, True, True))
    assert judged(named(21, 30))[0] == (False, True, pytest.approx(6 / 8))
    assert judged(named(31, 36))[0] == (False, False, 0.0)


def test_what_a_set_does_not_mark_is_not_known():
    assert judged(PLACE)[1] == (False, False, False)
    assert judged(PLACE, {"NAME", "LOCATION"})[1] == (True, True, True)


def test_a_span_of_another_type_over_a_mark_is_wrong():
    assert judged(named(15, 27, "LOCATION")) == ((False, False, 1.0), (True, True, True))


def test_whether_a_name_is_staff_is_not_known_but_that_it_is_a_value():
    assert judged(named(4, 10, "PROVIDER"))[1] == (False, False, True)
    assert judged(named(4, 10))[1] == (True, True, True)


def test_a_set_that_marks_drugs_alone_does_not_tell_what_a_therapy_is():
    therapy = Candidate(31, 36, "TREATMENT", "lexicon", "treatment", 0.7)
    assert judged(therapy, {"TREATMENT"}, name="bc5cdr_train")[1] == (False, False, False)
    assert judged(therapy, {"TREATMENT"}, name="maccrobat")[1] == (True, True, True)


def test_weights_are_read_as_they_were_written(tmp_path):
    columns = ["size:1|NAME", "size:1|AGE", "before:line|NAME"]
    write(tmp_path / "w.npz", columns, np.array([[50, 0, 0], [0, 50, 0], [-50, 0, 100]], np.int16))
    read = Chances(tmp_path / "w.npz")
    size, before = ("size", 1, 0), ("before", "line", (0, ""))
    for kind, total in {"NAME": [1.0, 0.0, 0.0], "AGE": [0.0, 1.0, 0.0]}.items():
        assert read.of([(kind, [size])])[0] == pytest.approx(1 / (1 + np.exp(-np.array(total))))
    assert read.of([("NAME", [size, before])])[0, 2] == pytest.approx(0.8807970780)


def test_chances_that_hold_as_often_as_they_say_are_calibrated():
    chance, holds = np.array([0.25, 0.25, 0.25, 0.25, 1.0]), np.array([1, 0, 0, 0, 1.0])
    brier, constant, apart = calibration(chance, holds)
    assert (brier, constant, apart) == pytest.approx((0.15, 0.24, 0.0))
    assert calibration(1 - chance, holds)[2] > 0.5
