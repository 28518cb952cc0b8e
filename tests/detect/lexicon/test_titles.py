"""Titles: whom they make a patient, whom a clinician, and what is a name behind one."""

import pytest

from linkmask.config import Settings
from linkmask.detect import first_pass
from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import find
from linkmask.graph.entities import canonical
from linkmask.records import Document


def told(text: str, language: str = "en") -> list[tuple[str, str]]:
    """Return the persons found: (text, type)."""
    return [
        (text[one.start : one.end], one.type)
        for one in find(text, Scope(language))
        if one.type in {"NAME", "PROVIDER"}
    ]


def decided(text: str) -> list[tuple[str, str]]:
    """Return the persons found by the rules once it is decided who is staff: (text, type)."""
    settings = Settings(detector="rules")
    mentions = first_pass(Document("letter", text, {}), settings, canonical)
    return [(one.original, one.type) for one in mentions if one.type in {"NAME", "PROVIDER"}]


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("We saw Ms. Thu Pham again.", "en", "Thu Pham"),
        ("The claim of Mr. April Jones was denied.", "en", "April Jones"),
        ("Mr. Friday called about his claim.", "en", "Friday"),
        ("Mrs Easter feeds the cat.", "en", "Easter"),
        ("Mme Avril Durand a été reçue.", "fr", "Avril Durand"),
        ("M. Dimanche a été opéré.", "fr", "Dimanche"),
        ("MME AVRIL DURAND", "fr", "AVRIL DURAND"),
        ("Herr Freitag klagt über Husten.", "de", "Freitag"),
        ("Kd. Ehel. Sonnabend kommen.", "de", "Sonnabend"),
        ("Vormundin RAin Sommer schreibt.", "de", "Sommer"),
        ("Gespräch mit Koll. Freitag und Hrn. Sommer.", "de", "Freitag"),
        ("Abgesagt hat Frau **Himmel**, im KH.", "de", "Himmel"),
    ],
)
def test_a_day_or_a_month_behind_a_title_is_a_name(text: str, language: str, name: str) -> None:
    assert (name, "NAME") in told(text, language)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Sehr geehrter Herr Kollege, danke für die Zuweisung.", []),
        ("Sehr geehrte Frau Kollegin, danke für die Zuweisung.", []),
        ("Lieber Herr Kollege Meier, danke für die Zuweisung.", [("Meier", "NAME")]),
        ("Frau Bürgermeister klagt über Husten.", [("Bürgermeister", "NAME")]),
        ("Frau Gräfin klagt über Husten.", [("Gräfin", "NAME")]),
        ("Sr. Pastor, DNI 12345678Z, tiene tos.", [("Pastor", "NAME")]),
        ("Mme Pastor est venue hier.", [("Pastor", "NAME")]),
        ("Mme Maître est venue.", [("Maître", "NAME")]),
        ("Dear Mr Pastor, your claim is paid.", [("Pastor", "NAME")]),
        ("Mr Justice called about his bill.", [("Justice", "NAME")]),
        ("Mr Senator called.", [("Senator", "NAME")]),
        ("Frau Richter klagt über Husten.", [("Richter", "NAME")]),
        ("Herr Graf klagt über Husten.", [("Graf", "NAME")]),
        ("Mr MS Roe coughs.", [("MS Roe", "NAME")]),
    ],
)
def test_a_title_behind_a_title_is_a_surname_too_but_for_forms_of_address(
    text: str, names: list[tuple[str, str]]
) -> None:
    assert told(text, "de") == names


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
        ("Frau Dr. Keller ist seit 2019 bei uns versichert.", "Keller"),
        ("Dr. Oyelaran is insured with us since May.", "Oyelaran"),
        ("Dr. Helen Marsh was a patient here.", "Helen Marsh"),
        ("Le Dr Jean Martin est assuré chez nous.", "Jean Martin"),
    ],
)
def test_a_patient_with_a_doctors_title_is_a_patient(text: str, name: str) -> None:
    """The title does not make a clinician of whom a label or a predicate calls the patient."""
    assert decided(text) == [(name, "NAME")]


def test_a_patient_with_a_title_stays_one_through_the_text() -> None:
    """Where the same surname bears the title again it is the patient's; other doctors are not."""
    text = "Patient: Dr. Helen Marsh. Dr. Marsh was seen by Dr. Ortiz. Dr. Marsh's knee is better."
    assert decided(text) == [
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
        "Dr. Ortiz is the patient's physician.",
        "Dr. Ortiz is treating the patient.",
        "Dr. Ortiz was with a member of staff.",
    ],
)
def test_who_treats_a_patient_is_a_clinician(text: str) -> None:
    assert decided(text) == [("Dr. Ortiz", "PROVIDER")]


@pytest.mark.parametrize(
    "text", ["Frau Dr. [NAME] klagt.", "Herr Doktor, hier ist er.", "Mrs. Dr. [NAME] is here."]
)
def test_a_title_behind_a_title_is_no_name(text: str) -> None:
    """A check reads masked texts, and what it takes for a name is masked, too."""
    assert told(text) == []


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
    read = f"{text}\nDr. Zoan Brandvold"
    found = list(find(read, Scope(language)))
    assert found
    for one in found:
        for label in labels:
            assert label not in read[one.start : one.end].split(), one


def test_a_street_may_bear_a_persons_name() -> None:
    """Of "Dr. Marie Dubois" and "rue Marie Dubois" the first is a clinician; neither is lost."""
    text = "Dr. Marie Dubois exerce au 4 rue Marie Dubois."
    assert ("Dr. Marie Dubois", "PROVIDER") in told(text, "fr")


def test_an_italian_doctor_in_small_letters_is_found() -> None:
    text = "La sorella minore, Allegra, in cura per DCA presso dott. Fortunato."
    mentions = first_pass(Document("letter", text), Settings(), canonical)
    assert any("Fortunato" in one.original for one in mentions)
