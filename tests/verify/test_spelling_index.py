"""The index finds what a search letter by letter finds, as whole words."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkmask.verify.comparison import is_whole_word
from linkmask.verify.spelling_index import SpellingIndex

LETTERS = "ab1é .,-_+()"


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.text(LETTERS, min_size=1, max_size=7), max_size=12, unique=True),
    st.text(LETTERS, max_size=40),
)
@example(["a-b", "a.b", "a b", "(a", "a)", "b"], "(a) a-b a.b, a b")
@example(["+1", "++", "1.1", "a.1"], "++1 ++ +1 1.1.1 a.1")
def test_spellings_are_found_where_they_stand_as_whole_words(
    spellings: list[str], text: str
) -> None:
    expected = {
        (number, start)
        for number, one in enumerate(spellings)
        for start in range(len(text) - len(one) + 1)
        if text.startswith(one, start) and is_whole_word(text, start, start + len(one))
    }
    found = list(SpellingIndex(spellings).find(text))
    assert len(found) == len(set(found)) and set(found) == expected
