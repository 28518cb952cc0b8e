"""The recognizers that linkmask ships: each row's examples, near-misses, source and work."""

import re

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import TABLES, applied, find
from linkmask.detect.patterns.shipped_rules import stage
from linkmask.detect.recognizers.expression import MOST, work
from linkmask.detect.recognizers.shipped import ShippedRow, rows
from linkmask.schema import load

COUNTRIES = ("us", "gb", "fr", "de", "ch")
HITS = [(row, text) for row in rows() for text in row.examples]
MISSES = [(row, text) for row in rows() for text in row.near_misses]


def names(cases: list[tuple[ShippedRow, str]]) -> list[str]:
    return [f"{row.id}: {text}" for row, text in cases]


def found_by(row: ShippedRow, text: str) -> list[str]:
    """What a row finds in a text, with all other rows beside it."""
    language = row.languages[0] if row.languages else "en"
    scope = Scope(language, row.countries or COUNTRIES, row.stage == "regulated")
    return [text[one.start : one.end] for one in find(text, scope) if one.rule == row.id]


@pytest.mark.parametrize(("row", "text"), HITS, ids=names(HITS))
def test_an_example_is_found_by_its_row(row: ShippedRow, text: str) -> None:
    assert found_by(row, text)


@pytest.mark.parametrize(("row", "text"), MISSES, ids=names(MISSES))
def test_a_near_miss_is_not_found_by_its_row(row: ShippedRow, text: str) -> None:
    assert found_by(row, text) == []


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.id)
def test_a_row_has_all_that_shows_its_worth(row: ShippedRow) -> None:
    """A source, an example, a near-miss, a type, and a pattern whose work has a bound.

    A long pattern is tried in a window around its literals alone; test_patterns_linear.py times it.
    """
    assert row.source and row.examples and row.near_misses
    assert row.type in load("regulated").types
    assert work(re.compile(row.pattern)).steps <= MOST or (row.literals and row.window)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.id)
def test_a_row_has_literals_or_triggers_or_an_anchor(row: ShippedRow) -> None:
    """So most of a text costs nothing."""
    assert row.literals or row.anchor or (row.triggers and row.need == "both")


def test_every_row_is_tried() -> None:
    """A row whose stage no table has would find nothing."""
    tried = {rule.name for table in (stage("regulated"), *TABLES) for rule in table}
    assert [row.id for row in rows() if row.id not in tried] == []


def test_ids_of_countries_that_settings_do_not_name_are_found() -> None:
    """A checksum or a trigger is enough: nobody must name Spain to have its ids masked."""
    text = "DNI 12345678Z, NIE X-2482300-W, CPF 390.533.447-05, RCCMNL83S18D969H, BSN 1112.22.333"
    found = {one.rule for one in find(text, Scope("en", ("us",))) if one.type == "NATIONAL_ID"}
    assert found == {"es-dni", "es-nie", "br-cpf", "it-codice-fiscale", "nl-bsn"}
    assert applied(("us",), "en")
