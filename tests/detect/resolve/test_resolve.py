"""Merging: disjoint, whole, in the stated order of preference, with reasons."""

import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve import merge, rank

WEIGHTS = {"NAME": 1.0, "ADDRESS": 0.9, "LOCATION": 0.55, "AGE": 0.55, "EVENT_DATE": 0.6}


def found(start, end, entity_type="NAME", detector="lexicon", rule="r", score=0.7):
    return Candidate(start, end, entity_type, detector, rule, score)


def test_a_certain_pattern_beats_a_longer_lexicon_span():
    card, phrase = found(5, 20, "AGE", "patterns", "luhn", 1.0), found(0, 30)
    assert merge([phrase, card], WEIGHTS) == [card]


def test_an_address_keeps_the_town_inside_it():
    address = found(0, 30, "ADDRESS", "patterns", "street", 0.85)
    assert merge([found(20, 28, "LOCATION"), address], WEIGHTS) == [address]


def test_what_is_always_masked_does_not_hide_in_a_longer_fact_that_may_be_kept():
    name, fact = found(10, 20), found(0, 40, "EVENT_DATE")
    assert merge([fact, name], WEIGHTS, ["NAME"]) == [name]
    assert merge([fact, name], WEIGHTS) == [fact]
    elsewhere = found(10, 20, detector="context")
    assert merge([fact, elsewhere], WEIGHTS, ["NAME"]) == [fact]


def test_a_name_that_the_tagger_is_sure_of_is_no_place_of_a_list():
    place, practice = found(0, 8, "LOCATION"), found(0, 8, "PROVIDER")
    name = found(0, 8, detector="ner", score=0.94)
    assert merge([place, name], WEIGHTS, ["NAME"]) == [name]
    assert merge([place, name], WEIGHTS) == [place]
    assert merge([place, name._replace(score=0.8)], WEIGHTS, ["NAME"]) == [place]
    assert merge([practice, name], WEIGHTS, ["NAME"]) == [practice]
    clinic = found(0, 16, "LOCATION")
    assert merge([clinic, name], WEIGHTS, ["NAME"]) == [clinic]


def test_a_likely_name_does_not_become_a_part_of_two_bodies_that_the_tagger_joins():
    name = found(0, 12, score=0.8)
    firm = found(14, 41, "ORGANIZATION", "ner", score=0.94)
    over = found(7, 19, "PROVIDER", "ner", score=0.87)
    assert merge([name, firm, over], WEIGHTS, ["NAME"]) == [name, firm]
    [one] = merge([name._replace(score=0.45), firm, over], WEIGHTS, ["NAME"])
    assert (one.start, one.end) == (0, 41)  # two listed words, in a firm's name


def test_what_gave_way_to_a_find_that_loses_is_found_again():
    """ "hemophilia" of a list gives way to the tagger's longer term, which loses to a name."""
    listed = found(8, 18, "MEDICAL_CONDITION")
    learned = found(8, 20, "MEDICAL_CONDITION", "ner", score=0.94)
    name = found(19, 27)
    assert merge([listed, learned], WEIGHTS, ["NAME"]) == [learned]
    assert merge([listed, learned, name], WEIGHTS, ["NAME"]) == [listed, name]


def test_dates_that_the_tagger_lists_stay_apart():
    def dates(*spans):
        return [found(a, b, "EVENT_DATE", "patterns", score=0.7) for a, b in spans]

    listed, learned = dates((0, 8), (13, 21)), found(0, 21, "EVENT_DATE", "ner")
    assert merge([*listed, learned], WEIGHTS) == listed
    [one] = merge([listed[0], learned], WEIGHTS)
    assert (one.start, one.end) == (0, 21)
    far = dates((0, 8), (30, 38))
    [one] = merge([*far, found(0, 38, "EVENT_DATE", "ner")], WEIGHTS)
    assert (one.start, one.end) == (0, 38)  # a number of a person may stand between them


def test_longer_beats_shorter_whatever_the_score():
    short, long = found(0, 4, score=0.9), found(0, 9, score=0.5)
    assert merge([short, long], WEIGHTS) == [long]


def test_equal_spans_go_to_the_surer_then_to_the_weightier():
    sure, unsure = found(0, 4, "LOCATION", score=0.8), found(0, 4, "NAME", score=0.7)
    assert merge([unsure, sure], WEIGHTS) == [sure]
    light, heavy = found(0, 4, "LOCATION"), found(0, 4, "NAME")
    assert merge([light, heavy], WEIGHTS) == [heavy]


def test_adjacent_spans_both_stay_and_empty_ones_go():
    left, right = found(0, 4), found(4, 8)
    assert merge([right, found(4, 4), left], WEIGHTS) == [left, right]


def test_a_winner_names_the_rules_that_agreed_with_it():
    winner = merge(
        [found(0, 9, rule="full"), found(0, 4, rule="first"), found(5, 9, "AGE", rule="other")],
        WEIGHTS,
    )
    assert [one.rule for one in winner] == ["full+first"]


spans = st.builds(
    lambda start, length, kind, detector, score: found(
        start, start + length, kind, detector, "r", score
    ),
    st.integers(0, 40),
    st.integers(0, 12),
    st.sampled_from(sorted(WEIGHTS)),
    st.sampled_from(["patterns", "lexicon"]),
    st.sampled_from([0.5, 0.7, 0.95, 1.0]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(spans, max_size=25), st.randoms(use_true_random=False))
def test_the_result_is_disjoint_whole_and_free_of_input_order(several, shuffler: random.Random):
    merged = merge(several, WEIGHTS)
    assert all(a.end <= b.start for a, b in pairwise(merged))
    whole = {(one.start, one.end, one.type) for one in several}
    assert all((one.start, one.end, one.type) in whole for one in merged)
    shuffler.shuffle(several)
    assert merge(several, WEIGHTS) == merged


@settings(max_examples=100, deadline=None)
@given(st.lists(spans, max_size=25))
def test_what_is_left_out_overlaps_something_preferred(several):
    merged = merge(several, WEIGHTS)
    places = {(one.start, one.end, one.type) for one in merged}
    for one in several:
        if one.start < one.end and (one.start, one.end, one.type) not in places:
            over = [m for m in merged if m.start < one.end and one.start < m.end]
            assert min(rank(m, WEIGHTS)[:4] for m in over) <= rank(one, WEIGHTS)[:4]
