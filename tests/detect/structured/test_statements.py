"""In SQL statements, the columns that are named tell what the values are."""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.structured import fields, statements

INSERT = """INSERT INTO patients (id, first_name, last_name, dob, phone) VALUES
(1, 'Jane', 'Roe', '1974-05-02', '0117 496 0188'),
(2, 'Zo''ë', NULL, NULL, lower('0117 496 0771'));"""
CREATED = """CREATE TABLE users (id INT, given_name VARCHAR(20), surname TEXT, login TEXT);
INSERT INTO users VALUES (17, 'Peregrine', 'Ashdown', 'pashdown77');"""
COPIED = (
    "COPY patient (nom, prenom, ville) FROM stdin;\nGuilbaud\tOdile\tTulle\n\\.\nJane\tRoe\tx\n"
)
SHORT = """insert into pt(id, nm, fn, bd) values (7, 'O''Malley', 'Vika', '1947-08-19');"""
UPDATE = """UPDATE staff SET surname = 'Quennell', ward = 'North' WHERE given_name LIKE 'Drusi%';
SELECT 'Ambrose' AS fname; DELETE FROM m WHERE full_name IN ('Basil Thorne', 'Una Quill');"""


def found(text: str) -> list[str]:
    return [text[one.start : one.end] for one in statements.find(text, Scope())]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (INSERT, ["Jane", "Roe", "1974-05-02", "0117 496 0188", "0117 496 0771"]),
        (CREATED, ["Peregrine", "Ashdown", "pashdown77"]),
        (COPIED, ["Guilbaud", "Odile", "Tulle"]),
        (SHORT, ["1947-08-19", "O''Malley", "Vika"]),
    ],
    ids=["insert", "columns of the table", "copy", "short heads"],
)
def test_columns_are_labels(text: str, values: list[str]) -> None:
    assert sorted(found(text)) == sorted(values)


def test_columns_are_labels_of_what_is_compared_or_set() -> None:
    values = [UPDATE[one.start : one.end] for one in fields.find(UPDATE, Scope())]
    assert values == ["Quennell", "Drusi", "Basil Thorne", "Una Quill", "Ambrose"]


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO products (sku, name, city) VALUES ('A-1', 'Blue Kettle', 'Oslo');",
        "INSERT INTO jobs (fn, nm, ln) VALUES ('Runner', 'Nightly', 'Python');",
        "SELECT name FROM plugins WHERE name = 'Admin' AND type IN ('Plain', 'Zip Code');",
        "Select the values where it's shown, and set the others to 'Plain'.",
    ],
    ids=["things", "short heads", "plugins", "prose"],
)
def test_columns_that_things_have_too_are_no_labels_alone(text: str) -> None:
    assert found(text) == []
    assert not list(fields.find(text, Scope()))
