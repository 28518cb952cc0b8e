"""Generalizes the name of a clinic, an insurer or a firm to what kind of body it is."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from linkmask import schema
from linkmask.redact.techniques.places import region
from linkmask.text.letters import plain_letters

_WORD = re.compile(r"[\w'’&-]+")


def kind(original: str, value: str, language: str) -> str | None:
    """`Alpine Pain Clinic` → `clinic`, `Denver, CO` → `Colorado`; None where neither is told.

    Of several words for a kind the last one counts, with a word such as "medical" before it; in
    French, where they stand first, the first one.
    """
    nouns, before, endings = _kinds()
    words = _WORD.findall(original)
    folded = list(map(_folded, words))
    places = [n for n, word in enumerate(folded) if word in nouns or word.endswith(endings)]
    if not places:
        return region(original, value, language)
    at = places[0] if language == "fr" else places[-1]
    start = at - (at > 0 and folded[at - 1] in before)
    found = words[start : at + 1]
    return " ".join(found if language == "de" else map(str.lower, found))


@lru_cache(maxsize=1 << 14)
def _folded(word: str) -> str:
    return plain_letters(word).casefold()


@cache
def _kinds() -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
    """Return the words for kinds of body, the words that belong before one, German endings."""
    table = schema.words("bodies")
    return frozenset(table["kinds"]), frozenset(table["kind_of"]), tuple(table["endings"])
