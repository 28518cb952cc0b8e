"""Merging: disjoint, whole, in the stated order of preference, with reasons."""

import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve import merge

KINDS = ["NAME", "ADDRESS", "LOCATION", "AGE", "EVENT_DATE"]


def found(start, end, entity_type="NAME", detector="lexicon", rule="r", score=0.7):
    return Candidate(start, end, entity_type, detector, rule, score)


def test_a_certain_pattern_beats_a_longer_lexicon_span():
    card, phrase = found(5, 20, "AGE", "patterns", "luhn", 1.0), found(0, 30)
    assert merge([phrase, card]) == [card]


def test_an_address_keeps_the_town_inside_it():
    address = found(0, 30, "ADDRESS", "patterns", "street", 0.85)
    assert merge([found(20, 28, "LOCATION"), address]) == [address]


def test_what_is_always_masked_does_not_hide_in_a_longer_fact_that_may_be_kept():
    name, fact = found(10, 20), found(0, 40, "EVENT_DATE")
    assert merge([fact, name], ["NAME"]) == [name]
    assert merge([fact, name]) == [fact]
    elsewhere = found(10, 20, detector="context")
    assert merge([fact, elsewhere], ["NAME"]) == [fact]


def test_longer_beats_shorter_whatever_the_score():
    short, long = found(0, 4, score=0.9), found(0, 9, score=0.5)
    assert merge([short, long]) == [long]


def test_equal_spans_go_to_the_surer():
    sure, unsure = found(0, 4, "LOCATION", score=0.8), found(0, 4, "NAME", score=0.7)
    assert merge([unsure, sure]) == [sure]


def test_adjacent_spans_both_stay_and_empty_ones_go():
    left, right = found(0, 4), found(4, 8)
    assert merge([right, found(4, 4), left]) == [left, right]


def test_a_winner_names_the_rules_that_agreed_with_it():
    winner = merge(
        [found(0, 9, rule="full"), found(0, 4, rule="first"), found(5, 9, "AGE", rule="other")],
    )
    assert [one.rule for one in winner] == ["full+first"]


spans = st.builds(
    lambda start, length, kind, detector, score: found(
        start, start + length, kind, detector, "r", score
    ),
    st.integers(0, 40),
    st.integers(0, 12),
    st.sampled_from(KINDS),
    st.sampled_from(["patterns", "lexicon"]),
    st.sampled_from([0.5, 0.7, 0.95, 1.0]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(spans, max_size=25), st.randoms(use_true_random=False))
def test_the_result_is_disjoint_whole_and_free_of_input_order(several, shuffler: random.Random):
    merged = merge(several)
    assert all(a.end <= b.start for a, b in pairwise(merged))
    whole = {(one.start, one.end, one.type) for one in several}
    assert all((one.start, one.end, one.type) in whole for one in merged)
    shuffler.shuffle(several)
    assert merge(several) == merged
