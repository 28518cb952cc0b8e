"""Names reach over the other half of their word, and over a part of the same name beside them."""

import pytest

import linkmask
from linkmask.detect.candidates import Candidate
from linkmask.detect.names.extent import names_beside_masks, with_whole_names
from linkmask.records import Document


def whole(marked: str, language: str = "en", foreign: str = "") -> str:
    """Return what a name reaches over; the name found stands between ‹ and ›."""
    start = marked.index("‹")
    end = marked.index("›") - 1
    text = marked.replace("‹", "").replace("›", "")
    one = Candidate(start, end, "NAME", "ner", "name", 0.9)
    (found,) = with_whole_names(text, [one], language, foreign)
    return text[found.start : found.end]


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("we told ‹Jae›-won of it", "Jae-won"),
        ("Ms ‹Okwuosa›-Bright moved", "Okwuosa-Bright"),
        ("Ms Okwuosa-‹Bright› moved", "Okwuosa-Bright"),
        ("Mr O'‹Shaughnessy› paid", "O'Shaughnessy"),
        ("thanks to Cornelia ‹Vandersteen› for it", "Cornelia Vandersteen"),
        ("thanks to Lysander ‹Vandersteen› for it", "Lysander Vandersteen"),
        ("Accused: VANDERSTEEN-KALE, ‹Marian-Cosmin›, born", "VANDERSTEEN-KALE, Marian-Cosmin"),
        ("1. VANDERSTEEN, ‹Zainab›", "VANDERSTEEN, Zainab"),
        ("hoi, met ‹roel› douma, ik bel", "roel douma"),
    ],
)
def test_a_name_reaches_over_the_rest_of_it(marked: str, name: str) -> None:
    assert whole(marked) == name


@pytest.mark.parametrize(
    ("marked", "language", "name"),
    [
        ("the ‹Roth›-led team", "en", "Roth"),
        ("THANKS, ‹Anna›", "en", "Anna"),
        ("he is in VANDERSTEEN, ‹Anna› says", "en", "Anna"),
        ("Mr ‹Roth›'s claim", "en", "Roth"),
        ("die ‹Roth›-Gruppe schweigt", "de", "Roth"),
        ("Yesterday ‹Roth› called", "en", "Roth"),
        ("Torquay ‹Roth› called", "en", "Roth"),
        ("he met ‹Roth› Monday", "en", "Roth"),
        ("well ‹david› drove home", "en", "david"),
        ("Olá ‹Genoveva›, não posso", "en", "Genoveva"),
        ("der Schadensachbearbeiter ‹Roth› rief an", "de", "Roth"),
        ("mail ‹Roth›-list@example.org", "en", "Roth"),
    ],
)
def test_a_name_does_not_reach_over_other_words(marked: str, language: str, name: str) -> None:
    assert whole(marked, language) == name


def test_a_surname_of_no_list_belongs_to_a_name_in_a_language_without_lists() -> None:
    assert whole("jej mąż ‹Bronisław› Kossakiewicz pracuje", "en", "pl") == "Bronisław Kossakiewicz"
    assert whole("he told ‹Bronisław› Kossakiewicz", "en") == "Bronisław"


def test_a_name_does_not_reach_into_the_next_value() -> None:
    text = "Jae-won Roth"
    spans = [Candidate(0, 3, "NAME", "a", "a", 0.9), Candidate(3, 7, "LOCATION", "a", "a", 0.9)]
    assert with_whole_names(text, spans, "en") == spans


def test_a_given_name_beside_a_surname_that_the_corpus_knows_is_masked_with_it() -> None:
    manual = (
        "Dear all, the driver package fixes the duplex bug. Install it and restart the queue. "
        "Release notes and checksum are on the wiki. Thanks to Lysander Vandersteen for testing "
        "the driver. The toner warning and landscape mode are known issues of the firmware."
    )
    claim = "Ms Hilda Vandersteen claims for a broken arm. She is a patient of the clinic."
    result = linkmask.mask([Document("a", claim), Document("b", manual)])
    texts = " ".join(one.written.content for one in result.documents)
    assert "Vandersteen" not in texts and "Lysander" not in texts


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Peverell, [NAME] (Claims) wrote on Tuesday.", ["Peverell"]),
        ("The ramp was measured by [NAME] Hockaday on Tuesday.", ["Hockaday"]),
        ("In March [NAME] left, and the Gateway [NAME] uses is new.", []),
        ("[NAME] Road is closed, and so is the Clinic [NAME] runs.", []),
    ],
)
def test_a_name_beside_the_mask_of_a_name_is_found(text: str, left: list[str]) -> None:
    found = names_beside_masks(text, "en")
    assert [text[one.start : one.end] for one in found] == left


def test_a_long_noun_beside_a_mask_is_no_name_in_german() -> None:
    text = "Im Treppenhausflur [NAME] und [NAME] Vorzimmerdame mit Herrn [NAME] Zischka."
    found = names_beside_masks(text, "de")
    assert [text[one.start : one.end] for one in found] == ["Zischka"]
