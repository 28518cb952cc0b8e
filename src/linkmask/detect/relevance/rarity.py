"""Lowers the score of everyday words, because they do not distinguish persons."""

from __future__ import annotations

from functools import lru_cache

from linkmask.detect.lexicon.everyday import information
from linkmask.detect.relevance.discourse import trigger_words
from linkmask.schema import types_of
from linkmask.text.fold import word_bytes

KIND_OF = 0.8
"""What is left of a value that begins or ends with a word for its kind: "physical therapy"."""
IN_WORDS = types_of("clinical", "fact") - types_of("group")
"""Types whose values are words of the language, no names, numbers or dates."""


@lru_cache(maxsize=1 << 13)  # the same conditions stand in many documents
def rarity_factor(value: str, language: str) -> float:
    """Return how much the rarest word of a value of a type in `IN_WORDS` tells, in (0, 1].

    A word's information is −log10 of its frequency; it tells as large a share of the information of
    a word said 200 times in a million: all of it if it is as rare, 0.9 at 400, 0.7 at 2,000. Of a
    kind of treatment `KIND_OF` of that is left: rules and studies speak of the kind, too.
    """
    shares, words = information(language), word_bytes(value).split()
    tells = max((shares.get(word, 1.0) for word in words), default=1.0)
    kinds = trigger_words("treatments")
    return KIND_OF * tells if words and (words[0] in kinds or words[-1] in kinds) else tells
