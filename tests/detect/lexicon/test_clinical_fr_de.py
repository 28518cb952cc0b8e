"""Common conditions and treatments in French and German, as they are inflected and typed."""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import find

CASES = [
    ("fr", "MEDICAL_CONDITION", "une thrombose veineuse profonde", "thrombose veineuse profonde"),
    ("fr", "MEDICAL_CONDITION", "Il souffre d'acouphènes et de vertiges.", "acouphènes"),
    ("fr", "MEDICAL_CONDITION", "plusieurs ulcères cette année", "ulcères"),
    ("fr", "MEDICAL_CONDITION", "une BPCO depuis 2019", "BPCO"),
    ("fr", "MEDICAL_CONDITION", "UN TRAUMATISME CRANIEN GRAVE", "TRAUMATISME CRANIEN"),
    ("fr", "MEDICAL_CONDITION", "un syndrome d'Alport connu", "syndrome d'Alport"),
    ("fr", "MEDICAL_CONDITION", "la tétralogie de Fallot", "tétralogie de Fallot"),
    ("de", "MEDICAL_CONDITION", "wegen Morbus Meulengracht", "Morbus Meulengracht"),
    ("fr", "TREATMENT", "sous anticoagulants depuis mars", "anticoagulants"),
    ("fr", "TREATMENT", "traité par metformine", "metformine"),
    ("de", "MEDICAL_CONDITION", "wegen mehrerer Magengeschwüre", "Magengeschwüre"),
    ("de", "MEDICAL_CONDITION", "die Folgen eines Schlaganfalls", "Schlaganfalls"),
    ("de", "MEDICAL_CONDITION", "Uebelkeit und Schwerhoerigkeit", "Uebelkeit"),
    ("fr", "MEDICAL_CONDITION", "Son voisin est manchot depuis l'enfance.", "manchot"),
    ("fr", "MEDICAL_CONDITION", "La patiente est fibromyalgique.", "fibromyalgique"),
    ("fr", "MEDICAL_CONDITION", "Le témoin, sourd-muet, signe.", "sourd-muet"),
    ("fr", "MEDICAL_CONDITION", "Elle est presque sourde.", "sourde"),
    ("de", "MEDICAL_CONDITION", "Die Mutter ist dement.", "dement"),
    ("de", "MEDICAL_CONDITION", "Der Lokführer ist farbenblind.", "farbenblind"),
    ("de", "TREATMENT", "bekam zwei Hörgeräte", "Hörgeräte"),
    ("de", "TREATMENT", "eine künstliche Befruchtung", "künstliche Befruchtung"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "entity_type", "text", "value"), CASES)
def test_a_common_word_of_medicine_is_found(
    language: str, entity_type: str, text: str, value: str
) -> None:
    assert value in [
        text[one.start : one.end] for one in find(text, Scope(language)) if one.type == entity_type
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [("Das sieht man sofort", "de"), ("faits divers", "fr"), ("Mi fa male la schiena", "fr")],
)
def test_a_word_for_people_is_another_word_in_another_language(text: str, language: str) -> None:
    """An Italian text is read by the lists of the nearest language that has some."""
    assert not any(one.type == "DEMOGRAPHIC" for one in find(text, Scope(language)))


@pytest.mark.parametrize(
    ("text", "language"),
    [("a man of few words", "en"), ("Geschlecht: divers", "de"), ("une femme âgée", "fr")],
)
def test_a_word_for_people_is_one_in_its_language(text: str, language: str) -> None:
    assert any(one.type == "DEMOGRAPHIC" for one in find(text, Scope(language)))


@pytest.mark.parametrize("text", ["Gaucher disease", "une maladie de Gaucher", "Morbus Gaucher"])
def test_who_a_disease_is_named_after_is_no_group(text: str) -> None:
    assert not any(one.type == "DEMOGRAPHIC" for one in find(text, Scope("fr")))


@pytest.mark.parametrize(
    ("text", "language"),
    [("CHF 1'250.00 bezahlt", "de"), ("Prime en CHF", "fr"), ("a fee of CHF 300", "en")],
)
def test_francs_are_no_heart_failure(text: str, language: str) -> None:
    assert not any(one.type == "MEDICAL_CONDITION" for one in find(text, Scope(language)))


def test_an_insurance_is_not_named_after_its_town() -> None:
    text = "assurance maladie de Perrecy"
    assert not any(text[one.start : one.end].endswith("Perrecy") for one in find(text, Scope("fr")))


@pytest.mark.parametrize(
    "text", ["the heroine of the book", "Haemophilus influenzae", "the spa in Sept", "SEP 2024"]
)
def test_what_only_looks_like_one_is_not(text: str) -> None:
    """An ending does not make a drug of a word, nor a month of a disease's short form."""
    assert [one for one in find(text, Scope("en")) if one.type == "TREATMENT"] == []
    assert [one for one in find(text, Scope("en")) if one.type == "MEDICAL_CONDITION"] == []
