"""Full names of no list, by their capitals, in languages that have no lists."""

import pytest

import linkmask
from linkmask.detect import first_pass
from linkmask.detect.names.unlisted import (
    has_other_letters,
    names_within_sentences,
    unlisted_names,
)
from linkmask.graph.entities import canonical
from linkmask.records import Document


def by_form(text: str) -> list[str]:
    return [text[one.start : one.end] for one in unlisted_names(text)]


def names(text: str) -> list[str]:
    mentions = first_pass(Document("a", text), linkmask.load(), canonical)
    return [one.original for one in mentions if one.type == "NAME"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Nahlásila Blažena Kudrnáčová včera.", ["Blažena Kudrnáčová"]),
        ("Reclamanta Domnica Vrânceanu a venit.", ["Domnica Vrânceanu"]),
        ("zgłosiła Mirosława Szczepańczyk-Wronowa.", ["Mirosława Szczepańczyk-Wronowa"]),
    ],
)
def test_words_with_capitals_within_a_sentence_are_a_name(text: str, found: list[str]) -> None:
    assert by_form(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Blažena Kudrnáčová včera.",
        "ve městě Brno včera",
        "v hlavním městě Praha Europe",
        "na serveru BRNO NET",
        "napsal blazena.kudrnacova@example.org",
    ],
)
def test_one_word_and_the_first_of_a_sentence_are_none(text: str) -> None:
    assert by_form(text) == []


def test_letters_tell_a_language_without_lists() -> None:
    assert has_other_letters("Nahlásila, že její syn včera ztratil peněženku a klíče.")
    assert not has_other_letters("Herr Müller grüßt Frau Öztürk und die Kinder in Łódź.")
    assert not has_other_letters("Elle a reçu la lettre de M. Dvořák à l'été.")


def test_a_name_by_its_form_counts_only_beside_a_direct_identifier() -> None:
    manual = (
        "Tento návod popisuje instalaci pračky. Připojte hadici a zapněte přístroj. Pokud svítí "
        "chyba, vypněte pračku a zavolejte servis, který vede Vrablec Kudrnáč ze závodu u nás."
    )
    assert names(manual) == []
    assert "Vrablec Kudrnáč" in names(f"{manual} Její bratr Oldřich volal.")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We spraken met Terpstra over het dak.", ["Terpstra"]),
        ("Terpstra kwam gisteren.", []),
        ("Een koffiemolen van Van Terpstra werkt niet.", []),
        ("Het loket in Utrecht is dicht.", []),
        ("We spraken met Qwxzvb over het dak.", []),
    ],
    ids=["within", "first word", "behind a capital", "a listed place", "in no gazetteer"],
)
def test_a_single_listed_name_within_a_sentence_is_found(text: str, names: list[str]) -> None:
    found = names_within_sentences(text, foreign=True)
    assert [text[one.start : one.end] for one in found] == names


def test_where_there_are_lists_no_vocabulary_may_have_a_single_name() -> None:
    """In German all nouns have capitals, so it is not asked there."""
    text = "He was told of the Rousselot and of Vandermeer on the way."
    found = names_within_sentences(text, foreign=False)
    assert [text[one.start : one.end] for one in found] == ["Vandermeer"]
    within = "The minutes go to all. The keys are with Vandermeer in the office."
    assert names(within) == ["Vandermeer"]
    assert (
        names("Das Protokoll geht an alle. Im Büro steht der Vandermeer neben dem Schrank.") == []
    )
