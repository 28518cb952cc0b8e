"""Names said letter by letter, and addresses of mail that are."""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import find

ALL = ("us", "gb", "fr", "de", "ch")


def spelled(text, rule="name-spelled"):
    return [text[f.start : f.end] for f in find(text, Scope("en", ALL)) if f.rule == rule]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Name: R O T H M A N, first name", "R O T H M A N"),
        ("c'est madame zerrouki z e deux r o u k i voilà", "z e deux r o u k i"),
        ("Ludwig Zehetbauer, Z-E-H-E-T-bauer ja", "Z-E-H-E-T-bauer"),
        ("my name is dora de luca d e space l u c a i have a claim", "d e space l u c a"),
        ("spelled G-U-L-L-E-T. States", "G-U-L-L-E-T"),
    ],
)
def test_letters_spell_a_name(text, said):
    assert spelled(text) == [said]


@pytest.mark.parametrize(
    "text",
    ["Hepatitis A B C D E were tested", "grades A, B, C and D", "x x x x x", "plan I D card"],
)
def test_the_alphabet_spells_nothing(text):
    assert spelled(text) == []


def test_a_mail_address_may_be_said_letter_by_letter():
    text = "send it to r o t h a n f 44 at example dot net please"
    assert spelled(text, "email-in-letters") == ["r o t h a n f 44 at example dot net"]


@pytest.mark.parametrize(
    "said",
    [
        "q.lund(ät)example-punkt-ch",
        "anna.roth[@]example[.]org",
        "lund52 arobas exemple point ca",
        "lund.anna chez laposte.net",
        "x.roth@@example.org",
    ],
)
def test_a_hidden_mail_address_is_found_whole(said):
    text = f"to: {said}, or"
    assert [text[f.start : f.end] for f in find(text, Scope("fr", ALL))] == [said]


@pytest.mark.parametrize("text", ["bought at store.example.com", "chez laposte.net, pas"])
def test_what_is_at_a_shop_is_no_mail_address(text):
    assert not [f for f in find(text, Scope("fr", ALL)) if f.type == "EMAIL"]
