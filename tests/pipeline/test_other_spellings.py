"""A value that was found once is masked wherever it stands, however it is spelled there."""

import re

import pytest

import linkmask
from linkmask.config import Settings
from linkmask.detect.view.touching_words import apart_from_words

TOLD = "Mr. John Brandvold wrote from john.brandvold@example.org. His SSN is 219-09-9999."
ESCAPED = [
    "GET /claims?email=john.brandvold%40example.org&name=John%20Brandvold&page=2",
    "GET /login?next=%2Fclaims%3Fname%3DJohn%2520Brandvold",
    "&#74;ohn&nbsp;Brandvold &lt;john.brandvold&#64;example.org&gt;",
    r'{"name": "John\\u0020Brandvold", "mail": "john.brandvold\u0040example.org"}',
]


BORN = "The patient, Mr. John Brandvold, DOB 12.03.1980, has Patient ID 4821377."
TOUCHED = {
    "The claim was seen by us.Brandvold": "Brandvold",
    "It was seenBrandvold again": "Brandvold",
    "the fileBrandvoldCalled of today": "Brandvold",
    "MRBrandvold was here": "Brandvold",
    "in den Unterlagen Brandvolds fehlt": "Brandvold",
    "Der Versicherte ist am 12.03.1980geboren": "12.03.1980",
    "see Patient4821377 for more": "4821377",
    "it was 4821377discharged then": "4821377",
}
NOT_TOLD = ["hash a4821377f0 of it", "part 4821377b", "a Brandvoldite stone", "12.03.19801"]


def masked(*texts: str, told: str = TOLD) -> list[str]:
    """Return texts as they are masked, after one that tells of the person."""
    done = linkmask.mask([told, *texts], Settings(workers=1))
    return [document.written.content for document in done.documents][1:]


def test_a_value_spelled_with_escapes_is_masked_with_them() -> None:
    for text in masked(*ESCAPED):
        assert "randvold" not in text and "ohn" not in text, text


def test_a_word_before_the_at_sign_of_a_mail_address_is_no_name_elsewhere() -> None:
    told = "From: Brian Lock <block@example.org>\nFrom: Steven Pace <space@example.org>"
    texts = ["A heart block was found.", "There was little space, and no block."]
    assert masked(*texts, told=told) == texts


def test_a_web_address_with_an_escaped_blank_is_masked_whole() -> None:
    """Else the rest of a masked address would tell the surname."""
    settings = Settings(workers=1, floor=(*Settings().floor, "URL"))
    done = linkmask.mask(["See https://x.org/u?n=Mary%20Steinholt&p=1 there."], settings)
    assert [one.written.content for one in done.documents] == ["See [URL] there."]


def test_a_name_that_only_escapes_spell_is_found() -> None:
    texts = masked(
        "Mr. J&ouml;rg M&uuml;llerhof called.", "Frau J=C3=B6rgine M=C3=BCllerhof rief an."
    )
    assert texts == ["Mr. [NAME] called.", "Frau [NAME] rief an."]


@pytest.mark.parametrize("mark", [".", "-", "_", "+", "", "%20", "%2520", "%2B"])
def test_a_known_name_is_masked_within_an_address_on_the_web(mark: str) -> None:
    """The address itself may be kept: it tells little. A masked name in it must not be."""
    for name in ("John Brandvold", "john brandvold"):
        joined = name.replace(" ", mark)
        pages = f"see http://x.org/{joined}.png and https://x.org/u?n={joined}&p=1 there"
        (text,) = masked(pages, told="Mr. John Brandvold was born on 4 May 1971.")
        assert "rand" not in text and "ohn" not in text, text


@pytest.mark.parametrize("mark", [" ", ".", "/", ""])
def test_a_known_number_is_masked_with_other_marks_between_its_groups(mark: str) -> None:
    number = mark.join(("219", "09", "9999"))
    (text,) = masked(f"The file of {number} was closed.")
    assert number not in text


def test_a_known_value_that_words_touch_is_masked() -> None:
    for text, (before, value) in zip(masked(*TOUCHED, told=BORN), TOUCHED.items(), strict=True):
        assert value not in text, (before, text)


KEPT = "Patient: John Brandvold, DOB 12.03.1980, MRN 007734512, phone (212) 555-0187."
IN_TABLES = [
    "login brandvold42 ok", "the file brandvold2021 is here", "user jbrandvold logged in",
    "JBRANDVOLD logged in", "see 7734512 there", "see (212)-555-0187", "see (212)5550187",
    "it says 12-03-1980 here", "it says 12/03/1980 here", "it says 12031980 here",
]  # fmt: skip
NO_USERS = ["the brandvold20210 there", "a brandvold4x there", "the brandvoldish there"]


def test_a_known_value_is_masked_as_tables_logs_and_users_names_spell_it() -> None:
    """A number without the zeros before it, a date with other marks, an initial and a surname."""
    settings = Settings(workers=1, detector="rules")
    done = linkmask.mask([KEPT, *IN_TABLES, *NO_USERS], settings)
    written = [document.written.content for document in done.documents][1:]
    spelled = ["randvold", "7734512", "5550187", "555-0187", "12-03-", "12/03/", "12031980"]
    for before, text in zip(IN_TABLES, written[: len(IN_TABLES)], strict=True):
        assert not any(one in text.lower() for one in spelled), (before, text)
    assert written[len(IN_TABLES) :] == NO_USERS


def test_within_a_code_or_a_longer_word_a_value_is_not_told_from_the_rest() -> None:
    for text in NOT_TOLD:
        for value in ("4821377", "Brandvold", "12.03.1980"):
            at = text.find(value)
            assert at < 0 or not apart_from_words(text, at, at + len(value))


@pytest.mark.parametrize("number", [4821377, 4821377.0, 4.821377e6])
def test_a_known_number_is_masked_as_a_number_of_json(number: float) -> None:
    """A column of identifiers becomes one of floats where one is missing."""
    documents = [{"id": "1", "content": BORN}, {"id": "2", "content": "Paid.", "member": number}]
    done = linkmask.mask(documents, Settings(workers=1))
    assert [one.written.others for one in done.documents][1] == {"member": "[PATIENT_ID]"}


@pytest.mark.parametrize(
    "spelled",
    [
        "J O H N  B R A N D V O L D",
        "B r a n d v o l d came",
        "see B-r-a-n-d-v-o-l-d",
        "it was 2 1 9 0 9 9 9 9 9",
        "".join(chr(0xE0000 + ord(one)) for one in "John Brandvold"),
    ],
)
def test_no_sign_is_released_of_a_masked_value_that_is_spelled(spelled: str) -> None:
    """The value is masked whole, or its document is set aside."""
    done = linkmask.mask([TOLD, f"The note: {spelled}", "Plan A B C D, 1 2 3 4, U.S.A."])
    written = {one.written.id: one.written.content for one in done.documents}
    assert written.keys() | {one.document for one in done.set_aside} == {"0", "1", "2"}
    assert "2" in written
    whole = r"The note: (?:see |it was )?\[[A-Z_]+\](?: came)?"
    assert "1" not in written or re.fullmatch(whole, written["1"])
