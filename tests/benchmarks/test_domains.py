"""The texts about nobody are the same each time, and hold what is said to be planted in them."""

import sys
from collections import Counter
from pathlib import Path

import phonenumbers
import pytest
from stdnum import iban

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import domains
from linkmask.config import Settings

PLANTED = domains.documents(planted=True)


def test_there_are_three_hundred_texts_of_eight_kinds_in_seven_languages() -> None:
    counts = Counter((one.language, one.kind) for one in domains.documents())
    assert counts.total() >= 300
    assert len({language for language, _ in counts}) == 7
    assert len({kind for _, kind in counts}) == 8
    assert len({one.text for one in domains.documents()}) > 300


def test_they_are_the_same_each_time() -> None:
    assert domains.documents() == domains.documents()


def test_a_planted_value_stands_on_a_line_of_its_own_text() -> None:
    """Every type in every language is planted, and what surrounds a value is a template's line."""
    seen = set()
    for one in PLANTED:
        assert len(one.spans) == domains.PLANTED
        for start, end, kind in one.spans:
            value = one.text[start:end]
            assert value.strip() == value
            assert value
            assert "{" not in one.text[one.text.rfind("\n", 0, start) + 1 : end]
            seen.add((one.language, kind))
    assert len(seen) == 7 * 6


@pytest.mark.parametrize("language", ["en", "fr", "de", "es", "it", "nl", "pt"])
def test_planted_numbers_are_valid(language: str) -> None:
    country = domains.PREFIXES[language][0]
    for one in PLANTED:
        for start, end, kind in one.spans if one.language == language else ():
            value = one.text[start:end]
            if kind == "IBAN":
                assert iban.is_valid(value, check_country=False)
            if kind == "PHONE_NUMBER":
                assert phonenumbers.is_valid_number(phonenumbers.parse(value, country))


def test_without_planting_the_same_pieces_hold_nothing_planted() -> None:
    plain = {one.id: one for one in domains.documents()}
    for one in PLANTED:
        rest = one.text
        for start, end, _ in one.spans:
            assert one.text[start:end] not in plain[one.id].text
        assert len(plain[one.id].text) < len(rest)


KINDS = ("news", "product", "recipe")
"""Kinds with the most names of places, brands and goods."""


def test_no_text_about_nobody_is_over_a_limit() -> None:
    """At the default settings, at most 2 % of their words are masked."""
    texts = [one for one in domains.documents() if one.kind in KINDS]
    rows, _ = domains.harm(texts, Settings(workers=1))
    assert sum(row.over for row in rows.values()) == 0
    assert sum(row.masked for row in rows.values()) <= 0.02 * sum(r.words for r in rows.values())


def test_direct_identifiers_planted_in_them_are_masked() -> None:
    """At least .97 of them are masked whole."""
    texts = [one for one in PLANTED if one.kind in KINDS]
    hit, all_of = domains.found(texts, Settings(workers=1))
    assert hit.total() >= 0.97 * all_of.total()
