"""Boxes, posts held at an office and farms: addresses without a street.

In a text, «…» marks the spans that are to be found as an address; nothing else is one.
"""

import pytest

from marked_spans import check


@pytest.mark.parametrize(
    "marked",
    [
        "chez M. Soil, «B.P. 417, 97600 Mamoudzou».",
        "Adresse : «BP 12\n98728 Maharepa»",
        "à la mutuelle, «TSA 61202, 35913 Rennes Cedex 9», ou appelez",
        "«CS 70212, 44262 Nantes CEDEX 2»",
        "en «poste restante, 04120 Castellane», il passe",
        "la poste restante est ouverte, BP 130/80, CS 3 mg",
        "au «C.P. 218, succ. Centre-ville, Gaspé»",
        "«route du Pré-Neuf 7, case postale 33, 1882 Gryon»",
    ],
)
def test_a_french_box_goes_to_its_town(marked: str) -> None:
    check("ADDRESS", marked, "fr")


@pytest.mark.parametrize(
    "marked",
    [
        "est le «1725, rang du Brûlé, Sainte-Perpétue (Québec) J0C 1R0».",
        "au «412, 3e Avenue, Val-d'Or (Québec) J9P 1R5» depuis",
        "12 cas, tous à Gaspé (Québec)",
    ],
)
def test_an_address_in_quebec_holds_its_province_in_brackets(marked: str) -> None:
    check("ADDRESS", marked, "fr")


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("fr", "la ferme est vendue, 1867 francs"),
        ("de", "Der Hof Reit, 2019 Umbau, ist gut."),
        ("de", "an «Packstation 144, Postnummer 30417722, 04109 Leipzig» senden"),
        ("de", "Schreiben Sie «postlagernd, 6993 Mittelberg»."),
        ("en", "at «General Delivery, Dawson City, YT Y0B 1G0»."),
    ],
)
def test_a_farm_or_a_held_post_is_an_address_with_its_town(language: str, marked: str) -> None:
    check("ADDRESS", marked, language)
