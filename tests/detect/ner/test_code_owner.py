"""A code of which nothing says that it is a thing's is a person's, and so always masked."""

import pytest

from linkmask.detect.ner import code_owner


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("on the ship, crew ", "30718"),
        ("Payroll\nTC-3108", "TC-3108"),
        ("her paybook ", "8830-116-4"),
        ("my staff one is ", "two two six one eight"),
        ("son matricule ", "K 9941.17"),
    ],
)
def test_what_nothing_says_of_is_a_persons(line: str, code: str) -> None:
    text = line if line.endswith(code) else line + code
    assert code_owner.code_type(text, len(text) - len(code), len(text)) == "PATIENT_ID"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("our claim ", "30718-2"),
        ("the policy with number ", "TC-3108"),
        ("facture n° ", "2023/417"),
        ("Aktenzeichen: ", "7 O 441/22"),
        ("see leaflet ", "EX-14"),
        ("he is under ", "Care Plus Gold Plan"),
    ],
)
def test_what_a_word_says_is_a_things_or_has_few_digits_stays_one(line: str, code: str) -> None:
    text = line + code
    assert code_owner.code_type(text, len(line), len(text)) == "NON_PERSONAL_ID"


def test_a_word_in_the_line_before_does_not_count() -> None:
    text = "the claim\n30718"
    assert code_owner.code_type(text, 10, 15) == "PATIENT_ID"


@pytest.mark.parametrize("code", ["2024 - free", "2019 –"])
def test_a_year_with_words_behind_is_no_code(code: str) -> None:
    assert code_owner.code_type(f"Copyright {code}", 10, 10 + len(code)) == ""


@pytest.mark.parametrize("word", ["order_id", "GM-CSF", "TCP/IP", "XL"])
def test_a_word_without_a_figure_is_no_code(word: str) -> None:
    assert code_owner.code_type(f"sort by {word}", 8, 8 + len(word)) == ""


def test_a_word_with_a_given_name_may_be_a_code() -> None:
    assert code_owner.code_type("sort by jane_doe", 8, 16) == "NON_PERSONAL_ID"


@pytest.mark.parametrize("text", ["RR 150/80", "Puls 72", "CRP 12"])
def test_what_is_measured_is_nobodys_number(text: str) -> None:
    assert code_owner.is_of_catalogue(text, 0, len(text))


@pytest.mark.parametrize("lead", ["The licence plate was ", "Case reference "])
def test_a_word_behind_the_name_of_a_number_is_a_code(lead: str) -> None:
    value = "KBX-TRWM"
    assert code_owner.code_type(lead + value, len(lead), len(lead + value)) == "NON_PERSONAL_ID"
