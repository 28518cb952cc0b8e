"""A field may say what the field beside it holds: in records, in lines of a text, and in XML."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from counted_work import lines_run
from linkmask import detect
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.detect.structured.field_pairs import labels_beside
from linkmask.detect.structured.fields import type_of
from linkmask.graph.entities import canonical
from linkmask.records import Document

SSN, MEMBER, SURNAME = "524771066", "48213377", "Brandvold"


def found(document: Document) -> list[str]:
    return [one.original for one in detect.first_pass(document, Settings(), canonical)]


def labels(record: Mapping[str, Any]) -> list[str]:
    document = Document("d", "", others=record)
    return list(labels_beside(document.every_field(), type_of).values())


@pytest.mark.parametrize(
    ("record", "label"),
    [
        ({"name": "SSN", "value": SSN}, "ssn"),
        ({"label": "Of the person", "type": "SSN", "val": SSN}, "ssn"),
        ({"question": "What is your SSN?", "answer": SSN}, "what is your ssn?"),
        ({"fields": [{"key": "memberId", "value": MEMBER}]}, "member id"),
        ({"telecom": [{"system": "phone", "use": "home", "value": "x"}]}, "phone"),
        ({"identifier": {"type": {"text": "SSN"}, "value": SSN}}, "ssn"),
        ({"extension": [{"url": "http://x.example/a/us-ssn", "valueString": SSN}]}, "us ssn"),
        ({"item": [{"text": "Member no", "answer": [{"valueString": MEMBER}]}]}, "member no"),
        ({"columns": ["ssn"], "data": [[SSN]]}, "ssn"),
        ({"identifier": [{"system": "urn:oid:2.16.840.1.113883.4.1", "value": SSN}]}, "ssn"),
        ({"name": "Ada", "ssn": {"value": SSN}}, "ssn"),
    ],
)
def test_a_value_has_the_name_that_stands_beside_it(record: dict[str, Any], label: str) -> None:
    assert labels(record) == [label]


@pytest.mark.parametrize(
    "record",
    [
        {"name": "SSN", "other": SSN},
        {"value": SSN},
        {"name": "x" * 200, "value": SSN},
        {"name": {"name": "SSN"}, "value": SSN, "rows": [SSN]},
    ],
)
def test_what_no_field_names_has_no_label(record: dict[str, Any]) -> None:
    assert labels(record) == []


@pytest.mark.parametrize("value", [SSN, int(SSN)])
def test_a_number_without_a_form_is_found_by_the_name_beside_it(value: str | int) -> None:
    record = {"fields": [{"name": "ssn", "value": value}], "ssns": [value]}
    mentions = detect.first_pass(Document("d", "", others=record), Settings(), canonical)
    assert [(one.original, one.type) for one in mentions] == [(SSN, "NATIONAL_ID")] * 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"fields:\n  - name: ssn\n    value: {SSN}\n", SSN),
        (f'{{\n  "key": "memberId",\n  "value": "{MEMBER}"\n}}\n', MEMBER),
        (f"**Last name:** {SURNAME}\n", SURNAME),
        (f"Patient: **{SURNAME}**\n", SURNAME),
        (f"INFO first_name=Hal last_name={SURNAME} status=ok\n", SURNAME),
        (f"The report of Mr_Hal_{SURNAME}\n", f"Hal_{SURNAME}"),
        (f"It is in Patient_Hal_{SURNAME}.pdf\n", f"Hal_{SURNAME}"),
        (f"Scan_Hannah_{SURNAME}.png\n", f"Hannah_{SURNAME}"),
    ],
)
def test_a_value_is_found_by_what_stands_above_it_or_is_joined_to_it(text: str, value: str) -> None:
    assert value in found(Document("d", text))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028"])
def test_a_line_may_end_in_any_way(end: str) -> None:
    """Messages of HL7 end their segments with a carriage return alone."""
    address = "12 MILL LN^^HARWICK^MA^02139"
    lines = (
        "MSH|^~\\&|A",
        f"PID|1||4821377^^^MRN||{SURNAME}^HAL||19610304|F|||{address}",
        "PV1|1|",
    )
    expected = ["4821377", f"{SURNAME}^HAL", "19610304", address]
    assert found(Document("d", end.join(lines))) == expected
    assert found(Document("d", end.join(("Patient", f"Last name: {SURNAME}", "")))) == [SURNAME]


def test_a_label_is_nobodys_value() -> None:
    """Masked, it would keep back each document of the corpus that has such a key."""
    for page in ("SSN", "| SSN |\n|---|\n", "Member ID"):
        assert found(Document("d", page)) == []


@pytest.mark.parametrize("text", ["Read_Me_First.", "Quarterly_Report_May.", "The_Big_Sleep."])
def test_words_that_underscores_join_are_no_name_without_a_name_among_them(text: str) -> None:
    rules = Settings(detector="rules")
    assert not detect.first_pass(Document("d", text), rules, canonical)


@pytest.mark.parametrize(
    "page",
    [
        f'<r><field name="ssn">{SSN}</field></r>',
        f'<r><entry key="ssn" value="{SSN}"/></r>',
        f'<r><property name="ssn"><i4>{SSN}</i4></property></r>',
        f"<r><f><name>ssn</name><value>{SSN}</value></f></r>",
        f'<i><system value="http://hl7.org/fhir/sid/us-ssn"/><value value="{SSN}"/></i>',
    ],
)
def test_an_attribute_or_element_of_xml_names_a_value(page: str, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(page)
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    assert SSN in found(document)


def test_an_element_that_says_what_it_holds_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(f'<r><ssn name="of the person">{SSN}</ssn></r>')
    (document,) = read(tmp_path, Settings())
    assert isinstance(document, Document)
    assert document.content == f"ssn: {SSN}"


def test_labels_of_many_fields_take_linear_work() -> None:
    def record(rows: int) -> list[tuple[str, str]]:
        pairs = [{"name": f"n{n}", "value": "x", "answer": [{"value": "y"}]} for n in range(rows)]
        table = {"columns": ["a"] * rows, "rows": [["b"] * rows]}
        return list(Document("d", "", others={"pairs": pairs, **table}).every_field())

    read = [record(rows) for rows in (300, 600, 1200)]
    costs = [lines_run(partial(labels_beside, fields, type_of)) for fields in read]
    assert costs[2] - costs[1] < 2.2 * (costs[1] - costs[0])
