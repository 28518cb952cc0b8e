"""A date right behind a person's name is the birth date if it is years before all other dates."""

from __future__ import annotations

import pytest

from linkmask import Settings
from linkmask.detect import first_pass
from linkmask.graph.entities import canonical
from linkmask.records import Document


def types_of(text: str) -> list[tuple[str, str]]:
    """Return the dates found in a text, with their types."""
    found = first_pass(Document("a", text), Settings(), canonical)
    return [(one.original, one.type) for one in found if "DATE" in one.type]


@pytest.mark.parametrize(("text", "born"), [
    ("Frau Anna Klee, 12.03.1950, wohnhaft in Flensburg", "12.03.1950"),
    ("Anna Klee (12.03.1950) wurde am 04.05.2023 entlassen.", "12.03.1950"),
    ("Re: John Marsh, 12/03/1950\nThank you for your letter of 3 May 2024.", "12/03/1950"),
    ("Pat.: Klee, Anna w 12.03.1950, Termin 03.02.2021", "12.03.1950"),
    ("Member: JOHN MARSH  03/12/1950  M", "03/12/1950"),
    ("jeune : Roux Gaëtan / 07.08.09, vu le 3.5.2025", "07.08.09"),
    ("Mitversichert: Klee, Anna, 12.03.1950; Klee, Jonas, 01.02.1953", "12.03.1950"),
])  # fmt: skip
def test_a_date_behind_a_name_decades_before_the_others_is_a_birth_date(
    text: str, born: str
) -> None:
    assert (born, "BIRTHDATE") in types_of(text)


@pytest.mark.parametrize(("text", "born"), [
    ("Tochter Mia (2012) und Sohn Ben (2015) leben beim Vater.", ["2012", "2015"]),
    ("Her daughter Mia (2012) lives with her since 2019.", ["2012"]),
    ("Vater Olaf Klee, Tochter Mia *3/22", ["3/22"]),
    ("jeune : Roux Gaëtan / 07.08.09 / 3e B", ["07.08.09"]),
    ("1 SELTEN/VOLKMAR MR 11.11.55  2 KRAUSE/JUSTIN CHD 08.09.2014", ["11.11.55", "08.09.2014"]),
    ("Mrs Dilys Dafydd b 23.6.33, lives alone", ["23.6.33"]),
    ("MRS FELICITY DAMP          02-FEB-1959", ["02-FEB-1959"]),
])  # fmt: skip
def test_a_year_behind_a_relative_and_a_date_in_a_line_of_fields_are_birth_dates(
    text: str, born: list[str]
) -> None:
    assert [value for value, kind in types_of(text) if kind == "BIRTHDATE"] == born


@pytest.mark.parametrize("text", [
    "John Marsh called on 12/03/1950.",  # words lie between
    "Signed: John Marsh, 12/03/2024",  # nobody's birth date yet
    "John Marsh, 12/03/2004. Received on 14/03/2004, answered on 20/03/2004.",  # of its time
    "John Marsh\n12/03/1950",  # the next line
    "John Marsh, 12 March 1950",  # as courts cite: in words
    "author: John Marsh 2005-04-16 fix: typo",  # too few years ago to tell
    "Dr. Helga Weber, 12.03.1950",  # of staff
    "John Marsh (2012) and Ann Lee (2015) wrote on it.",  # as papers cite
    "John Marsh / 12.03.2024, answered on 14.03.2024",  # one date of several
])  # fmt: skip
def test_other_dates_behind_names_are_no_birth_dates(text: str) -> None:
    assert {kind for _, kind in types_of(text)} == {"EVENT_DATE"}
