"""Tells how often words are said, by the tables of `everyday.toml`."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from linkmask import schema
from linkmask.text.fold import word_bytes
from linkmask.text.letters import plain_letters

FILE = Path(__file__).with_name("everyday.toml")
RARE = 20.0
"""Occurrences in a million from which a word is in the table."""
OFTEN = 200.0
"""Occurrences in a million from which a word is less than fully telling."""


@cache
def information(language: str) -> Mapping[bytes, float]:
    """Return word → its share of the information of a word said as often as `OFTEN`."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    full = 6.0 - math.log10(OFTEN)
    return {
        word.encode("latin-1"): min(1.0, (6.0 - float(step)) / full)
        for step, listed in tables.get(language, tables["en"]).items()
        for word in listed.split()
    }


def is_everyday(word: str) -> bool:
    """Tell whether a lower-case English word is in the table."""
    return word.encode("latin-1", "replace") in information("en")


@cache
def occurrences() -> Mapping[str, float]:
    """Return folded word → log10 of its occurrences in a million words of the language with most.

    Words with less than `RARE` occurrences are not in it.
    """
    found: dict[str, float] = {}
    for table in tomllib.loads(FILE.read_text(encoding="utf-8")).values():
        for step, listed in table.items():
            for word in listed.split():
                folded = plain_letters(word).casefold()
                found[folded] = max(float(step), found.get(folded, 0.0))
    return found


@cache
def frequent_words(least: float) -> frozenset[str]:
    """Return the words, folded, of any language that are said so often in a million, or more.

    Of a language without a table, these are its stopwords.
    """
    counted = {word for word, step in occurrences().items() if step >= math.log10(least)}
    stopwords = " ".join(schema.words("stopwords").values()).split()
    return frozenset(counted.union(plain_letters(word).casefold() for word in stopwords))


@cache
def common_words() -> frozenset[bytes]:
    """Return the words of the tables and the stopwords, of all languages, as `word_bytes` does."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8")).values()
    listed = [words for table in tables for words in table.values()]
    return frozenset(word_bytes(" ".join([*listed, *schema.words("stopwords").values()])).split())
