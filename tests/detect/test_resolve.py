"""Resolution: disjoint spans by learned chances, under two certain rules, with reasons."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.register import ABOUT_A_PERSON
from linkmask.detect.resolve import (
    CERTAIN,
    Span,
    Weighable,
    best,
    decided,
    overlapping,
    parts,
    resolve_candidates,
    spans,
)
from linkmask.detect.span_chances import Chances, shipped
from linkmask.detect.span_features import names

TEXT = "Seen by Zoan Mor of Brackwell Street Clinic, card 4111 1111 1111 1111, on 4 May."
FLOOR = Settings().floor


def at(value: str, entity_type: str = "NAME", detector: str = "lexicon", score: float = 0.7):
    start = TEXT.index(value)
    return Candidate(start, start + len(value), entity_type, detector, "rule", score)


def weighed(text: str, *found: Candidate) -> Weighable:
    """Return the only group of candidates, among which something is to be decided."""
    [group] = parts(text, found, ABOUT_A_PERSON, FLOOR, {})
    assert isinstance(group, Weighable)
    return group


def resolved(*found: Candidate) -> list[Candidate]:
    [kept] = resolve_candidates([(TEXT, found, ABOUT_A_PERSON)], FLOOR)
    return kept


def test_what_is_certain_by_its_form_beats_any_longer_span():
    card = at("4111 1111 1111 1111", "CREDIT_CARD", "patterns", 1.0)
    assert resolved(card, at("Clinic, card 4111 1111 1111 1111", "PROVIDER")) == [card]


def test_what_a_rule_finds_of_a_type_always_masked_is_covered_by_such_a_type():
    for other in ("EVENT_DATE", "ORGANIZATION", "MEDICAL_CONDITION"):
        for detector in ("lexicon", "ner", "fields"):
            kept = resolved(at("Mor"), at("Zoan Mor of Brackwell Street", other, detector, 0.9))
            assert [one.type for one in kept if one.start <= TEXT.index("Mor") < one.end] == [
                "NAME"
            ]


def test_a_span_alone_that_a_rule_found_stays_as_it_is():
    for one in (at("Zoan Mor", detector="fields"), at("4 May", "EVENT_DATE", "patterns", 0.5)):
        assert resolved(one) == [one]


def test_rules_that_agree_on_an_extent_are_weighed_only_against_a_direct_identifier():
    def one(*found):
        return decided(spans(found), FLOOR)

    [mor] = spans([at("Zoan Mor")])
    assert one(at("Zoan Mor", "PROVIDER", "ner"), at("Zoan Mor")) == mor
    assert one(at("Zoan Mor"), at("Zoan Mor", "PROVIDER")) is None
    assert one(at("Zoan Mor"), at("Mor")) is None
    assert one(at("Zoan Mor", "LOCATION", "ner", 0.4)) is None
    assert one(at("Clinic", "LOCATION"), at("Clinic", "ORGANIZATION", "ner")).type == "LOCATION"
    assert one(at("Clinic", "LOCATION"), at("Clinic", "NAME", "ner")) is None


def test_a_winner_names_the_rules_that_agreed_with_it():
    one, other = at("Zoan Mor", detector="fields"), at("Zoan Mor")._replace(rule="first")
    assert [won.rule for won in resolved(one, other)] == ["rule+first"]


candidates = st.builds(
    lambda start, length, kind, detector, score: Candidate(
        start, start + length, kind, detector, "r", score
    ),
    st.integers(0, 40),
    st.integers(0, 12),
    st.sampled_from(["NAME", "ADDRESS", "LOCATION", "AGE", "EVENT_DATE", "PROVIDER"]),
    st.sampled_from(["patterns", "lexicon", "ner", "fields"]),
    st.sampled_from([0.5, 0.7, 0.95, 1.0]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(candidates, max_size=25), st.randoms(use_true_random=False))
def test_the_result_is_disjoint_and_free_of_input_order(several, shuffler: random.Random):
    kept = resolved(*several)
    assert all(a.end <= b.start for a, b in pairwise(kept))
    shuffler.shuffle(several)
    assert resolved(*several) == kept


@settings(max_examples=100, deadline=None)
@given(st.lists(candidates, max_size=12))
def test_where_a_rule_finds_a_direct_identifier_one_is_kept(several):
    kept = [one for one in resolved(*several) if one.type in FLOOR]
    certain = any(one.detector == "patterns" and one.score >= CERTAIN for one in several)
    for one in several:
        if one.type in FLOOR and one.detector != "ner" and one.start < one.end and not certain:
            assert any(o.start < one.end and one.start < o.end for o in kept)


@settings(max_examples=100, deadline=None)
@given(st.lists(candidates, max_size=8), st.randoms(use_true_random=False))
def test_the_chosen_spans_have_the_largest_sum_of_gains(several, numbers: random.Random):
    for group in map(spans, overlapping(several)):
        gains = [numbers.uniform(-1, 2) for _ in group]
        value = dict(zip(map(id, group), gains, strict=True))
        assert sum(value[id(one)] for one in best(group, gains)) == pytest.approx(
            _most(group, gains)
        )


def _most(group: list[Span], gains: list[float]) -> float:
    """Return the largest sum of gains of disjoint spans, by trying all sets of them."""
    most = 0.0
    for chosen in range(1 << min(len(group), 10)):
        own = [n for n in range(min(len(group), 10)) if chosen >> n & 1]
        parts = sorted(group[n][:2] for n in own)
        if all(a[1] <= b[0] for a, b in pairwise(parts)):
            most = max(most, sum(gains[n] for n in own))
    return most


def test_texts_resolved_together_are_resolved_as_each_alone():
    read = [
        (TEXT, [at("Zoan Mor"), at("Mor of", "PROVIDER", "ner")], ABOUT_A_PERSON),
        (TEXT, [], ABOUT_A_PERSON),
        (TEXT, [at("Clinic", "LOCATION", "ner", 0.4), at("Brackwell", "NAME")], ABOUT_A_PERSON),
    ]
    together = resolve_candidates(read, FLOOR)
    assert together == [resolve_candidates([one], FLOOR)[0] for one in read]


def test_a_decision_is_remembered_for_the_same_candidates_in_the_same_words():
    found = at("Zoan Mor"), at("Mor of", "PROVIDER", "ner")
    resolved(*found)
    longer = "Once more we write it. Then once more again. " + TEXT
    by = len(longer) - len(TEXT)
    moved = [one._replace(start=one.start + by, end=one.end + by) for one in found]
    [kept] = resolve_candidates([(longer, moved, ABOUT_A_PERSON)], FLOOR)
    [anew] = resolve_candidates([(longer, moved, ABOUT_A_PERSON)], FLOOR, Chances())
    assert kept == anew


def test_chances_are_the_logistic_function_of_summed_weights():
    weights = shipped()
    group, seen, _ = weighed(TEXT, at("Zoan Mor"), at("Zoan Mor of", "PROVIDER", "ner", 0.5))
    asked = [(one.type, keys) for one, keys in zip(group, seen, strict=True)]
    chance = weights.of(asked)
    for (kind, keys), row in zip(asked, chance, strict=True):
        rows = [weights.row[name] for key in keys for name in names(key) if name in weights.row]
        total = weights._weights[rows, weights._type[kind]].sum(0) * weights._unit
        assert row == pytest.approx(1 / (1 + np.exp(-total)))


def test_what_the_users_own_recognizers_find_stays_beside_what_is_learned():
    own = at("Clinic", "PROJECT", "recognizers", 0.7)
    assert own in resolved(own, at("Brackwell Street Clinic", "ORGANIZATION", "ner", 0.94))


def test_a_persons_name_with_a_title_is_not_cut_by_the_taggers_name():
    titled = at("by Zoan Mor", "PROVIDER")._replace(rule="clinician")
    assert resolved(titled, at("Zoan Mor", "NAME", "ner", 0.94)) == [titled]


def test_many_overlapping_candidates_take_linear_work():
    """Each span looks at a bounded number of its neighbours, however many there are."""
    looked = []
    for count in (200, 400):
        chain = [Candidate(3 * n, 3 * n + 4, "NAME", "ner", "name", 0.5) for n in range(count)]
        text = "abc" * (count + 2)
        looked.append(sum(map(len, weighed(text, *chain).seen)))
    assert looked[1] < 2.1 * looked[0]


def test_a_feature_or_a_type_that_was_not_learned_adds_nothing():
    for kind, key in (
        ("UNHEARD_OF", ("before", 1, "Xx")),
        ("NAME", ("gaps", "unheard of", "unheard of")),
    ):
        assert shipped().of([(kind, [key])]).tolist() == [[0.5, 0.5, 0.5]]
