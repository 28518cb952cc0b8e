"""Values folded to one spelling."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linkmask.text.letters import (
    fold_value,
    plain_letters,
    spaced_words,
    without_accents,
    word_key,
)


@pytest.mark.parametrize(
    ("text", "bare"),
    [("Élodie", "Elodie"), ("Zürich", "Zurich"), ("E\u0301lodie", "Elodie"), ("ﬁn", "ﬁn")],
)
def test_accents_go_and_letters_stay(text: str, bare: str) -> None:
    assert without_accents(text) == bare


def test_ligatures_are_parted_on_request() -> None:
    assert without_accents("ﬁn à", "NFKD") == "fin a"


@given(st.text())
def test_no_accent_is_left(text: str) -> None:
    assert not any(map(unicodedata.combining, without_accents(text)))


@pytest.mark.parametrize(
    ("text", "plain", "value"),
    [
        ("  Jean‑Marie  MÜLLER ", "jean-marie muller", "jean marie muller"),
        ("„Haus am Weiß“.", '"haus am weiss".', "haus am weiss"),
    ],
)
def test_spellings_of_one_value_fold_to_one(text: str, plain: str, value: str) -> None:
    assert plain_letters(text) == plain
    assert fold_value(text) == value


@pytest.mark.parametrize(
    ("word", "key"), [("Œdème", "oedeme"), ("CAFÉ‑BAR", "cafe-bar"), ("Łódź", "lodz")]
)
def test_words_are_looked_up_without_case_accents_and_kinds_of_hyphen(word: str, key: str) -> None:
    assert word_key(word) == key


def test_a_file_name_is_read_as_words() -> None:
    assert spaced_words("Jane_Doe-2.JSON") == "jane doe 2 json"


@given(st.text(), st.sampled_from("\u00ad\u200b\u200e\u2060\ufe0f"))
@example("`", "\u00ad")
def test_a_hidden_character_does_not_change_a_value(text: str, hidden: str) -> None:
    half = len(text) // 2
    assert fold_value(text[:half] + hidden + text[half:]) == fold_value(text)
