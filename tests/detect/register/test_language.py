"""Language by passage: where it changes, what follows from it, and what it does not disturb."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask import mask
from linkmask.config import Settings
from linkmask.detect import first_pass
from linkmask.detect.candidates import Scope
from linkmask.detect.register import language as language_module
from linkmask.detect.register.language import (
    CLEAR,
    FUNCTION_WORDS,
    KNOWN,
    language,
    passages,
    scope_at,
    uncovered_language,
    unknown_language,
)
from linkmask.graph.entities import canonical
from linkmask.records import Document

LANGUAGES = ("en", "fr", "de")
ENGLISH = "The claim was sent by the member on 03/04/2024 and is to be paid after the audit."
FRENCH = "Le 03/04/2024, la patiente est venue pour un contrôle avec son mari et une amie."
GERMAN = "Der Versicherte wurde am 03.04.2024 mit dem Rettungswagen in die Klinik gebracht."


def told(text: str, main: str = "en", languages: tuple[str, ...] = LANGUAGES) -> list[str]:
    return [part.scope.language for part in passages(text, Scope(main), languages)]


@pytest.mark.parametrize(
    ("form", "spoken"),
    [
        ("MEMBER CLAIM FORM\nClaim No.: 24-116\nInsured: O. Brandvold\nPhone: 555-0143", "en"),
        ("DÉCLARATION\nDossier n° : 24-116\nAssurée : M. Kerbrat\nAdresse : 2, quai Nord", "fr"),
        ("ANTRAG\nVersicherte: M. Roth\nAnschrift: Hofgasse 2\nTelefon: 0555 0143", "de"),
    ],
)
def test_the_labels_of_a_form_tell_its_language_without_a_model(
    form: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language_module, "identifier", None)
    assert language(form, LANGUAGES) == spoken


@pytest.mark.parametrize("gap", ["\n\n", "\r\n\r\n", "\n \n", "\n"])
def test_each_passage_has_its_language_where_small_words_are_clear(gap: str) -> None:
    assert told(gap.join([ENGLISH, FRENCH, GERMAN, ENGLISH])) == ["en", "fr", "de", "en"]


def test_what_tells_no_language_is_of_the_documents() -> None:
    assert told(f"{FRENCH}\n\nRéf. 2204-17\n\n{FRENCH}", "fr") == ["fr"]
    assert told(f"{ENGLISH}\n\nClinique de la Roche\n12 rue du Lac\n\n{ENGLISH}") == ["en"]


def test_a_quoted_word_or_a_mixed_sentence_changes_nothing() -> None:
    assert told(f"{ENGLISH}\n\nShe said: le la les, and that was all for the day.\n") == ["en"]


def test_languages_that_are_not_enabled_are_not_told() -> None:
    assert told(f"{ENGLISH}\n\n{FRENCH}", languages=("en", "de")) == ["en"]
    assert told(f"{ENGLISH}\n\n{FRENCH}", languages=("en",)) == ["en"]


def test_slashed_dates_are_read_as_the_passage_reads_them() -> None:
    """The third of April in a French passage, the fourth of March in the English one before it."""
    text = f"{ENGLISH}\n\n{FRENCH}"
    mentions = first_pass(Document("d", text), Settings(detector="rules"), canonical)
    dates = [m.value for m in mentions if m.original == "03/04/2024"]
    assert dates == ["2024-03-04", "2024-04-03"]


def test_a_name_from_one_passage_is_known_in_the_next() -> None:
    text = f"Patient: Odalys Brenkov. {ENGLISH}\n\n{FRENCH}\nBrenkov n'a pas de fièvre."
    masked = mask([Document("d", text)], Settings(detector="rules"))
    [document] = masked.documents
    assert "Brenkov" not in document.content


SENTENCES = st.sampled_from(sorted(KNOWN)).map(
    lambda one: (one, " ".join(FUNCTION_WORDS[one].split()[:CLEAR]))
)


@given(st.lists(SENTENCES, min_size=1, max_size=8), st.sampled_from(LANGUAGES))
def test_passages_cover_the_text_and_neighbours_differ(
    parts: list[tuple[str, str]], main: str
) -> None:
    text = "\n\n".join(sentence for _, sentence in parts)
    found = passages(text, Scope(main), LANGUAGES)
    assert found[0].start == 0
    languages = [part.scope.language for part in found]
    assert all(a != b for a, b in pairwise(languages))
    at = 0
    for one, sentence in parts if len(parts) > 1 else []:
        assert scope_at(found, at).language == one
        at += len(sentence) + 2


SENTENCE = {
    "en": ["The claim was sent on {}.", "It is to be paid by the plan on {}.",
           "She was seen at the clinic for this on {}."],
    "fr": ["Elle est venue le {} avec son mari, dans la salle.",
           "La patiente est sortie le {} pour une pause.",
           "Il a signé le {} avec son avocat, à Lyon."],
    "de": ["Sie wurde am {} mit dem Wagen in die Klinik gebracht.",
           "Der Antrag ist am {} nicht bei uns eingegangen.",
           "Die Kosten und der Beleg vom {} sind da."],
}  # fmt: skip
PAIRS = [(one, other) for one in SENTENCE for other in SENTENCE if one != other]


@pytest.mark.parametrize(("one", "other"), PAIRS)
@pytest.mark.parametrize("n", range(3))
def test_a_sentence_among_others_has_its_language(one: str, other: str, n: int) -> None:
    """In one line, wherever small words say so."""
    text = f"{SENTENCE[one][n]} {SENTENCE[other][n]} {SENTENCE[one][n - 1]}".format(
        *["03/04/2024"] * 3
    )
    for main in (one, other):
        assert told(text, main) == [one, other, one]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_slashed_dates_are_read_as_their_sentence_reads_them(one: str, other: str) -> None:
    text = f"{SENTENCE[one][0]} {SENTENCE[other][0]}".format("03/04/2024", "03/04/2024")
    mentions = first_pass(Document("d", text), Settings(detector="rules"), canonical)
    meant = {"en": "2024-03-04", "fr": "2024-04-03", "de": "2024-04-03"}
    assert [m.value for m in mentions if m.type == "EVENT_DATE"] == [meant[one], meant[other]]


@pytest.mark.parametrize(
    "text",
    [
        "He lives near the Place de la Concorde. It was sold by the owner. Dr. von der Leyen came.",
        "The film La Vie est Belle was shown. It is of the forties and was to her taste.",
        "He was seen by Dr. de la Cruz at the Clinique du Lac. The plan is to go on with this.",
        "The Haus der Kunst and the museum of that time were shut. This was for the best.",
    ],
)
def test_names_in_another_language_make_no_sentence_of_it(text: str) -> None:
    assert told(text) == ["en"]


def test_a_name_that_is_spelled_says_nothing_of_the_language() -> None:
    """Letters are words in many languages; a row of them hid the names of an English text."""
    spelled = "My name is Kornelia Zawadzki, spelled Z-A-W-A-D-Z-K-I."
    assert not unknown_language(spelled)
    assert unknown_language(
        "Piszę w sprawie wniosku mojej mamy, która leży w szpitalu i czeka na list"
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "Dzień dobry, piszę w sprawie wniosku mojej mamy, która leży teraz w szpitalu i czeka",
            "pl",
        ),
        ("Γεια σας, είμαι η Παρασκευή, τηλέφωνο 697 555 0143", "el"),
        ("Здравствуйте, меня зовут Ольга, телефон +7 916 555-01-43", "ru"),
        ("Hola, soy la mujer de Paco y vivimos en la calle del Olmo con los hijos", ""),
        ("The patient called on Monday and asked for a copy of the letter.", ""),
        ("Frau Müller hat sich am Montag gemeldet und fragt nach dem Bescheid.", ""),
        ("12345", ""),
        ("", ""),
    ],
)
def test_a_language_without_words_in_detection_is_told(text: str, language: str) -> None:
    """Spanish has recognizers and a list of names; Polish and Greek have neither."""
    assert uncovered_language(text) == language


def test_a_list_of_numbered_files_loads_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading it takes half a second of each run, also of one that reads two new documents."""
    monkeypatch.delattr(language_module, "identifier")
    language_module._by_model.cache_clear()
    assert not unknown_language("\n".join(f"doc{n}.json\n\ndoc{n} json" for n in range(16)))


def test_a_short_text_in_spanish_is_not_in_catalan() -> None:
    """It has most words in common with Catalan, for which there are no recognizers."""
    letter = (
        "Estimado señor: la caldera del piso no funciona. Mi número es el de la ficha. Un saludo"
    )
    assert unknown_language(letter) in ("", "es")
