"""What a form calls its fields is no value."""

import pytest

from linkmask.detect.ner.boundaries import cannot_be


@pytest.mark.parametrize(
    ("text", "span", "label", "expected"),
    [
        ("Courriel :", "Courriel", "NAME", True),
        ("Kostenträger: Zorvag", "Kostenträger", "NAME", True),
        ("Middle (initial): Z", "Middle", "ORGANIZATION", True),
        ("Middle initial: Z", "Middle", "NAME", True),
        ("<nino>ZM1</nino>", "nino", "NAME", True),
        ("S.S.N: 4", "S", "NAME", True),
        ("Zorvin: yes", "Zorvin", "NAME", False),  # who speaks
        ("City: Zorvin", "Zorvin", "LOCATION", False),
        ("Portable works", "Portable", "NAME", False),
        ("May: no", "May", "NAME", False),
        ("Okon-Zorvin came", "Okon-Zorvin", "NAME", False),
        ("name: zorvin", "zorvin", "NAME", False),
    ],
)  # fmt: skip
def test_a_fields_label_is_no_value_but_who_speaks_is(text, span, label, expected):
    start = text.index(span)
    assert cannot_be(text, start, start + len(span), label, 0.9) is expected
