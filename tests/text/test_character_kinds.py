"""The table of characters says what their methods say."""

from hypothesis import given
from hypothesis import strategies as st

from linkmask.text.character_kinds import ALPHANUMERIC, DIGIT, KIND, LOWER, UNDERSCORE, UPPER


@given(st.characters() | st.sampled_from("_²①ⒶⓐǅªⅧ中") | st.just(""))
def test_a_character_has_the_bits_of_the_methods_that_are_true_of_it(character: str) -> None:
    asked = {
        DIGIT: character.isdigit(),
        UPPER: character.isupper(),
        LOWER: character.islower(),
        ALPHANUMERIC: character.isalnum(),
        UNDERSCORE: character == "_",
    }
    assert KIND[character] == sum(bit for bit, holds in asked.items() if holds)
