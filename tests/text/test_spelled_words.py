"""Words whose letters are set apart are read as words."""

import pytest

from linkmask.text.spelled_words import gaps_in_words, spelled_texts, spelled_words
from linkmask.text.view import view_after_edits


@pytest.mark.parametrize(
    ("text", "words", "read"),
    [
        ("Then B r a n d came", ["B r a n d"], "Then Brand came"),
        ("B. R. A. N. D. came", ["B. R. A. N. D"], "BRAND. came"),
        ("at 5 p.m. b-r-a-n-d", ["b-r-a-n-d"], "at 5 p.m. brand"),
        ("A d a  B r a n d", ["A d a", "B r a n d"], "Ada  Brand"),
        ("A d a B r a n d", ["A d a B r a n d"], "Ada Brand"),
        ("R O T H. I am", ["R O T H"], "ROTH. I am"),
        ("plan A, or B", [], "plan A, or B"),
    ],
)
def test_letters_that_are_set_apart_alike_are_one_word(
    text: str, words: list[str], read: str
) -> None:
    found = list(spelled_words(text))
    assert [text[start:end] for start, end in found] == words
    assert view_after_edits(text, gaps_in_words(text, found, False)).text == read


def test_a_capital_may_stand_within_a_word_and_begin_one() -> None:
    assert set(spelled_texts("Ask M c R o t h.")) == {"MC ROTH", "MCROTH"}
    assert set(spelled_texts("Ask J-o-h-n R-o-t-h.")) == {"JOHN ROTH"}


def test_a_row_of_figures_is_no_word() -> None:
    assert list(spelled_words("1 0 0 1 " * 100)) == []
