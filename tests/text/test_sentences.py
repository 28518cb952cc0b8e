"""Where a sentence or a line begins, as each caller needs it."""

from collections.abc import Callable

import pytest

from linkmask.text.codes import SEPARATOR
from linkmask.text.sentences import (
    begins_line_with_capital,
    begins_sentence,
    begins_sentence_or_line,
    follows_end,
    takes_capital,
)

ALL: tuple[Callable[[str, int], bool], ...] = (
    begins_sentence,
    begins_sentence_or_line,
    follows_end,
    takes_capital,
)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", "yyyy"),
        ("She left. ", "nyyy"),  # a word of four letters may be an abbreviation
        ("She called. ", "yyyy"),
        ("Is it so? ", "yyyy"),
        ("versus vs. ", "nyyn"),
        ("Seen by ", "nnnn"),
        ("Seen by: ", "yyyn"),
        ('He said "', "nnnn"),
        ("It is long,\n", "nynn"),
        ("as told by\n", "nynn"),
        ("She called.\n", "yyyy"),
        ("NOTE\n", "nyny"),
        ("as told\n\n", "yyny"),
        ("• ", "nynn"),
        (f"as told {SEPARATOR}", "nnny"),
    ],
)
def test_each_function_errs_to_its_own_side(before: str, expected: str) -> None:
    """A letter for each: begins_sentence, begins_sentence_or_line, follows_end, takes_capital."""
    text = f"{before}Lindqvist"
    assert "".join("y" if tells(text, len(before)) else "n" for tells in ALL) == expected


@pytest.mark.parametrize(
    ("before", "capital"),
    [
        ("", False),
        ("Seen by ", True),
        ("seen by ", False),
        ("Seen.\nby ", False),
        ("a\n  By ", True),
    ],
)
def test_a_line_begins_with_a_capital_before_a_word_in_it(before: str, capital: bool) -> None:
    assert begins_line_with_capital(f"{before}lindqvist", len(before)) == capital
