"""Persons of a document are found by initials, in small letters, and beside another name."""

import pytest

from linkmask.detect.candidates import Candidate
from linkmask.detect.names.aliases import aliases_of, named_by_alias


def aliased(text: str, name: str, rule: str = "label", language: str = "en") -> list[str]:
    """Return what the aliases of a name, found by a rule, are found as in its text."""
    start = text.index(name)
    one = Candidate(start, start + len(name), "NAME", "patterns", rule, 0.85)
    again = named_by_alias(text, aliases_of([(text, [one])]), [one], language)
    return [text[o.start : o.end] for o in again]


def test_initials_of_a_person_are_that_person() -> None:
    """Three capitals, and two with points, are enough."""
    assert aliased("S. Ní Dhomhnaill (chair). SND outlined it.", "S. Ní Dhomhnaill") == ["SND"]
    assert aliased("Delphine Okwuosa came. D.O. never paid.", "Delphine Okwuosa") == ["D.O."]


def test_two_letters_without_points_are_a_person_before_a_verb_alone() -> None:
    """Else they are mostly an abbreviation of something."""
    assert aliased("Karl Ingram came. KI said no.", "Karl Ingram") == ["KI"]
    assert aliased("Karl Ingram came. KI therapy helps.", "Karl Ingram") == []


def test_an_abbreviation_stays_one() -> None:
    """A person may have its letters by chance."""
    assert aliased("Erik Carl Graf came. ECG normal.", "Erik Carl Graf") == []


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
        ("saw Hassan and Friends of Shelter", "Hassan", "en", []),
        ("saw Hassan (asthma) again", "Hassan", "en", []),
    ],
)
def test_a_single_word_joined_to_a_name_is_one_if_it_is_no_other_word(
    text: str, name: str, language: str, expected: list[str]
) -> None:
    """Where nouns have capitals, long ones are no names."""
    joined = [one for one in aliased(text, name, language=language) if one not in name]
    assert joined == expected
