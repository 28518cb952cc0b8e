"""Titles: whom they make a patient, whom a clinician, and what is a name behind one."""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import find


def told(text: str, language: str = "en") -> list[tuple[str, str]]:
    """Return the persons found: (text, type)."""
    return [
        (text[one.start : one.end], one.type)
        for one in find(text, Scope(language))
        if one.type in {"NAME", "PROVIDER"}
    ]


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("We saw Ms. Thu Pham again.", "en", "Thu Pham"),
        ("The claim of Mr. April Jones was denied.", "en", "April Jones"),
        ("Mr. Friday called about his claim.", "en", "Friday"),
        ("Mme Avril Durand a été reçue.", "fr", "Avril Durand"),
        ("M. Dimanche a été opéré.", "fr", "Dimanche"),
        ("MME AVRIL DURAND", "fr", "AVRIL DURAND"),
        ("Herr Freitag klagt über Husten.", "de", "Freitag"),
    ],
)
def test_a_day_or_a_month_behind_a_title_is_a_name(text: str, language: str, name: str) -> None:
    assert (name, "NAME") in told(text, language)


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Monday 3 March",
        "Seen on Thu 3 May by the team.",
        "Diagnosed with MS Monday last.",
        "See Dr. Monday at ten.",
        "Le lundi 3 avril, M. 12 ans",
    ],
)
def test_a_day_without_a_name_behind_it_is_none(text: str) -> None:
    """A date behind what looks like a title, or a day alone behind a clinician's, is no name."""
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The patient Dr. Helen Marsh was admitted.", "Helen Marsh"),
        ("Patient: Dr. Helen Marsh, born 1960", "Helen Marsh"),
        ("The claimant Dr. Oyelaran disputes the denial.", "Oyelaran"),
        ("Insured: Prof. Dr. Peter Roth", "Peter Roth"),
        ("Die Patientin Frau Dr. med. Anna Keller wurde operiert.", "Anna Keller"),
        ("Assuré : Dr Jean Martin", "Jean Martin"),
    ],
)
def test_a_patient_with_a_doctors_title_is_a_patient(text: str, name: str) -> None:
    """The title does not make a clinician of whom the text calls the patient."""
    assert told(text) == [(name, "NAME")]


def test_a_patient_with_a_title_stays_one_through_the_text() -> None:
    """Where the same surname bears the title again it is the patient's; other doctors are not."""
    text = "Patient: Dr. Helen Marsh. Dr. Marsh was seen by Dr. Ortiz. Dr. Marsh's knee is better."
    assert told(text) == [
        ("Helen Marsh", "NAME"),
        ("Marsh", "NAME"),
        ("Dr. Ortiz", "PROVIDER"),
        ("Marsh", "NAME"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The patient's doctor is Dr. Ortiz.",
        "The patient was seen by Dr. Ortiz.",
        "Referred patient. Dr. Ortiz agreed.",
        "Patient\nDr. Ortiz",
    ],
)
def test_who_treats_a_patient_is_a_clinician(text: str) -> None:
    assert told(text) == [("Dr. Ortiz", "PROVIDER")]


def test_whom_a_patient_speaks_to_is_a_clinician() -> None:
    """In a dialogue "Patient:" says who speaks; the title is written out where it calls upon."""
    assert told("Patient: Doctor Ortiz, my knee hurts.") == [("Doctor Ortiz", "PROVIDER")]


@pytest.mark.parametrize(
    ("text", "language", "labels"),
    [
        ("Médecin: Dr. Jean Martin", "fr", ["Médecin"]),
        ("Sécurité Sociale : 1 85 05 78 006 084 91", "fr", ["Sécurité", "Sociale"]),
        ("ID: 4711-A, SSN: 078-05-1120, Patient ID: 22", "en", ["ID", "SSN", "Patient"]),
        ("Docteur:\nPatient:\nNom:\nPrénom:\nAdresse:", "fr", ["Docteur", "Patient", "Nom"]),
        ("Arzt: Dr. Weber\nKrankenkasse:\nPatient:\nGeburtsdatum:", "de", ["Arzt", "Patient"]),
    ],
)
def test_labels_of_fields_are_no_values(text: str, language: str, labels: list[str]) -> None:
    """What a form prints for everybody says nothing about anybody (the classic false finds)."""
    for one in find(text, Scope(language)):
        for label in labels:
            assert label not in text[one.start : one.end].split(), one


def test_a_street_may_bear_a_persons_name() -> None:
    """Of "Dr. Marie Dubois" and "rue Marie Dubois" the first is a clinician; neither is lost."""
    text = "Dr. Marie Dubois exerce au 4 rue Marie Dubois."
    assert ("Dr. Marie Dubois", "PROVIDER") in told(text, "fr")
