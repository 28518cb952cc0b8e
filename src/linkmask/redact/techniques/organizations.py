"""Generalizes the name of a clinic, an insurer or a firm to what kind of body it is."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from linkmask import schema
from linkmask.redact.techniques.places import region
from linkmask.text.letters import plain_letters

_WORD = re.compile(r"[\w'’&-]+")
_ROMANCE = {"es", "fr", "it", "pt"}
"""Languages in which the word for a kind stands first: "Clinique du Lac"."""


def kind(original: str, value: str, language: str) -> str | None:
    """`Alpine Pain Clinic` → `clinic`, `Denver, CO` → `Colorado`; None where neither is told.

    Of several words for a kind the last one counts, with a word such as "medical" before it; in
    Romance languages the first one.
    """
    table = _organization_words()
    words = _WORD.findall(original)
    folded = list(map(_folded, words))
    places = [n for n, word in enumerate(folded) if table.names_kind(word)]
    if not places:
        return region(original, value, language)
    at = places[0] if language in _ROMANCE else places[-1]
    start = at - (at > 0 and folded[at - 1] in table.kind_of)
    return _written(words[start : at + 1], language)


def specialty(original: str, value: str, language: str) -> str | None:
    """`Alpine Pain Clinic` → `pain clinic`, `Lakeside Oncology` → `oncology`; or as `kind`.

    What a body treats or offers is left beside the word for its kind, or alone.
    """
    table = _organization_words()
    words = _WORD.findall(original)
    folded = list(map(_folded, words))
    places = [n for n, word in enumerate(folded) if table.names_kind(word)]
    places = places or [n for n, word in enumerate(folded) if table.names_specialty(word)]
    if not places:
        return region(original, value, language)
    first = last = places[0] if language in _ROMANCE else places[-1]
    while first > 0 and table.qualifies(folded[first - 1]):
        first -= 1
    while last + 1 < len(words) and table.qualifies(folded[last + 1]):
        last += 1
    return _written(words[first : last + 1], language)


def _written(words: list[str], language: str) -> str:
    return " ".join(words if language == "de" else map(str.lower, words))


@lru_cache(maxsize=1 << 14)
def _folded(word: str) -> str:
    return plain_letters(word).casefold()


class _OrganizationWords(NamedTuple):
    """Words of the names of organizations: for their kinds, and what may stand beside these."""

    kinds: frozenset[str]
    endings: tuple[str, ...]
    kind_of: frozenset[str]
    specialties: frozenset[str]
    specialty_endings: tuple[str, ...]

    def names_kind(self, word: str) -> bool:
        return word in self.kinds or word.endswith(self.endings)

    def names_specialty(self, word: str) -> bool:
        return word in self.specialties or word.endswith(self.specialty_endings)

    def qualifies(self, word: str) -> bool:
        return word in self.kind_of or self.names_specialty(word)


@cache
def _organization_words() -> _OrganizationWords:
    table = schema.words("organizations")
    return _OrganizationWords(
        frozenset(table["kinds"]),
        tuple(table["endings"]),
        frozenset(table["kind_of"]),
        frozenset(table["specialties"]),
        tuple(table["specialty_endings"]),
    )
