"""Addresses in any letter case, over the ends of lines and doubled blanks, in three languages."""

import re

import pytest

from linkmask.config import Settings
from linkmask.detect import first_pass
from linkmask.detect.candidates import Candidate
from linkmask.detect.patterns.multiline_addresses import with_multiline_addresses
from linkmask.graph import entities
from linkmask.records import Document

SAID = {
    "en": [
        ("The patient lives at {} with her son.", "418 Juniper Lane, Duluth, MN 55802"),
        ("Bills go to {}, please.", "77 W. Harbor Road Apt 4, Saint Paul, MN 55101-2233"),
        ("He moved to {} last week.", "1206 Old Mill Rd, Eau Claire, WI 54701"),
        ("Mailed to {} in error.", "9 High Street, Leeds LS1 4DY"),
        ("Her mother (of {}) called.", "23 Rosemary Close, Little Sutton, CH66 1NN"),
        ("Home visit at {} on Monday.", "5510 Cedar Hill Blvd, Unit 3, Austin TX 78704"),
    ],
    "fr": [
        ("La patiente habite au {} depuis peu.", "12 rue des Lilas, 69003 Lyon"),
        ("Courrier envoyé {} hier.", "4 bis, avenue Jean Jaurès, 31000 Toulouse"),
        ("Il est domicilié {}.", "7 chemin du Moulin, 1201 Genève"),
        ("Son adresse est {}.", "118 boulevard de la Liberté, 59000 Lille"),
        ("Visite au {} lundi.", "3 impasse des Acacias 44800 Saint-Herblain"),
    ],
    "de": [
        ("Die Patientin wohnt in der {} allein.", "Lindenstraße 12, 10115 Berlin"),
        ("Versand an {} erbeten.", "Berliner Straße 14, 01067 Dresden"),
        ("Er ist wohnhaft {}.", "Alte Gasse 4a, 8001 Zürich"),
        ("Rechnung an: {}.", "Hauptstr. 88, 80331 München"),
        ("Sie zog in den {} um.", "Bergweg 3, 70174 Stuttgart"),
    ],
}
CASES = [(one, *row) for one, rows in SAID.items() for row in rows]


def kinds(text: str) -> list[tuple[str, str]]:
    mentions = first_pass(Document("d", text), Settings(), entities.canonical)
    assert all(text[m.start : m.end] == m.original for m in mentions)
    return [(m.original, m.type) for m in mentions]


@pytest.mark.parametrize("way", [str, str.upper, str.lower])
@pytest.mark.parametrize(("language", "said", "address"), CASES)
def test_a_house_a_street_and_a_postcode_are_an_address_in_any_case(
    language: str, said: str, address: str, way: type[str]
) -> None:
    assert (way(address), "ADDRESS") in kinds(way(said.format(address)))


@pytest.mark.parametrize(("language", "said", "address"), CASES)
def test_an_address_goes_on_over_the_end_of_a_line(language: str, said: str, address: str) -> None:
    """Wherever the line ends in it."""
    for blank in re.finditer(" ", address):
        broken = f"{address[: blank.start()]}\n{address[blank.end() :]}"
        assert (broken, "ADDRESS") in kinds(said.format(broken))


@pytest.mark.parametrize(("language", "said", "address"), CASES)
def test_an_address_goes_on_over_doubled_blanks(language: str, said: str, address: str) -> None:
    doubled = address.replace(" ", "  ")
    assert (doubled, "ADDRESS") in kinds(said.format(doubled))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("SHE LIVES AT 418 JUNIPER LANE.", "418 JUNIPER LANE"),
        ("ADDRESS: 12 N OAK ST", "12 N OAK ST"),
        ("HIS HOME, 9 MILL ROAD, WAS SOLD", "9 MILL ROAD"),
        ("WOHNT IN DER LINDENSTRASSE 12", "LINDENSTRASSE 12"),
        ("ELLE HABITE 12 RUE DES LILAS", "12 RUE DES LILAS"),
    ],
)
def test_a_street_in_capitals_needs_no_postcode_where_an_address_may_begin(
    text: str, address: str
) -> None:
    assert (address, "ADDRESS") in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "HE WALKED 3 MILES ON THE WAY HOME AND FOUND 2 OPEN ROADS.",
        "THE PATIENT HAD 2 TESTS IN A ROW, AND 10115 WAS THE CODE",
        "PATIENT DRIVES 30 MINUTES DRIVE EACH WAY, TOTAL 12500 MILES",
        "REVIEW OF 4 CHEST VIEWS AND 1 LATERAL VIEW",
        "she made 2 wrong turns on the road, about 12000 steps in all",
        "il a fait 3 fois la route pour 12000 euros",
        "sie fährt seit 2 jahren den weg 3 mal am tag",
    ],
)
def test_numbers_in_a_sentence_with_a_word_for_a_street_are_no_address(text: str) -> None:
    found = first_pass(Document("d", text), Settings(detector="patterns"), entities.canonical)
    assert [m for m in found if m.type == "ADDRESS"] == []


@pytest.mark.parametrize(
    ("text", "entity_type"),
    [
        ("418 JUNIPER LANE, DULUTH", "ADDRESS"),
        ("12, rue Pasteur à Lyon", "ADDRESS"),
        ("Hafenstraße 9 in Kiel", "ADDRESS"),
        ("Juniper Lane", "LOCATION"),
        ("Duluth, MN 55802", "LOCATION"),
        ("Hafenstraße", "LOCATION"),
        ("Route 66", "LOCATION"),
    ],
)
def test_a_place_with_a_house_and_a_street_is_an_address(text: str, entity_type: str) -> None:
    """Whoever found it: a list of towns, or the model."""
    [one] = with_multiline_addresses(
        text, [Candidate(0, len(text), "LOCATION", "ner", "location", 0.9)]
    )
    assert one.type == entity_type
