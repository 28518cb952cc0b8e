"""The words of a column's name tell what stands in it."""

from __future__ import annotations

import pytest

import linkmask
from linkmask.config import Settings
from linkmask.detect import first_pass
from linkmask.detect.structured.fields import fits_label, type_of
from linkmask.graph.entities import canonical
from linkmask.records import Document

NAMED = {
    "dt_brth": "BIRTHDATE",
    "BirthDt": "BIRTHDATE",
    "f_nac": "BIRTHDATE",
    "date_naiss": "BIRTHDATE",
    "Data urodzenia": "BIRTHDATE",
    "nombre_benef": "NAME",
    "cust_nm_full": "NAME",
    "tel_ouder_1": "PHONE_NUMBER",
    "contact2": "PHONE_NUMBER",
    "klant_nr": "PATIENT_ID",
    "strasse_hausnr": "ADDRESS",
    "Shipping Address": "ADDRESS",
    "q3_bd": "BIRTHDATE",
}


@pytest.mark.parametrize(("label", "entity_type"), NAMED.items())
def test_a_column_is_known_by_its_words(label: str, entity_type: str) -> None:
    """Abbreviations and further words in a column's name do not hide what it holds."""
    assert type_of(label) == entity_type


@pytest.mark.parametrize(
    "label",
    [
        "birth place",
        "lieu_naiss",
        "birth weight",
        "name",
        "product name",
        "file_name",
        "date",
        "id",
    ],
)
def test_one_word_of_a_column_is_not_enough(label: str) -> None:
    """A name with a word that is not known to go with the others names no type."""
    assert type_of(label) in ("", "LOCATION")


def test_what_words_name_together_must_look_so() -> None:
    """A column that only its words tell is believed where its value has the form of its type."""
    assert fits_label("contact2", "0301 555 017 2")
    assert not fits_label("contact2", "prefers letters")


def test_birth_dates_of_a_record_are_masked_whole() -> None:
    """Of a birth date in a field with a short name, no month is left in the release."""
    record = {"dt_brth": "1967-03-19", "tel_1": "9820055512"}
    given = {"id": "one", "content": "Prefers letters.", "metadata": record}
    released = str(linkmask.mask([given]).records)
    assert "1967" not in released
    assert "9820055512" not in released


def types_in(text: str) -> list[str]:
    """Return the types of what the first pass finds."""
    return [one.type for one in first_pass(Document("1", text), Settings(), canonical)]


BORN = [
    "Fecha de nac.: 17-12-2009",
    "Data de nasc.: 31/08/1950",
    "Data urodzenia: 14.05.1962",
    "Doğum tarihi: 05.04.1986",
    "Nací el 23 de abril de 1986.",
    "El bebe nacio el 4-5-2015.",
    "La filha, Jhenyfer (DN 02.02.2009), ligou.",
    "nasc 19/03/62",
    "Agent: Name and date of birth please\nCaller: Ann Roth, 3 May 1962",
    "Karin: Ich brauche bitte noch Ihr Geburtsdatum.\nGast: Talweg 2, 09.02.89",
    "[09:14] Daan: En uw geboortedatum?\n[09:15] Klant: 13 maart 1991",
]


@pytest.mark.parametrize("text", BORN)
def test_a_birth_date_is_known_by_what_asks_for_it(text: str) -> None:
    """A label, a verb or another speaker's question tells that a date is a birth date."""
    assert types_in(text).count("BIRTHDATE") == 1
