"""What a form calls its fields is no value."""

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("Courriel :", "Courriel"),
        ("Kostenträger: Zorvag", "Kostenträger"),
        ("Middle (initial): Z", "Middle"),
        ("Middle initial: Z", "Middle"),
        ("<nino>ZM1</nino>", "nino"),
        ("S.S.N: 4", "S"),
        ("mode: auto\nsize: 3", "auto"),
        ('"currency": "euro"', "euro"),
        ("Portable works", "Portable"),
    ],
)
def test_a_fields_label_or_a_things_plain_word_is_no_value(text: str, span: str) -> None:
    found = detect.first_pass(Document("d", text, {}), Settings(), entities.canonical)
    assert span not in {mention.original for mention in found}
