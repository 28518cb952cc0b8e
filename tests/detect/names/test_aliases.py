"""Persons of a document are found in small letters and beside another name."""

import pytest

import linkmask
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.names.aliases import named_by_alias, small_names_of


def aliased(text: str, name: str, rule: str = "label", language: str = "en") -> list[str]:
    """Return as what a name, found by a rule, is found again in its text."""
    start = text.index(name)
    one = Candidate(start, start + len(name), "NAME", "patterns", rule, 0.85)
    again = named_by_alias(text, small_names_of([(text, [one])]), [one], language)
    return [text[o.start : o.end] for o in again]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Anna Meier was seen at 9 A.M. today.", "Anna Meier"),
        ("Ulrich Schmidt came to the U.S. in 2010.", "Ulrich Schmidt"),
        ("Irene Vogel received I.V. antibiotics.", "Irene Vogel"),
        ("Max Dorn, M.D., signed it.", "Max Dorn"),
        ("Dora Castle lives in Washington, D.C. now.", "Dora Castle"),
        ("Maria Rosa Ibanez came. MRI showed nothing.", "Maria Rosa Ibanez"),
        ("Ulrike Sabine Auer left for USA again.", "Ulrike Sabine Auer"),
        ("Gerd Paul Sommer came. GPS failed.", "Gerd Paul Sommer"),
        ("Ute Karin Berger came. UKB informed.", "Ute Karin Berger"),
        ("Peter Martin came at 3 PM said the nurse.", "Peter Martin"),
        ("Tom Veith came. TV said no.", "Tom Veith"),
        ("Erik Carl Graf came. ECG normal.", "Erik Carl Graf"),
    ],
)
def test_capitals_that_are_somebodys_initials_by_chance_are_no_name(text: str, name: str) -> None:
    """No list tells them from those that the person is called by."""
    assert aliased(text, name) == []


def test_initials_of_one_document_are_not_masked_in_a_text_about_nobody() -> None:
    """The corpus pass looks for a name of one document in all others."""
    nobody = "The API is down. Use the API key. It came at 9 A.M. from the U.S. office."
    about = "Anna Paula Irmler wrote. API asked. Anna Meier came at 9 A.M. today, to the U.S. desk."
    done = linkmask.mask([about, nobody], Settings(workers=1))
    first, second = [one.written.content for one in done.documents]
    assert "Irmler" not in first
    assert second == nobody


def test_a_name_in_small_letters_is_found_again_though_it_is_a_word() -> None:
    """The note writes the person's name in small letters itself."""
    text = "mr frost rang. told him frost file is open. the frost killed it."
    assert aliased(text, "frost", "titled-small") == ["frost", "frost"]


def test_a_user_name_in_small_letters_tells_no_name_in_the_text() -> None:
    """It is a user name where one is announced, and a word elsewhere."""
    assert aliased("user: rice. The bag of rice is here.", "rice", "user") == []


@pytest.mark.parametrize(
    ("text", "name", "language", "expected"),
    [
        ("leurs jumeaux (Hassan et Housseynatou) sont ici", "Hassan", "fr", ["Housseynatou"]),
        ("from kwabena frost (kobby), today", "kwabena frost", "en", ["kobby"]),
        ("mit Anna und Krankengymnastik ab Mai", "Anna", "de", []),
        ("Berger (Radiologie) kam", "Berger", "de", []),
        ("the Smith and Wesson made", "Wesson", "en", []),
        ("saw Hassan and Wesson here", "Wesson", "en", ["Hassan"]),
        ("saw Smith and Anna here", "Anna", "en", ["Smith"]),
        ("saw Hassan and Friends of Shelter", "Hassan", "en", []),
        ("saw Hassan (asthma) again", "Hassan", "en", []),
    ],
)
def test_a_single_word_joined_to_a_name_is_one_if_it_is_no_other_word(
    text: str, name: str, language: str, expected: list[str]
) -> None:
    """Where nouns have capitals, only listed ones are; two surnames may be a firm's."""
    joined = [one for one in aliased(text, name, language=language) if one not in name]
    assert joined == expected
