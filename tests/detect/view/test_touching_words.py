"""A number with a form of its own is found where a word touches it, as lost line ends leave it."""

import pytest

import linkmask
from linkmask.config import Settings
from linkmask.detect.view.touching_words import part_touching_words

FOUND = {
    "The number is 280-11-1680Reason for visit: cough": ("280-11-1680", "NATIONAL_ID"),
    "Reached at 617-555-0142Notes of the call": ("617-555-0142", "PHONE_NUMBER"),
    "Please call617-555-0142 soon": ("617-555-0142", "PHONE_NUMBER"),
    "Paid with 4012 8888 8888 1881Expires soon": ("4012 8888 8888 1881", "CREDIT_CARD"),
    "Paid with 4012888888881881Expires soon": ("4012888888881881", "CREDIT_CARD"),
    "Joint au 06 12 34 56 78Monsieur a rappelé": ("06 12 34 56 78", "PHONE_NUMBER"),
}
NEAR_MISSES = [
    "alphabet = 0123456789abcdefghijklm",
    "part 4012888888881882Expires",
    "file IMG20240101120000.jpg of 5000000Euro",
    "it weighs 280-11-1680mm, or 9f280111680ab",
    "revision 617-555-01429Notes",
]


@pytest.mark.parametrize("text", FOUND)
def test_a_number_that_a_word_touches_is_found(text: str) -> None:
    value, kind = FOUND[text]
    scan = linkmask.scan([text], Settings(workers=1))
    found = {(mention.original, mention.type) for mention in scan.job.run.mentions()}
    assert any(value in original and of == kind for original, of in found)


@pytest.mark.parametrize("text", FOUND)
def test_a_number_that_a_word_touches_is_masked_whole(text: str) -> None:
    (written,) = linkmask.mask([text], Settings(workers=1)).documents
    assert FOUND[text][0] not in written.written.content


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_codes_sizes_and_alphabets_are_no_numbers_of_persons(text: str) -> None:
    scan = linkmask.scan([text], Settings(workers=1))
    types = {"IBAN", "CREDIT_CARD", "NATIONAL_ID", "PHONE_NUMBER"}
    assert [m.original for m in scan.job.run.mentions() if m.type in types] == []


def test_a_text_in_which_no_word_touches_a_number_is_not_read_again() -> None:
    for text in ("Call 617-555-0142, please.", "2024-01-01T12:00:00Z", "7" * 100, ""):
        assert part_touching_words(text) is None
