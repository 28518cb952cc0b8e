"""The words of a full name are found where they stand alone in the same document."""

from __future__ import annotations

import pytest

from linkmask.detect.candidates import Candidate
from linkmask.detect.parts_of_names import parts_of_names, words_of_names


def alone(text: str, name: str) -> list[str]:
    """Return what is found besides a name that a form told."""
    start = text.index(name)
    found = [Candidate(start, start + len(name), "NAME", "fields", "label", 0.85)]
    return [text[o.start : o.end] for o in parts_of_names(text, words_of_names(text, found), found)]


def test_the_given_name_of_a_form_is_found_in_its_text() -> None:
    """A given name that no list holds is known by the full name above."""
    text = "Requested for: Hjordys Blandal\n\nAfter the update Hjordys needs it. Blandal agrees."
    assert alone(text, "Hjordys Blandal") == ["Hjordys", "Blandal"]


def test_names_in_capitals_are_found_in_other_letters() -> None:
    """A form's capitals do not hide the name in its text."""
    assert alone("PATIENT: ZELKA THRELKELD\nZelka has asthma.", "ZELKA THRELKELD") == ["Zelka"]


def test_a_name_of_one_word_and_its_plural_are_found_again() -> None:
    assert alone("Mr. Finch came. Finch left; the Finches stayed.", "Finch") == ["Finch", "Finches"]
    assert alone("Mr. Will came. Will it rain?", "Will") == []


def test_a_clinician_is_found_again_by_the_last_word() -> None:
    text = "Dr. Mona Voss came. Voss asked; Mona slept."
    found = [Candidate(0, 13, "PROVIDER", "lexicon", "clinician", 0.9)]
    again = parts_of_names(text, words_of_names(text, found), found)
    assert [(text[one.start : one.end], one.type) for one in again] == [("Voss", "PROVIDER")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Name: Rusk Blandal\nRusk is dry; she ate rusk.", "Rusk Blandal"),
        ("Name: Mary Lake\nThe Lake is deep.", "Mary Lake"),
        ("Name: Zelka Threlkeld\nthe Threlkeld Inn, zelka@threlkeld.example", "Zelka Threlkeld"),
    ],
)
def test_words_of_the_language_and_other_names_are_left(text: str, name: str) -> None:
    """A word that also stands in small letters, a listed thing and a longer name are left."""
    assert alone(text, name) == []
