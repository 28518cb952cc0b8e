"""Makes keyed pseudo-random choices, and joins words."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from functools import cache

from linkmask import schema
from linkmask.text.letters import without_accents

Render = Callable[[str], str]
"""A spelling of an entity → the spelling of its surrogate."""


class Draw:
    """Choices that depend on key, seed, name and attempt alone, each asked for by a name."""

    def __init__(self, key: bytes, seed: int, name: bytes, attempt: int) -> None:
        self.attempt = attempt
        self._key = key or b"linkmask"
        self._name = b"%d/%b/%d/" % (seed, name, attempt)

    def number(self, name: str, low: int, high: int) -> int:
        """Return a whole number in [low, high]."""
        digest = hmac.digest(self._key, self._name + name.encode(), "sha256")
        return low + int.from_bytes(digest[:8], "big") % (high - low + 1)

    def one(self, name: str, choices: Sequence[str]) -> str:
        """Return one of the choices."""
        return choices[self.number(name, 0, len(choices) - 1)]


@cache
def words(language: str, name: str) -> tuple[str, ...]:
    """Return a list of the surrogates' table: words, or phrases divided by a bar."""
    text = schema.words("surrogates")[language][name]
    parts = text.split("|") if "|" in text else text.split()
    return tuple(part.strip() for part in parts)


def draw_compound(draw: Draw, language: str, name: str) -> str:
    """Put a beginning and an ending together; a letter met twice in a row is written once."""
    begin = draw.one(name, words(language, f"{name}_begin"))
    end = draw.one(name + " end", words(language, f"{name}_end"))
    return begin + (end[1:] if begin[-1] == end[0] else end)


def in_case_of(new: str, old: str) -> str:
    """Write a word in the case of another."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    return new.lower() if old.islower() else new


def without_case_and_accents(word: str) -> str:
    """Return a word without case and accents."""
    return without_accents(word.casefold())
