"""A learned resolver: the best disjoint spans, what is certain, and what the chances are."""

from __future__ import annotations

import math
import random
from itertools import chain, combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training.resolving import best, resolve, spans
from training.resolving.chances import Chances
from training.resolving.features import neighbours
from training.resolving.proposals import alternatives

from linkmask.config import Settings
from linkmask.detect.candidates import OWN, Candidate

FLOOR = Settings().floor


@pytest.fixture(scope="module")
def chances(tmp_path_factory):
    """Weights of a few features: a name is likely, a date is less so."""
    file = tmp_path_factory.mktemp("weights") / "weights.npz"
    names = np.frombuffer(b"|NAME\0|EVENT_DATE\0by:lexicon|LOCATION", np.uint8)
    np.savez(file, names=names, weights=np.array([[9] * 3, [-4] * 3, [5] * 3], np.int16), unit=0.1)
    return Chances(file)


TEXT = "Seen by Dr. Marsh-Hale at Saint Mary Hospital (Dover) on 3 May 2019 for asthma, 4021-77."


def found(start, end, entity_type="NAME", detector="ner", rule="name", score=0.7):
    return Candidate(start, end, entity_type, detector, rule, score)


ones = st.builds(
    lambda start, length, kind, detector, score: found(
        start, start + length, kind, detector, "rule", score
    ),
    st.integers(0, 60),
    st.integers(1, 20),
    st.sampled_from(["NAME", "PROVIDER", "LOCATION", "ADDRESS", "EVENT_DATE", "TREATMENT"]),
    st.sampled_from(["ner", "lexicon", "patterns", "fields"]),
    st.sampled_from([0.3, 0.7, 0.9, 1.0]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(ones, max_size=12), st.randoms(use_true_random=False))
def test_the_result_is_disjoint_and_free_of_input_order(chances, several, shuffler: random.Random):
    kept = resolve(TEXT, several, chances, FLOOR)
    assert all(a.end <= b.start for a, b in pairwise(kept))
    shuffler.shuffle(several)
    assert resolve(TEXT, several, chances, FLOOR) == kept


@settings(max_examples=100, deadline=None)
@given(st.lists(ones, min_size=1, max_size=6), st.integers(0, 9999))
def test_no_other_disjoint_spans_have_a_larger_gain(several, seed):
    group = spans(several)
    gains = np.random.default_rng(seed).normal(size=len(group)).tolist()
    gain = dict(zip(group, gains, strict=True))
    sets = chain.from_iterable(combinations(group, n) for n in range(len(group) + 1))
    apart = (s for s in sets if all(a.end <= b.start for a, b in pairwise(sorted(s))))
    most = max(sum(gain[one] for one in s) for s in apart)
    assert sum(gain[one] for one in best(group, gains)) == pytest.approx(most)


@settings(max_examples=100, deadline=None)
@given(st.lists(ones, max_size=12))
def test_what_a_rule_finds_of_a_floor_type_is_covered_by_a_floor_type(chances, several):
    kept = resolve(TEXT, several, chances, FLOOR)
    certain = [one for one in several if one.detector == "patterns" and one.score == 1]
    for one in several:
        if one.type not in FLOOR or one.detector == "ner":
            continue
        rivals = (
            o
            for o in several
            if o is not one
            and (o in certain or (o.type in FLOOR and o.detector != "ner"))
            and o.start < one.end
            and one.start < o.end
        )
        if not any(rivals):
            assert any(o.start <= one.start and one.end <= o.end and o.type in FLOOR for o in kept)


def test_a_value_that_is_certain_by_its_form_stays_as_it_is(chances):
    card = found(80, 87, "CREDIT_CARD", "patterns", "card", 1.0)
    around = found(72, 88, "NAME", score=0.9)
    assert card in resolve(TEXT, [around, card], chances, FLOOR)


def test_what_the_users_own_recognizers_find_stays_beside_what_is_learned(chances):
    own = found(26, 36, "LOCATION", OWN, "wards", 0.9)
    assert own in resolve(TEXT, [own, found(26, 45, "ORGANIZATION", score=0.9)], chances, FLOOR)


def test_the_union_of_a_rules_and_the_taggers_span_is_proposed():
    ruled = found(26, 36, "PROVIDER", "lexicon", "institution", 0.8)
    learned = found(32, 45, "ORGANIZATION", "ner", "organization", 0.9)
    proposed = {(one.start, one.end, one.type) for one in spans([ruled, learned])}
    assert (26, 45, "PROVIDER") in proposed


def test_a_winner_names_the_rules_that_agreed_with_it(chances):
    one = found(8, 21, "NAME", "fields", "name", 0.9)
    other = found(12, 21, "NAME", "lexicon", "listed", 0.7)
    (kept,) = resolve(TEXT, [one, other], chances, FLOOR)
    assert kept.rule == "name+listed"


def test_chances_are_the_logistic_of_the_weights_of_what_is_seen(tmp_path: Path):
    file = tmp_path / "weights.npz"
    names = np.frombuffer(b"alone|NAME\0|NAME", np.uint8)
    np.savez(file, names=names, weights=np.array([[1, 2, 3], [10, 0, -10]], np.int16), unit=0.1)
    chance = Chances(file).of([("lone", "NAME"), ("form", "Zoan", "NAME"), ("lone", "AGE")])
    expected = [1 / (1 + math.exp(-logit)) for logit in (1.1, 0.2, -0.7)]
    assert chance == pytest.approx(expected)


def test_neighbours_are_the_nearest_words_and_what_lies_between():
    assert neighbours(TEXT, 8, 22) == [
        ("gap", "before", "blank"),
        ("gap", "behind", "blank"),
        ("next", "before", "by"),
        ("next", "behind", "at"),
        ("near", "before", "Seen"),
        ("near", "behind", "Saint"),
        ("near", "behind", "Mary"),
    ]
    edges = [("gap", side, "edge") for side in ("before", "behind")]
    assert neighbours("Zoan", 0, 4)[:2] == edges
    assert ("gap", "before", "line") in neighbours("a\nZoan: b", 2, 6)


@pytest.mark.parametrize(
    ("text", "span", "proposed"),
    [
        ("Zoan Mor\tBrest\t4", "Zoan Mor\tBrest", {"Zoan Mor\tBrest", "Zoan Mor", "Brest"}),
        ("Zoan Mor\nDOB: 4", "Zoan Mor\nDOB", {"Zoan Mor\nDOB", "Zoan Mor", "DOB"}),
        ("at Lake Clinic (18mi", "Lake Clinic (18mi", {"Lake Clinic (18mi", "Lake Clinic", "18mi"}),
        ("anti-GM-CSF", "GM", {"GM", "anti-GM-CSF"}),
        ("syndrome de Guillain-Barré.", "Guillain", {"Guillain", "Guillain-Barré"}),
        ("by Mbaye-2", "Mbaye", {"Mbaye"}),
        ("(Vienna)", "(Vienna)", {"Vienna"}),
        ("--", "--", set()),
    ],
)
def test_a_span_is_proposed_with_its_parts_and_with_hyphenated_words(text, span, proposed):
    start = text.index(span)
    found = {text[i:j] for i, j in alternatives(text, start, start + len(span))}
    assert found == proposed
