"""Where one lives when no street's word, no capital or no figure says so.

In a text, «…» marks the spans that are to be found as an address; nothing else is one.
"""

import pytest

from marked_spans import MORE, check


@pytest.mark.parametrize(
    "marked",
    [
        "«88 NE Quarry St, Apt 3», then",
        "sailed 77 n quarry miles",
        "visit at «2290 Fruitvale #4», then",
        "«418 Larkspur Apt 12B, Reno NV 89501», then 3 Claims #4",
        "see 22 Form Part #4, 12 March #3",
        "20 E. Coli isolates, 60 W Lamp, 12 N Korean sailors",
    ],
)
def test_a_number_and_a_point_of_the_compass_make_a_street(marked: str) -> None:
    check("ADDRESS", marked, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "at «W5120 Cty Rd J»; at «N6021 TOWN LINE RD»; at «S3312 County Hwy QQ».",
        "RR 18, SpO2 97%; route 3 and so",
        "«PO BOX 19 STN MAIN THE GULLS MB»\nDOB",
        "R/o «D.No. 4-11/2, 3rd Cross, Lotus Nagar, behind Ganesh temple, Gullur». Plot No 7, see",
    ],
)
def test_grids_rural_routes_and_door_numbers_are_addresses(marked: str) -> None:
    check("ADDRESS", marked, behind=MORE)


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("the Old Mill, by the way; Wallowa House has a bed", "en"),
    ],
)
def test_a_house_may_have_a_name_for_a_number(marked: str, language: str) -> None:
    check("ADDRESS", marked, language, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "j'habite «5 rue pasteur gulleville» depuis mars",
        "chez moi «12 ter allée des peupliers».",
        "2 rues, 3 avenues",
    ],
)
def test_french_streets_may_be_in_small_letters(marked: str) -> None:
    check("ADDRESS", marked, "fr", behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "Er wohnt «Im Zelgli 8, Obergullingen». «An der alten Ziegelei 7 1/2, D-86415 Gullau».",
        "Am Tag 5, dann am 3. mai um 12 uhr, im alter von 12 jahren",
    ],
)
def test_german_streets_may_be_in_small_letters_or_with_a_number_in_words(marked: str) -> None:
    check("ADDRESS", marked, "de", behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "i live at «seventeen the paddocks gullmouth» and my",
        "he lives at two different places and",
    ],
)
def test_what_is_lived_at_is_an_address_whatever_it_is_called(marked: str) -> None:
    check("ADDRESS", marked, behind=MORE)


def test_a_label_on_the_next_line_ends_an_address() -> None:
    check("ADDRESS", "R/o «14 Mill Lane, Gullford»\nMob 98765 43210", behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "Domicilio: «C/ Fusteria, 12, 3.º 2.ª, 43500 Gaviota (Tarragona)» Tel.",
        "residente na «Rua do Poço Velho, n.º 41, 2.º Esq., 7050-112 Gaivota», venho",
        "residente in «via della Bietola 7, 54027 Gabbiano (MS)». Ha la tessera",
    ],
)
def test_an_address_takes_in_its_storey_and_its_province(marked: str) -> None:
    check("ADDRESS", marked, behind=MORE)
