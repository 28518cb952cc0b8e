"""A known value whose letters are set apart is masked whole, and never in part."""

import re

import pytest

from linkmask import mask

FORMS = [
    "B r a n d v o l d",
    "B  r  a  n  d  v  o  l  d",
    "b r a n d v o l d",
    "B-r-a-n-d-v-o-l-d",
    "B. R. A. N. D. V. O. L. D.",
    "A d a  B r a n d v o l d",
    "A d a B r a n d v o l d",
]


@pytest.mark.parametrize("form", FORMS)
def test_a_spelled_form_of_a_known_name_is_masked_whole(form: str) -> None:
    text = f"Ms. Ada Brandvold was seen today. Then {form} came. It rained."
    (document,) = mask([{"id": "1", "content": text}]).documents
    whole = r"Ms\. \[NAME\] was seen today\. Then \[[A-Z_]+\]\.? came\. It rained\."
    assert re.fullmatch(whole, document.content)


def test_it_is_masked_in_a_document_without_the_name() -> None:
    texts = ["Ms. Ada Brandvold was seen today.", "It said b r a n d v o l d on the door."]
    documents = mask([{"id": str(n), "content": text} for n, text in enumerate(texts)]).documents
    assert [one.content for one in documents] == [
        "Ms. [NAME] was seen today.",
        "It said [NAME] on the door.",
    ]
