"""Lowers the score of everyday words, because they do not distinguish persons."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from linkmask.detect.relevance.discourse import trigger_words
from linkmask.schema import types_of
from linkmask.text.fold import word_bytes
from linkmask.text.letters import plain_letters

FILE = Path(__file__).with_name("everyday.toml")
RARE = 20.0
"""Occurrences in a million from which a word is in the table."""
OFTEN = 200.0
"""Occurrences in a million from which a word is less than fully telling."""
KIND_OF = 0.8
"""What is left of a value that begins or ends with a word for its kind: "physical therapy"."""
IN_WORDS = types_of("clinical", "fact") - types_of("group")
"""Types whose values are words of the language, no names, numbers or dates."""


@cache
def _information(language: str) -> Mapping[bytes, float]:
    """Return word → its share of the information of a word said as often as `OFTEN`."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    full = 6.0 - math.log10(OFTEN)
    return {
        word.encode("latin-1"): min(1.0, (6.0 - float(step)) / full)
        for step, listed in tables.get(language, tables["en"]).items()
        for word in listed.split()
    }


@lru_cache(maxsize=1 << 13)  # the same conditions stand in many documents
def rarity_factor(value: str, language: str) -> float:
    """Return how much the rarest word of a value of a type in `IN_WORDS` tells, in (0, 1].

    A word's information is −log10 of its frequency; it tells as large a share of the information of
    a word said 200 times in a million: all of it if it is as rare, 0.9 at 400, 0.7 at 2,000. Of a
    kind of treatment `KIND_OF` of that is left: rules and studies speak of the kind, too.
    """
    shares, words = _information(language), word_bytes(value).split()
    tells = max((shares.get(word, 1.0) for word in words), default=1.0)
    kinds = trigger_words("treatments")
    return KIND_OF * tells if words and (words[0] in kinds or words[-1] in kinds) else tells


def is_everyday(word: str) -> bool:
    """Tell whether a lower-case English word is in the table."""
    return word.encode("latin-1", "replace") in _information("en")


@cache
def occurrences() -> Mapping[str, float]:
    """Return folded word → log10 of its occurrences in a million words of the language with most.

    Words with less than `RARE` occurrences are not in it.
    """
    found: dict[str, float] = {}
    for table in tomllib.loads(FILE.read_text(encoding="utf-8")).values():
        for step, listed in table.items():
            for word in map(_folded, listed.split()):
                found[word] = max(float(step), found.get(word, 0.0))
    return found


def _folded(word: str) -> str:
    return plain_letters(word).casefold()


@cache
def frequent_words(least: float) -> frozenset[str]:
    """Return the words, folded, of any language that are said so often in a million, or more."""
    return frozenset(word for word, step in occurrences().items() if step >= math.log10(least))
