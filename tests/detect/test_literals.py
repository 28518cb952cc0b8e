"""Rules are tried around their literals, and find what they find when tried everywhere."""

from __future__ import annotations

import re

from linkmask.detect.lexicon.literals import Literals, around
from linkmask.detect.patterns.prefilter import Near, shape
from linkmask.detect.patterns.rule import Rule


def test_each_rule_is_told_where_its_literals_stand() -> None:
    search = Literals([("only one", "one"), ("none",), ("one", "é o")])
    assert search.inside("é only one") == [(0, [2, 7]), (2, [0, 7])]
    assert search.inside("nothing") == []


def test_matches_around_literals_are_disjoint_and_within_reach() -> None:
    form = re.compile("a{1,3}b")
    text = "aab aaab" + " " * 40 + "ab"
    places = [2, 7]
    assert [match.span() for match in around(form, text, places, 3, 4)] == [(0, 3), (4, 8)]


def test_a_piece_of_one_letter_counts_as_a_word_only() -> None:
    near = Near([Rule("one", "X", "x", near=("n", "nr"), reach=(0, 8), digit=(0, 4), whole=True)])
    assert near.stretches(shape("nun n° 42, nr 7, n 1")) == {0: [[4, 26]]}
    assert near.stretches(shape("an 12 in 3")) == {}
