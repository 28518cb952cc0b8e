"""A value that was found once is masked wherever it stands, however it is spelled there."""

import pytest

import linkmask
from linkmask.config import Settings

TOLD = "Mr. John Brandvold wrote from john.brandvold@example.org. His SSN is 219-09-9999."
ESCAPED = [
    "GET /claims?email=john.brandvold%40example.org&name=John%20Brandvold&page=2",
    "GET /login?next=%2Fclaims%3Fname%3DJohn%2520Brandvold",
    "&#74;ohn&nbsp;Brandvold &lt;john.brandvold&#64;example.org&gt;",
    r'{"name": "John\\u0020Brandvold", "mail": "john.brandvold\u0040example.org"}',
]


def masked(*texts: str) -> list[str]:
    """Return texts as they are masked, after one that tells of the person."""
    done = linkmask.mask([TOLD, *texts], Settings(workers=1))
    return [document.written.content for document in done.documents][1:]


def test_a_value_spelled_with_escapes_is_masked_with_them() -> None:
    for text in masked(*ESCAPED):
        assert "randvold" not in text and "ohn" not in text, text


def test_a_name_that_only_escapes_spell_is_found() -> None:
    texts = masked(
        "Mr. J&ouml;rg M&uuml;llerhof called.", "Frau J=C3=B6rgine M=C3=BCllerhof rief an."
    )
    assert texts == ["Mr. [NAME] called.", "Frau [NAME] rief an."]


@pytest.mark.parametrize("mark", [" ", ".", "/", ""])
def test_a_known_number_is_masked_with_other_marks_between_its_groups(mark: str) -> None:
    number = mark.join(("219", "09", "9999"))
    (text,) = masked(f"The file of {number} was closed.")
    assert number not in text
