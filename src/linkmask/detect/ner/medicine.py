"""Looks up a word in the medical lists that serve only the tagger.

`medicine.toml` lists substances, operations, procedures and devices.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from linkmask.text.letters import word_key

FILE = Path(__file__).parent / "medicine.toml"


def names(word: str) -> tuple[str, ...]:
    """Return the lists a word without case, accents and digits is in: `("substance",)`."""
    return lists().get(word, ())


@cache
def lists() -> dict[str, tuple[str, ...]]:
    """Return the names of the lists each word is in, read once."""
    result: dict[str, tuple[str, ...]] = {}
    for name, words in tomllib.loads(FILE.read_text("utf-8")).items():
        for word in word_key(words).split():
            result[word] = (*result.get(word, ()), name)
    return result
