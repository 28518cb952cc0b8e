"""Short forms of medicine; hyphens belong to the value they stand at."""

from __future__ import annotations

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import find
from linkmask.detect.ner import boundaries

ILL, CURE = "MEDICAL_CONDITION", "TREATMENT"


def clinical(text: str, language: str) -> list[tuple[str, str]]:
    found = find(text, Scope(language=language))
    return [(text[f.start : f.end], f.type) for f in found if f.type in {ILL, CURE}]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "HTN, HLD and OSA", [("HTN", ILL), ("HLD", ILL), ("OSA", ILL)]),
        ("en", "CLL; TURP in May", [("CLL", ILL), ("TURP", CURE)]),
        ("fr", "une SEP connue, PTH droite", [("SEP", ILL), ("PTH", CURE)]),
        ("de", "er ist zuckerkrank", [("zuckerkrank", ILL)]),
    ],
)
def test_short_forms_are_found(language, text, expected) -> None:
    assert clinical(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The SLA is two days; due SEP 12; PTH"),
        ("fr", "La société Moreau LLC, le SEP 12"),
        ("en", "Lives in Flint MI 48502. She runs the shop and shakes hands"),
    ],
)
def test_what_else_they_are_short_for_is_left_alone(language, text) -> None:
    assert clinical(text, language) == []


@pytest.mark.parametrize(
    ("text", "seen", "whole"),
    [
        ("anti-GM-CSF", "GM", "anti-GM-CSF"),
        ("asthma-COPD overlap", "COPD overlap", "asthma-COPD overlap"),
        ("methotrexate-induced", "methotrexate", "methotrexate"),
        ("lost -20 kg", "kg", "kg"),
    ],
)
def test_a_clinical_find_does_not_end_within_a_hyphenated_word(text, seen, whole) -> None:
    start = text.index(seen)
    [(begin, after)] = boundaries.split_at_boundaries(text, start, start + len(seen), CURE)
    assert text[begin:after] == whole
