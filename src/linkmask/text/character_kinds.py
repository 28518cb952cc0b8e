"""Tells what a character is to words by a table, in a tenth of the time of its methods."""

from __future__ import annotations

DIGIT, UPPER, LOWER, ALPHANUMERIC, UNDERSCORE = 1, 2, 4, 8, 16
IN_WORD = ALPHANUMERIC | UNDERSCORE
POINTS = frozenset(".,")
"""Characters within a number."""


class _Kinds(dict[str, int]):
    """What each character is, as bits; nothing has none."""

    def __missing__(self, character: str) -> int:
        self[character] = bits = (
            DIGIT * character.isdigit()
            | UPPER * character.isupper()
            | LOWER * character.islower()
            | ALPHANUMERIC * character.isalnum()
            | UNDERSCORE * (character == "_")
        )
        return bits


KIND = _Kinds()
