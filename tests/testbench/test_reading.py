"""What counts as reading a value in a text."""

import pytest

from linkmask.testbench.reading import Person, pattern

READ = [
    ("NAME", "Ada Holbrook", "Seen by ADA  holbrook today"),
    ("NAME", "Ada Holbrook", "Dear Mrs. Holbrook,"),
    ("EVENT_DATE", "03/15/2024", "on March 15, 2024."),
    ("BIRTHDATE", "March 15, 1960", "born 1960-03-15"),
    ("AGE", "68", "a 68-year-old man"),
    ("AGE", "68", "1 male patient aged 68 (x)"),
    ("AGE", "68-year-old", "age: 68"),
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
    person = Person("c", "HIGH", ("x", "y"), ("NAME", "AGE"), (0.9, 0.1), (0,))
    assert person.share({0}) == pytest.approx(0.9)
    assert Person("c", "LOW", (), (), (), (0,)).share(set()) is None
