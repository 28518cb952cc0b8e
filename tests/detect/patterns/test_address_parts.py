"""An address takes in the parts of it that stand beside it, and nothing of the sentence."""

import re

import pytest

from linkmask.detect.candidates import Candidate
from linkmask.detect.patterns.whole_address import with_parts_beside
from linkmask.detect.recognizers.shipped import AddressPiece, address_pieces
from linkmask.schema import types


def widened(marked: str, entity_type: str = types.ADDRESS) -> str:
    """The value of a text in which «…» marks what was found of it."""
    start, end = marked.index("«"), marked.index("»") - 1
    text = marked.replace("«", "").replace("»", "")
    found = Candidate(start, end, entity_type, "patterns", "street", 0.9)
    (one,) = with_parts_beside(text, [found])
    return text[one.start : one.end]


@pytest.mark.parametrize(
    ("marked", "whole"),
    [
        ("«Calle Mayor 14», 3.º B, 28009 Madrid.", "Calle Mayor 14, 3.º B, 28009 Madrid"),
        (
            "en «c/ Mayor 14», esc. 2, 48991 Getxo (Bizkaia), y",
            "c/ Mayor 14, esc. 2, 48991 Getxo (Bizkaia)",
        ),
        ("«Via della Pace 22», scala C.", "Via della Pace 22, scala C"),
        ("«via roma 3», sc. A, terzo piano, citofono", "via roma 3, sc. A, terzo piano, citofono"),
        (
            "«14 rue des Lilas, bâtiment» C, porte gauche",
            "14 rue des Lilas, bâtiment C, porte gauche",
        ),
        ("«calle olmo 23», 4º izquierda, y", "calle olmo 23, 4º izquierda"),
        ("«Dorpsstraat 5» bis III te", "Dorpsstraat 5 bis III"),
        ("«Kerkstraat 80» bus 2, B-9000 Gent", "Kerkstraat 80 bus 2, B-9000 Gent"),
        ("«Lange Gasse 5»/7 und", "Lange Gasse 5"),
        ("Stiege 3, «Lange Gasse 5», 1080 Wien und", "Stiege 3, Lange Gasse 5, 1080 Wien"),
        ("«Rua da Boavista 112», 2.º Esq., 4050-105 Porto", None),
        (
            "«Rua da Paz 7», Jardim América, CEP 72155-408 é",
            "Rua da Paz 7, Jardim América, CEP 72155-408",
        ),
    ],
)
def test_parts_beside_an_address_are_parts_of_it(marked: str, whole: str | None) -> None:
    """Floor, staircase, postcode, town and region, in the order of several countries."""
    assert widened(marked) == (whole or marked.replace("«", "").replace("»", ""))


@pytest.mark.parametrize(
    "marked",
    [
        "«Via Roma 12». 20144 Euro were paid",
        "«12 High Street» and paid 20144 Dollars",
        "«Calle Mayor 14», where 3 people live",
        "«Calle Mayor 14»\n\n28009 Madrid",
    ],
)
def test_a_sentence_behind_an_address_is_no_part_of_it(marked: str) -> None:
    """Amounts, people and the next paragraph stay outside."""
    assert widened(marked) == marked[marked.index("«") + 1 : marked.index("»")]


@pytest.mark.parametrize(
    ("marked", "whole"),
    [
        ("Your member number «5520» 8841 has", "5520 8841"),
        ("Klantnummer «88.41.220» B is", "88.41.220 B"),
        ("member «4471» 2024 was", "4471"),
        ("member «4471» 500 EUR", "4471"),
        ("member «4471» 120 days", "4471"),
        ("member «4471» I called", "4471"),
    ],
)
def test_a_number_takes_in_its_other_groups(marked: str, whole: str) -> None:
    """A year, an amount, a count and a word are none of them."""
    assert widened(marked, types.PATIENT_ID) == whole


def test_what_an_address_takes_in_is_no_value_of_its_own() -> None:
    """The result stays disjoint and sorted."""
    text = "Calle Mayor 14, 28009 Madrid, tel. 612 345 678"
    spans = [
        Candidate(0, 14, types.ADDRESS, "patterns", "street", 0.9),
        Candidate(22, 28, types.LOCATION, "ner", "location", 0.9),
        Candidate(35, 46, types.PHONE_NUMBER, "patterns", "phone", 0.9),
    ]
    found = [(text[s.start : s.end], s.type) for s in with_parts_beside(text, spans)]
    assert found == [
        ("Calle Mayor 14, 28009 Madrid", types.ADDRESS),
        ("612 345 678", types.PHONE_NUMBER),
    ]


PIECES = [(piece, text) for piece in address_pieces() for text in piece.examples]
MISSED = [(piece, text) for piece in address_pieces() for text in piece.near_misses]


def matched(piece: AddressPiece, marked: str) -> re.Match[str] | None:
    """What the row of a piece finds beside «…», at the side that it names."""
    start, end = marked.index("«"), marked.index("»") - 1
    text = marked.replace("«", "").replace("»", "")
    if piece.side == "before":
        return re.search(f"(?:{piece.pattern})$", text[:start])
    pattern = re.compile(piece.pattern)
    return (pattern.search if piece.side == "apart" else pattern.match)(text, end)


@pytest.mark.parametrize(("piece", "marked"), PIECES, ids=lambda one: getattr(one, "id", ""))
def test_each_piece_is_taken_in_where_its_example_has_it(piece: AddressPiece, marked: str) -> None:
    assert widened(marked) != marked[marked.index("«") + 1 : marked.index("»")]
    assert matched(piece, marked)


@pytest.mark.parametrize(("piece", "marked"), MISSED, ids=lambda one: getattr(one, "id", ""))
def test_a_near_miss_is_no_piece_by_its_row(piece: AddressPiece, marked: str) -> None:
    assert not matched(piece, marked)


def test_every_piece_has_an_example_and_a_near_miss() -> None:
    assert [one.id for one in address_pieces() if not (one.examples and one.near_misses)] == []
