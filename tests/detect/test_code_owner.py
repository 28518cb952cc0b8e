"""A code of which nothing says that it is a thing's is a person's, and so always masked."""

import pytest

from linkmask.detect.candidates import Scope
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


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("SURVEY 2024", "2024"),
        ("questionnaire 2024", "2024"),
        ("CHART 2023 shows", "2023"),
        ("SONDAGE_2024/25", "2024/25"),
        ("1998", "1998"),
    ],
)
def test_an_ordinary_word_followed_by_a_year_is_no_number(text: str, year: str) -> None:
    span = code_owner.year_span(text, 0, len(text))
    assert span and text[slice(*span)] == year


@pytest.mark.parametrize(
    ("lead", "code"),
    [
        ("", "MRN 2024"),
        ("member no. ", "2024"),
        ("Adhérent n° : ", "1987"),
        ("Chart: ", "2023"),
        ("Badge ", "1987"),
        ("survey ", "2024-118"),
        ("JOURNAL ", "2023/118"),
        ("file ", "3024"),
    ],
)
def test_a_year_behind_a_word_or_a_sign_for_a_number_may_be_one(lead: str, code: str) -> None:
    assert code_owner.year_span(lead + code, len(lead), len(lead + code)) is None


def test_the_model_s_code_that_is_a_year_is_a_date() -> None:
    """Whatever the model takes "CHART 2023" for, no patient's number comes of it."""
    from linkmask.detect import ner

    for text in ("SURVEY 2024", "CHART 2023 shows", "ENQUÊTE 2024 : questionnaire 2024"):
        assert {one.type for one in ner.find(text, Scope())} <= {"EVENT_DATE"}, text
