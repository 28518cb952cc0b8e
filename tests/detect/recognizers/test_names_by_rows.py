"""Rows that find names: behind words for relatives, on tickets, in quotation marks."""

import pytest

import linkmask
from linkmask.detect import first_pass, patterns
from linkmask.detect.candidates import Scope
from linkmask.graph.entities import canonical
from linkmask.records import Document


def names(text: str) -> list[str]:
    mentions = first_pass(Document("a", text), linkmask.load(), canonical)
    return [one.original for one in mentions if one.type == "NAME"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "Pacjentka przyszła na wizytę, ale jej mąż Zdobysław nie mógł przyjść z nią.",
            "Zdobysław",
        ),
        ("Patienten kom till mottagningen med sin son Torbjörn och hon mår bra nu.", "Torbjörn"),
        ("Volala kvůli faktuře a její syn Vratislav to prý ještě nezaplatil.", "Vratislav"),
        ("Hasta bugün geldi, eşi Süleyman ile konuştuk ve bir şey söylemedi.", "Süleyman"),
        ("A beteg azt mondta, hogy a férje Lőrinc nem tud ma eljönni.", "Lőrinc"),
        ("Η ασθενής ήρθε με τον γιο της Λεωνίδα και είναι καλά.", "Λεωνίδα"),
        ("Она просит помочь, так как её муж Геннадий не может войти в кабинет.", "Геннадий"),
    ],
)
def test_a_relative_is_named_in_languages_without_lists(text: str, name: str) -> None:
    assert any(name in one for one in names(text))


@pytest.mark.parametrize(
    "text",
    [
        "Pacjentka przyszła, ale jej mąż nie mógł przyjść z nią do Warszawy.",
        "The sin City opened and the Brat Pack sang.",
    ],
)
def test_a_word_for_a_relative_alone_tells_no_name(text: str) -> None:
    assert names(text) == []


def test_the_whole_name_on_a_ticket_is_found() -> None:
    assert names("Passenger data\n1.MBEKI/THANDIWE MS\n2.VAN DER MEER/JAN MR") == [
        "MBEKI/THANDIWE",
        "VAN DER MEER/JAN",
    ]


def test_a_slash_between_capitals_is_no_ticket() -> None:
    assert names("Use TCP/IP and choose AND/OR for your NETWORK/HOST settings.") == []


def test_a_nickname_within_a_name_belongs_to_it() -> None:
    text = "Der Zeuge Dragoslav „Drago“ Milutinović kam später, er wird auch Kevin genannt."
    assert "Dragoslav „Drago“ Milutinović" in names(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zorvina\n is a 19 year-old nurse", ["Zorvina"]),
        ("Quillan Tarvo is a 44-year-old male", ["Quillan Tarvo"]),
        ("Ottokarl ist ein 61-jähriger Mann", ["Ottokarl"]),
        ("Maëvane est une 34 ans", ["Maëvane"]),
        ("Marta Ai is a 30 year-old", ["Marta Ai"]),
        ("Thenka, 63, came alone.", ["Thenka"]),
        ("saw Thenka Orvil (63) twice", ["Thenka Orvil"]),
        ("To: Finch, Arlo; Dietz, Mary Kay\n", ["Finch, Arlo", "Dietz, Mary Kay"]),
        ("To: Lokarn, Tebbo; Donahew, Lindy\n", ["Lokarn, Tebbo", "Donahew, Lindy"]),
        ("X-To: Garzel, Julie A., Bustarro, Tonio\n", ["Garzel, Julie A.", "Bustarro, Tonio"]),
        ('Cc: "O\'Garran, Karo" <k@a.org>\n', ["O'Garran, Karo"]),
        ("From: Karo <karo@a.org>\nSubject: Invoice", ["Karo"]),
        ("James Allen is a 57-year-old", ["James Allen"]),
    ],
)
def test_a_name_beside_an_age_or_in_a_mails_header_is_found_whole(text, expected) -> None:
    found = patterns.find(text, Scope())
    assert [text[one.start : one.end] for one in found if one.type == "NAME"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Houston, 63, and Section 4, 12, apply",
        "Hospital is a 50 year-old building",
        "To: Claims Department\nFrom: Monday, June 3",
        "To: Augusta, Texas\n",
    ],
)
def test_a_place_a_department_or_a_building_is_no_name_there(text) -> None:
    assert [one for one in patterns.find(text, Scope()) if one.type == "NAME"] == []


@pytest.mark.parametrize("header", ["To: A, ", "\nTo: A, ", "To: <", "A, 63, ", "is a 5 year "])
def test_many_headers_or_ages_in_a_row_are_read_in_one_pass(header) -> None:
    text = header * (60_000 // len(header))
    assert all(0 <= one.start < one.end <= len(text) for one in patterns.find(text, Scope()))
