"""What counts as reading a value in a text."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.readable_values import SoughtPerson, letters_and_digits, pattern

READ = [
    ("NAME", "Ada Holbrook", "Seen by ADA  holbrook today"),
    ("NAME", "Ada Holbrook", "Dear Mrs. Holbrook,"),
    ("EVENT_DATE", "03/15/2024", "on March 15, 2024."),
    ("BIRTHDATE", "March 15, 1960", "born 1960-03-15"),
    ("AGE", "68", "a 68-year-old man"),
    ("AGE", "68", "1 male patient aged 68 (x)"),
    ("AGE", "68-year-old", "age: 68"),
    ("AGE", "68", "the engraver, 68, had"),
    ("PHONE_NUMBER", "(555) 010-2233", "call 555.010.2233"),
    ("PHONE_NUMBER", "555-010-2233", "call +1 555 010 2233"),
    ("PATIENT_ID", "H-78456", "member H78456."),
    ("EMAIL", "a.b@example.org", "to A.B@Example.org today"),
    ("TREATMENT", "monthly infusions", "Monthly\ninfusions began"),
]
NOT_READ = [
    ("NAME", "Ada Holbrook", "the Holbrook farm"),
    ("EVENT_DATE", "03/15/2024", "on March 15, 2023"),
    ("AGE", "68", "68 requests in 2024, room 68"),
    ("AGE", "68", "in 2024, 68, and 3"),
    ("AGE", "68", "a 168-year-old tree"),
    ("PHONE_NUMBER", "(555) 010-2233", "15550102233999"),
    ("PATIENT_ID", "H-78456", "AH-784561"),
    ("LOCATION", "Ulm", "Ulmer Platz"),
    ("NON_PERSONAL_ID", "1,200", "11,200.5"),
]


@pytest.mark.parametrize(("kind", "value", "text"), READ)
def test_a_value_is_read_in_the_forms_of_its_type(kind: str, value: str, text: str) -> None:
    assert pattern(kind, value).search(text)


@pytest.mark.parametrize(("kind", "value", "text"), NOT_READ)
def test_what_only_looks_alike_is_not_read(kind: str, value: str, text: str) -> None:
    assert not pattern(kind, value).search(text)


def test_day_and_month_follow_the_language() -> None:
    assert pattern("EVENT_DATE", "04/03/2024", day_first=True).search("le 4 mars 2024")
    assert not pattern("EVENT_DATE", "04/03/2024").search("le 4 mars 2024")


def test_a_share_is_by_weight_and_none_without_values() -> None:
    person = SoughtPerson("c", "HIGH", ("x", "y"), ("NAME", "AGE"), (0.9, 0.1), (0,))
    assert person.share({0}) == pytest.approx(0.9)
    assert SoughtPerson("c", "LOW", (), (), (), (0,)).share(set()) is None


def plainly(person: SoughtPerson, text: str) -> dict[int, tuple[tuple[int, int], ...]]:
    """Read without looking for clues first."""
    found = {n: tuple(m.span() for m in p.finditer(text)) for n, p in enumerate(person.patterns)}
    return {n: spans for n, spans in found.items() if spans}


def test_clues_leave_out_no_reading_of_the_example_corpus() -> None:
    corpus = read_corpus(Path(__file__).parents[2] / "examples" / "insurance")
    read = 0
    for person in corpus.persons:
        for text in corpus.texts:
            assert person.read(text) == plainly(person, text)
            read += len(plainly(person, text))
    assert read > 100


ALIKE = "aAiIıİsSſkKKßẞςσΣéÉ1 2-./_()\n"


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(sorted({kind for kind, _, _ in READ})),
    st.text(ALIKE, min_size=1, max_size=9).filter(str.strip),
    st.text(ALIKE, max_size=24),
    st.data(),
)
def test_clues_leave_out_no_reading_whatever_the_letters(
    kind: str, value: str, around: str, data: st.DataObject
) -> None:
    """The value itself, in upper or lower case, stands in the text half of the time."""
    said = data.draw(st.sampled_from([value, value.upper(), value.lower(), ""]))
    text = f"{around} {said} {around}"
    person = SoughtPerson("p", "HIGH", (value,), (kind,), (1.0,), (0,))
    assert person.read(text) == plainly(person, text)


def test_letters_that_match_in_any_case_are_squeezed_to_the_same() -> None:
    pairs = 0
    for letter in map(chr, range(0x3000)):
        for other in {letter.lower(), letter.upper(), letter.casefold()} - {letter}:
            if len(other) == 1 and re.fullmatch(re.escape(letter), other, re.IGNORECASE):
                assert letters_and_digits(letter) == letters_and_digits(other), (letter, other)
                pairs += 1
    assert pairs > 1000
