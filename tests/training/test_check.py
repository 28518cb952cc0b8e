"""What is wrong with a mark's form can be said without reading the document."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from training import check, texts  # noqa: E402


def faults(marked: str) -> list[str]:
    text, marks = texts.parse(marked)
    document = texts.Annotated("a-1", "en", "claim", "letter", text, marks)
    return list(check.faults(document))


@pytest.mark.parametrize(
    "form",
    "2024-03-03,2024-03,2024,--03-03,--02-29,--03,---14,1990s,2024-Q2,2024-H1,2024-FY,2024-autumn,"
    "2022-03-03/2022-03-09,2018/2022,2023-12-28/2024-01-04,early 2024-03,late --09".split(","),
)
def test_a_date_is_one_the_calendar_has_or_a_span_of_two_in_order(form: str) -> None:
    assert not faults(f"{{{{then|EVENT_DATE|P|{form}}}}}")


@pytest.mark.parametrize(
    "form",
    "2023-02-29 2024-13 --04-31 ---32 2024-3-3 03/04/2024 2024-Q5 2022-03-09/2022-03-03 autumn"
    " 2022/2023/2024 2022/".split(),
)
def test_any_other_form_of_a_date_is_named(form: str) -> None:
    assert faults(f"{{{{then|BIRTHDATE|P|{form}}}}}")


@pytest.mark.parametrize("surface", ["May 1", "12/03", "14th", "autumn 2011", "2O24"])
def test_a_date_that_can_be_read_does_not_stand_as_written(surface: str) -> None:
    assert faults(f"{{{{{surface}|EVENT_DATE|P}}}}")


def test_moving_days_and_days_the_calendar_has_not_stand_as_written() -> None:
    assert not faults("{{Easter|EVENT_DATE|P}} {{30 February 2025|EVENT_DATE|P}}")


def test_a_date_of_two_readings_stands_where_the_document_names_both() -> None:
    said = "{{03/04/2024|EVENT_DATE|N}} is {{March 4|EVENT_DATE|N|2024-03-04}}"
    assert faults(said)
    assert not faults(said + " or {{3 April|EVENT_DATE|N|2024-04-03}}")


def test_an_age_is_a_number_or_a_range_with_its_unit_if_not_years() -> None:
    for form in ("58", "16-44", "70+", "4 months", "19 days"):
        assert not faults(f"{{{{so|AGE|P|{form}}}}}")
    for form in ("sixteen", "16 to 44", "4 mois", "late sixties"):
        assert faults(f"{{{{so|AGE|P|{form}}}}}")


def test_no_form_is_broken_by_lines_or_blanks() -> None:
    assert faults("{{4 Mill Lane\nLeeds|ADDRESS|P}}")
    assert not faults("{{4 Mill Lane\nLeeds|ADDRESS|P|4 Mill Lane, Leeds}}")


def test_our_own_texts_have_no_fault() -> None:
    assert check.main([]) == 0
