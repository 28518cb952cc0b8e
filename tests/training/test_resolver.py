"""What the resolver learns from: what holds of a span, and whether a set tells."""

import numpy as np
import pytest
from benchmarks.annotated import Marked, Truth
from training.resolver import Marks, Text, calibration
from training.resolving import spans

from linkmask.detect.candidates import Candidate
from linkmask.detect.register import ABOUT_A_PERSON
from linkmask.detect.view import Reading

TEXT = "Dr. Morvel saw Zelko Anders in Dover."
MARKED = (Marked(4, 10, "PER", "NAME"), Marked(15, 27, "PER", "NAME"))
PLACE = Candidate(31, 36, "LOCATION", "ner", "location", 0.9)
STAFF = Candidate(0, 10, "PROVIDER", "lexicon", "clinician", 0.9)


def judged(one, types=frozenset({"NAME"}), found=(), name="tab"):
    text = Text(
        name, Truth("d", TEXT, MARKED), 0, Reading("content", "", TEXT), TEXT, [*found],
        ABOUT_A_PERSON, [],
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


def test_a_set_that_marks_names_alone_does_not_tell_who_is_staff():
    assert judged(named(4, 10), found=[STAFF])[1] == (False, False, True)
    assert judged(named(4, 10), found=[STAFF], name="own")[1] == (True, True, True)
    assert judged(named(15, 27), found=[STAFF])[1] == (True, True, True)


def test_chances_that_hold_as_often_as_they_say_are_calibrated():
    chance, holds = np.array([0.25, 0.25, 0.25, 0.25, 1.0]), np.array([1, 0, 0, 0, 1.0])
    brier, constant, apart = calibration(chance, holds)
    assert (brier, constant, apart) == pytest.approx((0.15, 0.24, 0.0))
    assert calibration(1 - chance, holds)[2] > 0.5
