"""Pages of PDF files are read as a person reads them."""

from __future__ import annotations

import pytest

from linkmask.corpus.readers import kinds
from linkmask.corpus.readers.pdf.reader import read
from linkmask.corpus.readers.source import Limits
from trap_documents import FONT, pdf_of, shown


def text_of(content: bytes) -> str:
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R"
    data = pdf_of(
        {
            1: "<</Type/Catalog/Pages 2 0 R>>",
            2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: f"{page}/Resources<</Font<</F1 4 0 R>>>>>>",
            4: FONT,
            5: ("<<>>", content),
        }
    )
    return read(data, kinds.read, Limits([10**8])).text


def letters(text: str, x: float, y: float, size: int = 10) -> bytes:
    """Show each letter by an object of its own; the apostrophe is a narrow one."""
    shown = b""
    for letter in text:
        shown += f"BT /F1 {size} Tf {x} {y} Td ({letter}) Tj ET ".encode()
        x += size * (0.25 if letter == "'" else 0.8)
    return shown


@pytest.mark.parametrize("size", [8, 10, 24])
def test_letters_that_stand_alone_are_words(size: int) -> None:
    """Browsers print headers so, a letter at a time; an apostrophe begins no line of its own."""
    page = letters("MOMOM'MOMO", 50, 700, size) + shown((50, 600, "a visit of an hour"))
    assert "MOMOM\u2019MOMO\na visit" in text_of(page)


def test_a_word_over_two_objects_is_one_and_two_words_stay_two() -> None:
    page = shown((50, 700, "Zorve"), (74.5, 700, "kabov was"), (125, 700, "seen"))
    assert "Zorvekabov was seen\n" in text_of(page)


def test_values_before_their_labels_stand_behind_them() -> None:
    page = shown((200, 700, "Zorvekabov"), (50, 700, "Name:"), (200, 680, "Room 12"))
    assert "Name:  Zorvekabov\nRoom 12" in text_of(page)
