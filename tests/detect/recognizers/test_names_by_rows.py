"""Rows that find names: behind words for relatives, on tickets, in quotation marks."""

import pytest

import linkmask
from linkmask.detect import first_pass
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
