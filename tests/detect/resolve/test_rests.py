"""What a better span leaves of a find stays found."""

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve.rests import with_rests
from linkmask.graph.entities import canonical
from linkmask.records import Document

TEXT = "a project at Wadhwa, Datta and Lalla of Köln"


def spans(*values: str) -> list[Candidate]:
    found = ((TEXT.index(value), value) for value in values)
    return [Candidate(at, at + len(v), "ORGANIZATION", "ner", "", 0.9) for at, v in found]


@pytest.mark.parametrize(
    ("disjoint", "found", "result"),
    [
        (["Wadhwa"], ["Wadhwa, Datta and Lalla"], ["Wadhwa", "Datta and Lalla"]),
        (["Datta"], ["Wadhwa, Datta and Lalla"], ["Wadhwa", "Datta", "and Lalla"]),
        (["Wadhwa, Datta"], ["Datta and"], ["Wadhwa, Datta"]),
        (
            ["Wadhwa", "Datta"],
            ["Wadhwa, Datta", "Datta and Lalla"],
            ["Wadhwa", "Datta", "and Lalla"],
        ),
        (["Köln"], ["of Köln"], ["Köln"]),
        ([], ["Wadhwa, Datta", "Datta and Lalla"], ["Wadhwa, Datta", "and Lalla"]),
    ],
)
def test_a_rest_is_what_no_other_span_covers_and_more_than_function_words(
    disjoint: list[str], found: list[str], result: list[str]
) -> None:
    kept = with_rests(TEXT, spans(*disjoint), spans(*found))
    assert [TEXT[one.start : one.end] for one in kept] == result


def test_a_firm_is_found_whole_although_a_list_has_one_of_its_words_as_a_name() -> None:
    text = "Just wrapped up a new project at Wadhwa, Datta and Lalla! Engineering never stops."
    found = list(detect.first_pass(Document("one", text), Settings(), canonical))
    covered = {at for one in found for at in range(one.start, one.end)}
    assert all(text.index(word) in covered for word in ("Wadhwa", "Datta", "Lalla"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("aged 3 to 11 years", []),
        ("aged 3 to 11-1982", ["1982"]),
    ],
)
def test_a_rest_of_a_date_says_when(text: str, kept: list[str]) -> None:
    ages = Candidate(0, 12, "AGE", "lexicon", "", 0.9)
    date = Candidate(5, len(text), "EVENT_DATE", "ner", "", 0.9)
    found = with_rests(text, [ages], [date])[1:]
    assert [text[one.start : one.end] for one in found] == kept
