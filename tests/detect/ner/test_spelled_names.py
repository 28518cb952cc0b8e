"""A spelled name is found with all of its letters, and without the next sentence."""

import pytest

from linkmask import mask


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("It is spelled R O T H. I am well.", "It is spelled [NAME]. I am well."),
        ("Spelled R-O-T-H. I am well.", "Spelled [NAME]. I am well."),
        ("Mr. H a r g r e a v e s called today.", "Mr. [NAME] called today."),
        ("My name is J o s e p h i n e  H a r g r e a v e s, sir.", "My name is [NAME], sir."),
    ],
)
def test_a_spelled_name_is_masked_whole_and_alone(text: str, masked: str) -> None:
    (document,) = mask([{"id": "1", "content": text}]).documents
    assert document.content == masked
