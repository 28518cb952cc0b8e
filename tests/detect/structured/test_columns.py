"""Tables without a head: what most cells of a column are, the others are, too."""

from __future__ import annotations

import pytest

from linkmask.detect.candidates import Candidate
from linkmask.detect.structured.columns import in_columns

PEOPLE = (
    ("Solveig", "Ravnsborg", "14.03.1962", "4481920"),
    ("Teddy", "Quastenberg", "02.11.1988", "4481988"),
    ("Ikram", "Belhoussaine", "23.07.1975", "4490012"),
    ("Zeynoura", "Tuulikki", "30.09.1990", "4492221"),
)


def found(text: str, *names: str) -> set[tuple[str, str]]:
    """Return what columns tell in a text in which these names were found."""
    spans = [
        Candidate(at, at + len(name), "NAME", "ner", "name", 0.9)
        for name in names
        if (at := text.index(name)) >= 0
    ]
    return {(text[one.start : one.end], one.type) for one in in_columns(text, spans)}


@pytest.mark.parametrize("mark", ["\t", ";", ",", " | ", "    "])
def test_the_other_cells_of_a_column_of_names_are_names(mark: str) -> None:
    text = "\n".join(mark.join((f"{given} {name}", "vegan")) for given, name, *_ in PEOPLE)
    names = {(f"{given} {name}", "NAME") for given, name, *_ in PEOPLE}
    assert found(text, "Teddy Quastenberg", "Ikram Belhoussaine", "Solveig Ravnsborg") == names


def test_surnames_beside_a_column_of_given_names_are_names() -> None:
    text = "\n".join(";".join(person[:2]) for person in PEOPLE)
    some = ("Solveig", "Ravnsborg", "Teddy", "Ikram")
    names = {(word, "NAME") for person in PEOPLE for word in person[:2]}
    assert found(text, *some) == names


def test_dates_decades_apart_beside_names_are_birth_dates() -> None:
    text = "\n".join(f"{given} {name};{born}" for given, name, born, _ in PEOPLE)
    dates = {value for value, kind in found(text, "Solveig Ravnsborg") if kind == "BIRTHDATE"}
    assert dates == {born for *_, born, _ in PEOPLE}


def test_dates_of_some_years_beside_names_are_no_birth_dates() -> None:
    text = "\n".join(
        f"{given} {name};12.03.20{at}9" for at, (given, name, *_) in enumerate(PEOPLE[:2])
    )
    text += "\nIkram Belhoussaine;01.02.2012"
    assert not {value for value, kind in found(text, "Solveig Ravnsborg") if kind == "BIRTHDATE"}


def test_two_digits_of_a_year_are_of_their_century() -> None:
    days = ("12.03.99", "01.04.01", "23.07.2003", "30.09.02")
    rows = zip(PEOPLE, days, strict=True)
    text = "\n".join(f"{given} {name};{day}" for (given, name, *_), day in rows)
    assert not {value for value, kind in found(text) if kind == "BIRTHDATE"}


def test_numbers_of_one_length_beside_names_are_theirs() -> None:
    text = "\n".join(f"{given} {name};{number};x" for given, name, _, number in PEOPLE)
    numbers = {value for value, kind in found(text, "Ikram Belhoussaine") if kind == "PATIENT_ID"}
    assert numbers == {number for *_, number in PEOPLE}


@pytest.mark.parametrize(
    "text",
    [
        "Alpine Mug;48210;red\nDesk Lamp;48217;none\nTrail Shoe;48219;no\nRain Jacket;48214;green",
        "Chicken Soup | 4.50\nCaesar Salad | 6.00\nApple Pie | 3.20\nMint Tea | 2.00",
        "Berlin;3677472\nHamburg;1906411\nMünchen;1487708\nKöln;1073096",
        "Ford Fiesta;12.03.1984\nOpel Corsa;11.02.1999\nFiat Uno;1.8.2014\nFiat Panda;2.2.2020",
        "Q1  Revenue  14.03.1962\nQ2  Costs  02.11.1988\nQ3  Profit  23.07.2005\nQ4  Tax  1.1.2020",
    ],
)
def test_columns_of_things_have_no_names(text: str) -> None:
    assert not found(text)


def test_birth_dates_show_that_a_column_with_some_names_is_one_of_persons() -> None:
    rows = (("Black", "Jet"), ("Day", "May"), ("Bell", "Ngozi"), ("Eze", "Harleen"))
    born = ("1984-02-11", "1990-12-01", "1979-07-23", "1966-05-01")
    text = "\n".join(
        f"{name};{given};{date}" for (name, given), date in zip(rows, born, strict=True)
    )
    names = {(word, "NAME") for row in rows for word in row}
    assert found(text, "Bell", "Eze") == names | {(date, "BIRTHDATE") for date in born}


def test_two_rows_are_no_table() -> None:
    assert not found("Solveig Ravnsborg;Teddy Quastenberg\nIkram Belhoussaine;Zeynoura Tuulikki")


@pytest.mark.parametrize(
    ("begin", "row", "between", "end"),
    [
        ("INSERT INTO t VALUES ", "({n}, '{given} {name}', '{born}')", ",\n", ";"),
        ("", "INSERT INTO t VALUES ({n}, '{given} {name}', '{born}');", "\n", ""),
        ("people:\n", "  - [{given} {name}, {born}]", "\n", ""),
        ("[", 'Person("{given} {name}", Date("{born}"))', ", ", "]"),
    ],
    ids=["SQL", "a statement each", "YAML", "calls"],
)
def test_rows_in_brackets_are_a_table(begin: str, row: str, between: str, end: str) -> None:
    rows = (
        row.format(n=at, given=given, name=name, born=born)
        for at, (given, name, born, _) in enumerate(PEOPLE)
    )
    names = {(f"{given} {name}", "NAME") for given, name, *_ in PEOPLE}
    text = begin + between.join(rows) + end
    values = found(text, "Solveig Ravnsborg", "Teddy Quastenberg", "Ikram Belhoussaine")
    assert values == names | {(born, "BIRTHDATE") for *_, born, _ in PEOPLE}


@pytest.mark.parametrize(
    "text",
    [
        "add(Solveig, 3); add(Teddy, 4); then(Ikram, 5)",
        "The panel (Solveig, 1962) met (Teddy, 1988), but not [Ikram, 1975].",
        "[(Solveig, 3), (Teddy, 4), Ikram, (5, (6, (7, 8)))]",
    ],
    ids=["calls of other functions", "prose", "nested"],
)
def test_rows_that_different_texts_part_are_no_table(text: str) -> None:
    assert not found(text, "Solveig", "Teddy", "Ikram")


def test_a_column_of_sexes_shows_that_some_names_are_those_of_persons() -> None:
    rows = ("Black;Rain;F", "Day;Tinker;M", "Bell;Ngozi;F", "Eze;Goodluck;F")
    names = {(word, "NAME") for row in rows for word in row.split(";")[:2]}
    assert found("\n".join(rows), "Bell", "Eze") == names
    assert not found("\n".join(row[:-2] for row in rows), "Bell", "Eze")


def test_dates_of_some_years_are_birth_dates_beside_sexes() -> None:
    born = ("1984-02-11", "1990-12-01", "1995-05-30", "1988-10-09")
    rows = zip(PEOPLE, born, "FMFF", strict=True)
    text = "\n".join(f"{given} {name};{sex};{date}" for (given, name, *_), date, sex in rows)
    dates = {value for value, kind in found(text, "Ikram Belhoussaine") if kind == "BIRTHDATE"}
    assert dates == {*born}
