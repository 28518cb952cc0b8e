"""Masks of an earlier run, in every form that a style writes, are no values."""

import pytest

from linkmask.detect.candidates import Candidate
from linkmask.detect.written_masks import outside_earlier_masks, with_stand_ins

FORMS = ["[NAME]", "[NAME_1a2b3c4d]", "[NAME_1a2b3c4d5e6f7a8b]"]


@pytest.mark.parametrize("mask", FORMS)
def test_a_find_that_touches_an_earlier_mask_is_dropped(mask):
    text = f"Ms. {mask} called"
    inside = Candidate(5, 4 + len(mask) - 1, "NAME", "ner", "name", 0.9)
    assert outside_earlier_masks(text, [inside], {"NAME"}) == []


@pytest.mark.parametrize("mask", FORMS)
def test_a_plain_value_of_the_same_length_stands_in_for_an_earlier_mask(mask):
    stood = with_stand_ins(f"Ms. {mask} called")
    assert "[" not in stood
    assert len(stood) == len(f"Ms. {mask} called")
