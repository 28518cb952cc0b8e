"""Numbers of banks, of states, and what is said in words: each rule's takes and its near-misses.

In a text, «…» marks the spans that are to be found as the type and nothing else is.
"""

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import find
from linkmask.graph import entities
from linkmask.records import Document
from marked_spans import COUNTRIES, check


@pytest.mark.parametrize(
    "marked",
    [
        "auf IBAN «DE 02 1203 0000 0000 2020 51» bitte",
        "mon IBAN : «FR76 3000 6000 0112 3456\n7890 189» (titulaire",
        "> «DE02 1203 0000\n> 0000 2020 51» und 12",
        "an «DE02120300000000202051» und danke",
        "ref DE 03 1203 0000 0000 2020 51, ZZ 02 1203 0000 0000 2020 51",
        "DE02 1203\n0000\n0000 2020 51 over two line ends",
        "is 02 1203 0000 0000 2020 51 items",
    ],
)
def test_an_iban_is_as_long_as_its_country_writes_it(marked: str) -> None:
    """A blank behind the country and one line end are no end of it, if the checksum holds."""
    check("IBAN", marked)


@pytest.mark.parametrize(
    "marked",
    [
        "sort code «20-00-00» for the refund",
        "Sort code: «20 00 00», thanks",
        "use routing «074000078» or ABA no. «074000078»",
        "routing 074000079 fails its checksum; the 074000078 units",
        "the sort code 2 and 20-00-00 visits; in 20-00-00",
    ],
)
def test_the_number_of_a_bank_stands_behind_its_label(marked: str) -> None:
    """It belongs to an account, as its number does."""
    check("IBAN", marked)


@pytest.mark.parametrize(
    "marked",
    [
        "account «5577 9911» (M Roth)",
        "acct. no. «00 9381-4471», then",
        "Konto Nr. «1234 567 890»",
        "he counts 5577 9911; accounts 12 15; account 2024-03-15; on account 20 000 000 euros",
    ],
)
def test_an_account_in_groups_is_one_number(marked: str) -> None:
    check("PATIENT_ID", marked)


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("at «14a Pepys Mews off Nettle Lane, Bishopston, Bristol BS7 8QT», and", "en"),
        ("lives at «3 Mill Cottages, Ashford TN23 1AA».", "en"),
        ("demeure au «3 bis de la venelle du Four» à", "fr"),
        ("au «9 de la rue de Mornay», puis", "fr"),
        ("3 de la part des assurés, 88 du cours moyen, 4 des avenues", "fr"),
        ("he saw 14 cottages off the road, 3 Mill workers near Ashford Lane", "en"),
    ],
)
def test_a_street_is_an_address_with_what_says_where_it_is(marked: str, language: str) -> None:
    check("ADDRESS", marked, language)


@pytest.mark.parametrize(
    "marked",
    [
        "oder «roth.orgel (ät) web-post.example» bitte",
        "à «jl(point)roth(arobase)poste-bleue(point)example».",
        "«anna [dot] roth [at] example [dot] org»",
        "(at) noon, the (dot) in 3 (point) 5, a (dot) b",
    ],
)
def test_an_address_spelled_half_is_taken_whole(marked: str) -> None:
    check("EMAIL", marked)


@pytest.mark.parametrize(
    "marked",
    [
        "NI no. «QQ 12 34 56 C» given",
        "National Insurance number: «qq123456»",
        "Medicare no. «1EG4-TE5-MK73», MBI «1EG4TE5MK73»",
        "Driver's lic. «D4471902», driver's licence «D4471903»",
        "Soc1al Security Number: «526-O4-678O»",
        "order 526-O4-678O; Medicare G0438 and Medicare 2023; QQ 12 34 56 C",
        "the social worker saw 526 of 678",
    ],
)
def test_the_label_tells_a_number_of_a_state(marked: str) -> None:
    check("NATIONAL_ID", marked)


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("call one or two of them; ring at nine ten; one two three four five six seven", "en"),
        ("call on claim number one two three four five six seven", "en"),
        ("unter zwei, drei oder vier Jahren; appeler à neuf heures trente", "de"),
        ("call " + "one two three four five six seven " * 4, "en"),
    ],
)
def test_a_phone_number_may_be_said_in_words(marked: str, language: str) -> None:
    """Six words behind one for calling; a claim's number is the claim's; counting is none."""
    check("PHONE_NUMBER", marked, language)


def test_a_birth_date_has_a_short_year_behind_a_comma() -> None:
    check("BIRTHDATE", "She was born «July 8th, '82», came in 1994")


@pytest.mark.parametrize("mark", ["\t", " | "])
def test_a_date_below_the_head_of_births_is_a_birth_date(mark: str) -> None:
    rows = [["Claimant", "DOB", "Phone", "Seen"], ["Roth L", "4/30/59", "812-555-0188", "1/2/24"]]
    document = Document("d", "Open items\n" + "\n".join(map(mark.join, rows)) + "\n")
    mentions = detect.first_pass(document, Settings(detector="patterns"), entities.canonical)
    types = {m.original: m.type for m in mentions}
    assert types["4/30/59"] == "BIRTHDATE" and types["1/2/24"] == "EVENT_DATE"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("oh-seven-seven-double-oh nine hundred 318", "07700 900318"),
        ("714 555 oh one nine nine", "714-555-0199"),
        ("zéro six, trente-neuf, quatre-vingt-dix-huit, 22 10", "06 39 98 22 10"),
        ("null fünf fünf eins, 30 99 418", "0551 3099418"),
    ],
)
def test_a_number_said_is_the_number_written(said: str, written: str) -> None:
    assert entities.canonical("PHONE_NUMBER", said) == entities.canonical("PHONE_NUMBER", written)


def in_letters(text: str) -> list[str]:
    found = find(text, Scope("en", COUNTRIES))
    return [text[f.start : f.end] for f in found if f.rule == "email-in-letters"]


def test_a_mail_address_may_be_said_letter_by_letter():
    text = "send it to r o t h a n f 44 at example dot net please"
    assert in_letters(text) == ["r o t h a n f 44 at example dot net"]


@pytest.mark.parametrize(
    "said",
    [
        "anna.roth[@]example[.]org",
        "lund52 arobas exemple point ca",
        "lund.anna chez laposte.net",
        "x.roth@@example.org",
    ],
)
def test_a_hidden_mail_address_is_found_whole(said):
    text = f"to: {said}, or"
    assert [text[f.start : f.end] for f in find(text, Scope("fr", COUNTRIES))] == [said]


@pytest.mark.parametrize("text", ["bought at store.example.com", "chez laposte.net, pas"])
def test_what_is_at_a_shop_is_no_mail_address(text):
    assert not [f for f in find(text, Scope("fr", COUNTRIES)) if f.type == "EMAIL"]
