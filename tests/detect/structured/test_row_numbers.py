"""A number under "No", "Ref" or "#" belongs to the person in its row; a counter does not."""

from __future__ import annotations

import pytest

import linkmask
from linkmask.config import load
from linkmask.detect.candidates import Scope
from linkmask.detect.structured import tables
from linkmask.detect.structured.row_numbers import is_code, is_full_name, says_number
from linkmask.schema import types

SETTINGS = load(overrides={"workers": 1}, environment={})


@pytest.mark.parametrize("head", ["No", "No.", "Nr.", "#", "N°", "Réf.", "Ref no", "ID", "Número"])
def test_heads_that_say_only_that_they_are_numbers(head: str) -> None:
    assert says_number(head)


@pytest.mark.parametrize("head", ["Order no", "Amount", "Number of rooms", "Invoice ref", "", "%"])
def test_heads_that_say_more(head: str) -> None:
    assert not says_number(head)


@pytest.mark.parametrize("value", ["48213", "0045812", "TR-88213", "A99213", "7713-22", "F/209"])
def test_numbers_of_something(value: str) -> None:
    assert is_code(value)


@pytest.mark.parametrize("value", ["1", "1204", "12.50", "48213.50", "2024-03-04", "4.3.24", "5C"])
def test_counters_amounts_and_dates_are_none(value: str) -> None:
    assert not is_code(value)


def test_a_row_names_a_person_if_two_words_are_there_and_one_is_a_listed_name() -> None:
    assert is_full_name(["Turek", "Agnieszka"])
    assert not is_full_name(["Agnieszka"])
    assert not is_full_name(["Cordless Drill"])


@pytest.mark.parametrize(
    "text",
    [
        "No,Name,Town\n48213,Agnieszka Turek,Lyon\n48377,Idris Bello,Metz\n",
        "| # | Member | Since |\n|---|---|---|\n| 48213 | Pavel Horak | 2019 |\n",
        "Ref\tName\tDue\n48213\tColm Heaney\t2024-05-01\n48377\tAnna Daly\t2024-05-03\n",
        "Nachname;Vorname;Nr.\nBrandner;Leonie;48213\nOswald;Timo;48377\n",
    ],
)
def test_a_number_in_a_row_of_a_table_goes_with_its_person(text: str) -> None:
    (masked,) = linkmask.mask([f"The minutes are sent to all.\n\n{text}"], SETTINGS).documents
    assert "48213" not in masked.content
    assert "48377" not in masked.content


@pytest.mark.parametrize(
    "text",
    [
        "| No | Name | Price |\n|---|---|---|\n| 48213 | Cordless Drill | 99 |\n",
        "No,Item,Price\n48213,Anna Brandner,99\n48377,Angle grinder,79\n",
        "No;Name;Town\n1;Agnieszka Turek;Lyon\n2;Idris Bello;Metz\n",
    ],
)
def test_the_number_of_a_thing_or_a_line_is_none(text: str) -> None:
    found = tables.find(text, Scope("en", ("us",)))
    assert [one for one in found if one.type == types.PATIENT_ID] == []


def test_a_field_of_a_record_is_the_number_of_the_person_named_beside_it() -> None:
    records = [{"no": 48213, "name": "Agnieszka Turek", "visits": 12}, {"no": 48377, "name": "Saw"}]
    first, second = linkmask.mask(records, SETTINGS).records
    assert first == {"no": "[PATIENT_ID]", "name": "[NAME]", "visits": 12}
    assert second["no"] == 48377


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("No: 66120\nName: Hanna Brolund\n", ["66120"]),
        ("Élève : Timéo Rousselot\nN° : 2044718", ["2044718"]),
        ('x {"claimant":"Hanna Roth","no":"20240101","loss":"pipe"} y', ["20240101"]),
        ("No: 66120\n\nName: Hanna Brolund", []),
        ("Order no: 66120\nName: Hanna Brolund", []),
        ('{"a":{"claimant":"Hanna Roth"},"b":{"no":"20240101"}}', []),
        ('{"name":"Victoria Station","no":"20240101"}', []),
        ("No: 12\nName: Hanna Brolund", []),
    ],
)
def test_a_number_in_a_form_is_that_of_the_person_named_in_it(
    text: str, numbers: list[str]
) -> None:
    found = tables.find(text, Scope())
    assert [text[o.start : o.end] for o in found if o.type == types.PATIENT_ID] == numbers
