"""What a form calls its fields is no value; names in capitals are parted."""

import pytest

from linkmask.detect import ner
from linkmask.detect.candidates import Scope
from linkmask.detect.ner.boundaries import cannot_be
from linkmask.detect.ner.form_labels import names_in_capitals


@pytest.mark.parametrize(
    ("text", "span", "label", "expected"),
    [
        ("Courriel :", "Courriel", "NAME", True),
        ("Kostenträger: Zorvag", "Kostenträger", "NAME", True),
        ("Middle (initial): Z", "Middle", "ORGANIZATION", True),
        ("Middle initial: Z", "Middle", "NAME", True),
        ("<nino>ZM1</nino>", "nino", "NAME", True),
        ("Mon numéro de sécurité sociale est", "numéro de sécurité sociale",
         "MEDICAL_CONDITION", True),
        ("S.S.N: 4", "S", "NAME", True),
        ("Zorvin: yes", "Zorvin", "NAME", False),  # who speaks
        ("City: Zorvin", "Zorvin", "LOCATION", False),
        ("Portable works", "Portable", "NAME", False),
        ("May: no", "May", "NAME", False),
        ("a Kaplan-Zorvin curve", "Kaplan-Zorvin", "NAME", True),
        ("Okon-Zorvin came", "Okon-Zorvin", "NAME", False),
        ("the food was cold", "food was cold", "MEDICAL_CONDITION", True),
        ("her hands were cold", "hands were cold", "MEDICAL_CONDITION", False),
    ],
)  # fmt: skip
def test_a_fields_label_is_no_value_but_who_speaks_is(text, span, label, expected):
    start = text.index(span)
    assert cannot_be(text, start, start + len(span), label, 0.9) is expected


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ZORVIN BE TOLD. VALENTINA ASKED TWICE", ["ZORVIN", "VALENTINA", "TWICE"]),
        ("RAFAEL ZORVIN HOLDS", ["RAFAEL ZORVIN"]),
        ("OMAR SAYED", ["OMAR SAYED"]),
        ("J. ZORVIN", ["J. ZORVIN"]),
        ("ANNA VON ZORVIN", ["ANNA VON ZORVIN"]),
        ("Anna was told", ["Anna was told"]),
    ],
)
def test_names_in_capitals_are_parted_where_something_is_done(text, left):
    assert [text[i:j] for i, j in names_in_capitals(text, 0, len(text))] == left


def test_a_small_word_behind_a_name_is_left_out():
    text = "I asked whether Anna may stay."
    names = [f for f in ner.find(text, Scope()) if f.type == "NAME"]
    assert [text[f.start : f.end] for f in names] == ["Anna"]
