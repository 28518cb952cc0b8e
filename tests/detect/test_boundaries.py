"""Where what the tagger sees may begin and end, and who speaks."""

import pytest

from linkmask.detect.lexicon.tokens import turns
from linkmask.detect.ner.alternatives import span_alternatives


def proposed(text: str, span: str) -> set[str]:
    start = text.index(span)
    return {text[i:j] for i, j in span_alternatives(text, start, start + len(span))}


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("Zoan Mor\tBrest\t4", "Zoan Mor\tBrest", {"Zoan Mor\tBrest", "Zoan Mor", "Brest"}),
        ("Zoan Mor\nDOB: 4 May", "Zoan Mor\nDOB", {"Zoan Mor\nDOB", "Zoan Mor", "DOB"}),
        ("(Zoan Mor (aunt", "(Zoan Mor (", {"Zoan Mor"}),
        ("syndrome de Guillain-Barré.", "syndrome de Guillain",
         {"syndrome de Guillain", "syndrome de Guillain-Barré"}),
        ("by Kervadec-Mbaye, Solène", "Mbaye", {"Mbaye", "Kervadec-Mbaye"}),
        ("anti-GM-CSF", "GM", {"GM", "anti-GM-CSF"}),
        ("lost -20 kg", "20 kg", {"20 kg"}),
        ("came - ,", "- ,", set()),
    ],
)  # fmt: skip
def test_a_span_may_end_at_a_gap_a_line_a_bracket_or_with_a_hyphenated_word(text, span, expected):
    assert proposed(text, span) == expected


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
