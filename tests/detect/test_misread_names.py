"""What the tagger took for a place or an organization is a NAME where it extends a text's name."""

import pytest

from linkmask.detect.candidates import Candidate
from linkmask.detect.misread_names import with_misread_names


def types(text: str, *spans: tuple[str, str, str]) -> list[str]:
    """Return the types of spans of a text, each given as value, type and detector."""
    found = [
        Candidate(text.index(value), text.index(value) + len(value), kind, detector, "rule", 0.8)
        for value, kind, detector in spans
    ]
    return [one.type for one in with_misread_names(text, found)]


def test_a_name_of_the_text_with_one_word_more_is_a_name() -> None:
    text = "Zelko Morvel called. Mr. Morvel asks again."
    name = ("Morvel", "NAME", "lexicon")
    assert types(
        "Mr. Morvel asks. Zelko Morvel called.", name, ("Zelko Morvel", "LOCATION", "ner")
    ) == [
        "NAME",
        "NAME",
    ]
    assert types(text, ("Zelko Morvel", "LOCATION", "ner")) == ["LOCATION"]


@pytest.mark.parametrize(
    ("text", "value", "detector"),
    [
        ("Mr. Morvel asks. He lives in Zelko Morvel.", "Zelko Morvel", "ner"),
        ("Mr. Morvel asks. Clinic Zelko Morvel answers.", "Zelko Morvel", "ner"),
        ("Mr. Morvel asks. Zelko Morvel answers.", "Zelko Morvel", "lexicon"),
        ("Mr. Morvel asks. Morvel Shipping Company answers.", "Morvel Shipping Company", "ner"),
    ],
)
def test_a_place_or_an_organization_that_bears_a_name_stays_one(
    text: str, value: str, detector: str
) -> None:
    """It stands behind "in" or a head word, a list knows it, or its other words are words."""
    name = ("Morvel", "NAME", "lexicon")
    assert types(text, name, (value, "ORGANIZATION", detector)) == ["NAME", "ORGANIZATION"]
