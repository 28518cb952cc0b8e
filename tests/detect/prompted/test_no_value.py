"""Labels, empty fields, stages and slang are no values; the values beside them stay."""

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document


def found(text: str) -> list[tuple[str, str]]:
    """Return what all finders together see: (surface, type)."""
    read = detect.first_pass(Document("d", text, {}), Settings(), entities.canonical)
    return [(text[m.start : m.end], m.type) for m in read]


@pytest.mark.parametrize(
    "text",
    [
        "Relationship to insured: Self",
        "Relationship to insured: Spouse",
        "Patient Name: See attached",
        "Patient Name: See above",
        "Name: TBD",
        "Nom : non renseigné",
        "Prénom : inconnu",
        "Name: siehe oben",
        "Vorname: unbekannt",
        "Allergies:",
        "Allergies: none",
        "Prior Authorization Required: No",
        "Weather was fine.",
        "The screen said error 0x80070005 again.",
        "Jsuis pas content",
        "Cest trop long",
    ],
)
def test_what_says_nothing_is_no_value(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "value", "entity_type"),
    [
        ("Relationship to insured: Self\nName: Tavira Quellwin", "Tavira Quellwin", "NAME"),
        ("Prénom : Maël   Né(e) le : 03/05/2014", "Maël", "NAME"),
        ("Prénom : Maël   Né(e) le", "Maël", "NAME"),
        ("Vorname: Jörn   Geb. 03.05.2014", "Jörn", "NAME"),
        ("Name: Will Self", "Will Self", "NAME"),
        ("Morbus Bechterew seit 2010", "Morbus Bechterew", "MEDICAL_CONDITION"),
        ("Offener Rücken seit der Geburt", "Offener Rücken", "MEDICAL_CONDITION"),
        ("Jai Patel called on Monday.", "Jai Patel", "NAME"),
    ],
)
def test_the_value_beside_it_is_found(text: str, value: str, entity_type: str) -> None:
    assert (value, entity_type) in found(text)


@pytest.mark.parametrize("ill", ["Brustkrebs", "COPD", "Lungenkrebs", "Dekubitus", "Melanom"])
def test_the_stage_of_a_disease_is_no_place(ill: str) -> None:
    assert {kind for _, kind in found(f"{ill} Stadium III")} == {"MEDICAL_CONDITION"}


@pytest.mark.parametrize(
    ("text", "value", "entity_type"),
    [
        ("MRN 1998", "1998", "PATIENT_ID"),
        ("Patient no. 2015", "2015", "PATIENT_ID"),
        ("patient number 1998 was seen", "1998", "PATIENT_ID"),
        ("Ticket #2015", "#2015", "NON_PERSONAL_ID"),
        ("Suite 2015", "Suite 2015", "ADDRESS"),
        ("K. called today.", "K", "NAME"),
        ("李", "李", "NAME"),
    ],
)
def test_a_number_that_looks_like_a_year_and_a_letter_in_a_sentence_are_values(
    text: str, value: str, entity_type: str
) -> None:
    assert (value, entity_type) in found(text)


@pytest.mark.parametrize("text", ["A", "x", "Z.", "é", "(B)", "7", " Q\n"])
def test_a_text_of_one_letter_or_figure_says_nothing(text: str) -> None:
    assert found(text) == []
