"""Words that a line end breaks in two are found whole, where they stand."""

import pytest

from linkmask.config import Settings
from linkmask.detect import first_pass
from linkmask.detect.view.touching_words import join_broken_words, without_breaks
from linkmask.graph import entities
from linkmask.records import Document


def found(text: str, entity_type: str) -> list[tuple[str, str]]:
    mentions = first_pass(Document("d", text, {}), Settings(), entities.canonical)
    assert all(text[m.start : m.end] == m.original for m in mentions)
    return [(m.original, m.value) for m in mentions if m.type == entity_type]


@pytest.mark.parametrize(
    ("entity_type", "text", "broken"),
    [
        ("NAME", "Patient: Mar-\ntin Kessler\nDate of birth: 03/04/1961", "Mar-\ntin Kessler"),
        ("NAME", "NAME: KAREN THOR-\nWALDSEN\n", "KAREN THOR-\nWALDSEN"),
        ("LOCATION", "Sie wohnt in Win-\nterthur und arbeitet dort seit Jahren.", "Win-\nterthur"),
        ("MEDICAL_CONDITION", "She has rheuma-\n  toid arthritis.", "rheuma-\n  toid arthritis"),
        ("ADDRESS", "She lives at 12 Map-\nle Street now.", "12 Map-\nle Street"),
    ],
)
def test_a_word_broken_by_a_line_end_is_found_whole(
    entity_type: str, text: str, broken: str
) -> None:
    """Its value is that of the word as it is written elsewhere."""
    together = "".join(broken.replace("-\n", "").replace("\n", "").split("  "))
    assert (broken, entities.canonical(entity_type, together)) in found(text, entity_type)


@pytest.mark.parametrize(
    "text",
    [
        "Name: Karen Smith\nfemale\nMember ID: 4471882",
        "Name: Ottoline Brandvold\nwidowed\n",
        "Name: Karen Smith\nwas seen on Monday",
        "pages 12-\n14, a list:\n- one\n- two",
        "no break at all",
    ],
)
def test_words_that_end_with_their_line_are_not_broken(text: str) -> None:
    assert join_broken_words(text) is None
    assert without_breaks(text) == text


def test_a_hyphen_of_the_word_does_no_harm() -> None:
    """What is found as it stands is found, too: nothing is lost by reading once more."""
    text = "Post-\ntraumatic stress disorder since May; Mrs. Anna Roth-\nFinch came."
    assert [said for said, _ in found(text, "NAME")] == ["Anna Roth", "Finch"]
