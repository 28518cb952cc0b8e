"""Where what the tagger sees may begin and end, and who speaks."""

import pytest

from linkmask.detect.lexicon.tokens import turns
from linkmask.detect.ner.alternatives import before_touching_word, span_alternatives


def proposed(text: str, span: str, clinical: bool = False) -> set[str]:
    start = text.index(span)
    return {text[i:j] for i, j in span_alternatives(text, start, start + len(span), clinical)}


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("Zoan Mor\tBrest\t4", "Zoan Mor\tBrest", {"Zoan Mor\tBrest", "Zoan Mor", "Brest"}),
        ("Zoan Mor\nDOB: 4 May", "Zoan Mor\nDOB", {"Zoan Mor"}),
        ("Zoan Mor   Geb. 4 May", "Zoan Mor   Geb", {"Zoan Mor"}),
        ("Zoan\nMorvel came", "Zoan\nMorvel", {"Zoan\nMorvel"}),
        ("(Zoan Mor (aunt", "(Zoan Mor (", {"Zoan Mor"}),
        ("near Dover-based", "Dover", {"Dover"}),
        ("by Kervadec-Mbaye, Solène", "Mbaye", {"Mbaye", "Kervadec-Mbaye"}),
        ("lost -20 kg", "20 kg", {"20 kg"}),
        ("came - ,", "- ,", set()),
    ],
)  # fmt: skip
def test_a_span_may_end_at_a_gap_or_a_bracket_and_ends_before_a_label(text, span, expected):
    assert proposed(text, span) == expected


@pytest.mark.parametrize(
    ("text", "span", "whole"),
    [
        ("syndrome de Guillain-Barré.", "syndrome de Guillain", "syndrome de Guillain-Barré"),
        ("anti-GM-CSF", "GM", "anti-GM-CSF"),
        ("L4-L5 fusion", "L5 fusion", "L4-L5 fusion"),
        ("headache-related", "headache", "headache"),
    ],
)
def test_a_clinical_term_has_all_of_its_first_and_last_word(text, span, whole):
    assert proposed(text, span, clinical=True) == {whole}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Q. Your name?\nA. Zoan Mor.", 2),
        ("[00:01] Q: Your name?\n[00:04] A: Zoan Mor.", 2),
        ("F: Wann?\nA: Gestern.", 2),
        ("A. Facts\nB. Law", 0),  # headings
        ("A. Mor\nDesk 4", 0),
        ("and Q. Mor\nA. Mor", 0),
    ],
)
def test_letters_are_speakers_where_somebody_asks_and_somebody_answers(text, count):
    assert len(turns(text)) == count


def test_a_date_ends_before_a_word_that_touches_its_year():
    text = "am 12.03.1980geboren"
    assert text[3 : before_touching_word(text, 3, len(text))] == "12.03.1980"
