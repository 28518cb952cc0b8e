"""What the model sees of a person is told apart: a group he belongs to, or what he is and does."""

import pytest

from linkmask.detect.candidates import Candidate
from linkmask.detect.ner.groups import kinds
from linkmask.detect.resolve import merge

GROUP, TRAIT, ILL = "DEMOGRAPHIC", "INDIRECT_IDENTIFIER", "MEDICAL_CONDITION"


def seen(text: str) -> list[tuple[str, str]]:
    return [(text[start:end], kind) for start, end, kind in kinds(text, 0, len(text))]


@pytest.mark.parametrize(
    "text",
    [
        "Samoan", "Haitian Creole", "white male", "widowed gay man", "speaks only Tagalog",
        "Quaker", "never married", "right-handed", "Spanish-speaking", "aged 41", "daughter",
        "malienne", "d'origine coréenne", "fumeur", "divorcée", "protestante", "belge",
        "Türkin", "syrischer", "verwitwet", "evangelisch", "Italienerin", "Nichtraucherin",
    ],
)  # fmt: skip
def test_sex_people_faith_language_and_state_are_a_group(text: str) -> None:
    assert seen(text) == [(text, GROUP)]


@pytest.mark.parametrize(
    "text",
    [
        "tugboat captain", "retired court stenographer", "mayor", "widowed oyster farmer", "turner",
        "éclusier sur le canal", "conducteur de métro", "danseuse", "finisseur",
        "Schornsteinfeger", "gelernter Uhrmacher", "Finanzberater", "Turmspringer",
    ],
)  # fmt: skip
def test_what_somebody_is_or_does_is_no_group(text: str) -> None:
    assert seen(text) == [(text, TRAIT)]


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("Somali-born mother of quintuplets", "Somali-born"),
        ("Kenyan marathon coach", "Kenyan"),
        ("Hispanic roofer", "Hispanic"),
        ("syrischer Bäckermeister", "syrischer"),
        ("portugaise femme-grenouille", "portugaise"),
    ],
)
def test_a_group_before_what_somebody_does_stands_by_itself(text: str, group: str) -> None:
    assert seen(text) == [(group, GROUP), (text[len(group) + 1 :], TRAIT)]


def test_an_illness_that_is_taken_for_a_trait_is_an_illness() -> None:
    assert seen("heart attack") == [("heart attack", ILL)]


def test_a_group_within_what_somebody_is_widens_to_it() -> None:
    widow = Candidate(0, 5, GROUP, "lexicon", "group", 0.6)
    whole = Candidate(0, 23, TRAIT, "ner", "dem", 0.9)

    [one] = merge([widow, whole], {})

    assert (one.start, one.end, one.type) == (0, 23, TRAIT)
