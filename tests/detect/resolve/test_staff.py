"""Staff apart from patients: a label with a role makes a name a PROVIDER, whoever found it."""

from functools import cache

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve.staff import mark_staff_as_providers
from linkmask.graph import entities
from linkmask.records import Document

ROLES = {
    "en": """
    Provider, Attending, Attending physician, PCP, Primary care physician, Referring provider,
    Case manager, Nurse case manager, Reviewed by, Agent, Medical director, Physician, Doctor,
    Surgeon, Nurse, RN, Charge nurse, Nurse practitioner, Physician assistant, Therapist,
    Physical therapist, Speech therapist, Pharmacist, Midwife, Dentist, Consultant, Adjuster,
    Claims adjuster, Claims examiner, Claims handler, Peer reviewer, Assessor, Underwriter,
    Social worker, Care coordinator, Customer service representative, Insurance agent,
    Prescriber, Name of treating physician, Physician's name, Nurse on duty, Approved by,
    Anesthesiologist""",
    "fr": """
    Médecin, Médecin traitant, Médecin-conseil, Kiné, Kinésithérapeute,
    Masseur-kinésithérapeute, Gestionnaire, Gestionnaire du dossier, Sage-femme, Infirmière,
    Infirmier(ère), IDE, Aide-soignante, Pharmacien, Pharmacienne, Chirurgien, Dentiste,
    Orthophoniste, Psychologue, Conseillère, Expert, Rédactrice, Assistante sociale, Agent,
    Directeur médical, Nom du médecin, Dossier suivi par, Infirmière référente""",
    "de": """
    Arzt, Hausarzt, Behandelnder Arzt, Behandelnde Ärztin, Arzt vom Dienst, Schwester,
    Krankenschwester, Pfleger, Pflegekraft, Pflegefachkraft, Hebamme, Apotheker, Therapeutin,
    Physiotherapeut, Ergotherapeutin, Logopädin, Sachbearbeiter, Sachbearbeiterin, Gutachterin,
    Kundenberaterin, Prüfärztin, Fallmanagerin, Name des Arztes, Ärztlicher Leiter, Geprüft von""",
}
LABELS = [(language, role.strip()) for language, text in ROLES.items() for role in text.split(",")]


@cache
def persons(text: str) -> list[tuple[str, str]]:
    """Return the persons that all finders together see: (surface, type)."""
    read = detect.first_pass(Document("d", text, {}), Settings(), entities.canonical)
    return [(text[m.start : m.end], m.type) for m in read if m.type in {"NAME", "PROVIDER"}]


@pytest.mark.parametrize(("language", "role"), LABELS)
def test_whom_a_role_labels_is_staff(language: str, role: str) -> None:
    """Behind a colon, a tab, a dash, in a table's cell; the name may be in no list."""
    colon = " :" if language == "fr" else ":"
    for name in ("Louise Petrov", "Ngozi Brandhuld", "Mr. Petrov"):
        bare = name.removeprefix("Mr. ")
        assert (bare, "PROVIDER") in persons(f"{role}{colon} {name}")
    for text in (
        f"{role}\tLouise Petrov",
        f"{role} – Louise Petrov",
        f"| {role} | Louise Petrov |",
    ):
        assert ("Louise Petrov", "PROVIDER") in persons(text)


@pytest.mark.parametrize(
    "text",
    [
        "Patient: Louise Petrov, RN",
        "Insured: Louise Petrov (nurse)",
        "Assurée : Louise Petrov, infirmière",
        "Versicherte: Louise Petrov, Krankenschwester",
        "Louise Petrov, nurse, 45, was admitted with asthma.",
        "Mme Louise Petrov, infirmière, 45 ans, consulte.",
        "Louise Petrov, née le 3 mai 1980, infirmière",
        "Patientin Louise Petrov, Pflegerin, 45 Jahre",
        "Louise Petrov is a nurse and lives in Leeds.",
        "The nurse, Anneke, sang to her.",
        "Our case manager Louise Petrov agreed.",
        "Voice therapy with Mandy Oster, SLP.",
        "The retired nurse Louise Petrov was admitted.",
        "Nurse visit: Louise Petrov",
        "Physician referral: Louise Petrov",
        "Visite infirmière : Louise Petrov",
        "Nurse: Louise, how are you today?",
        "Doctor: Louise, please sit down.",
        "Meine Schwester Louise Petrov hat angerufen.",
        "Supervisor: Louise Petrov",
        "Lawyer: Louise Petrov",
        "Our support agent Louise Petrov rang.",
        "The reviewer, Louise Petrov, gave one star.",
        "Louise Petrov: Good evening, how can I help?\nYou: My wife is ill.",
        "The insured, nurse Louise Petrov, was in hospital.",
        "My neighbour, nurse Louise Petrov, saw it.",
        "Mein Nachbar, Pfleger Jens Vogt, hat die Scheibe eingeschlagen.",
        "Ma voisine, infirmière Louise Petrov, a vu l'accident.",
        "Our friend Dr. Petrov came for dinner.",
        "Nachbar: Pfleger Jens Vogt",
        "Neighbour: Nurse Louise Petrov\nClaim: 4471",
        "Voisine : infirmière Louise Petrov",
        "Mother: Dr. Louise Petrov",
        "His wife, nurse Louise Petrov, called.",
        "L'infirmière Louise Petrov a été hospitalisée le 4 mai.",
        "Madame le docteur Petrov est assurée chez nous.",
        "The Government were represented by their Agent, Louise Petrov.",
        "Attending: Louise Petrov\nPatient: Louise Petrov",
        "Name: Dr. Louise Petrov, born 3 May 1980\nDr. Petrov has asthma.",
    ],
)
def test_patients_relatives_and_other_peoples_staff_stay_names(text: str) -> None:
    """Whatever their work is, and whoever speaks to them."""
    told = persons(text)
    assert told
    assert all(kind == "NAME" for _, kind in told)


def test_a_patient_with_the_surname_of_staff_stays_a_name() -> None:
    """A role counts for the name beside it, not for who shares a part of the name."""
    text = "Patient: Tom Petrov. Case manager: Louise Petrov. Mr. Petrov is well."
    assert ("Petrov", "NAME") in persons(text)
    assert ("Louise Petrov", "PROVIDER") in persons(text)


def test_a_find_keeps_its_place_and_score() -> None:
    """Only the type changes and the rule says so; what is no person is left as it is."""
    text = "Nurse: Louise Petrov, Leeds"
    name = Candidate(7, 20, "NAME", "ner", "name", 0.9)
    town = Candidate(22, 27, "LOCATION", "ner", "location", 0.9)
    assert mark_staff_as_providers(text, [name, town]) == [
        name._replace(type="PROVIDER", rule="name+staff"),
        town,
    ]
    assert mark_staff_as_providers("Leeds", [town]) == [town]
