"""Folds a value to one spelling: case, accents, spaces, hyphens and quotation marks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import Literal

from linkmask.text.characters import APOSTROPHES, DASHES, HIDDEN, LETTERS, PRIMES, QUOTES

_SAME = str.maketrans(
    {
        **dict.fromkeys(DASHES, "-"),
        **dict.fromkeys(APOSTROPHES + PRIMES, "'"),
        **dict.fromkeys(QUOTES, '"'),
        **dict.fromkeys(HIDDEN, ""),
    }
)


@lru_cache(maxsize=65536)
def plain_letters(text: str) -> str:
    """Casefold, drop accents, unify quotes and hyphens, collapse blanks."""
    if text.isascii():
        return " ".join(text.lower().replace("`", "'").split())
    folded = without_accents(text.casefold(), "NFKD").translate(_SAME)
    return " ".join(folded.replace("ß", "ss").split())


def without_accents(text: str, form: Literal["NFD", "NFKD"] = "NFD") -> str:
    """Return a text without accents; "NFKD" also parts ligatures and the like ("ﬁ" is "fi")."""
    apart = unicodedata.normalize(form, text)
    return "".join(c for c in apart if not unicodedata.combining(c))


def spaced_words(text: str) -> str:
    """Return a text in small letters with single blanks: `Jane_Doe.json` → `jane doe json`.

    The hash that an id which repeats ends in is a word of its own.
    """
    small = text.casefold()
    if len(small) >= HASHED:
        small = _HASH.sub(" ", small)
    return " ".join(_RUN.findall(small))


HASHED = 32
"""Hex digits of a hash."""
_HASH = re.compile(rf"(?=[0-9a-f]{{{HASHED}}}\Z)")
_RUN = re.compile(r"[^\W_]+")


_LOOKED_UP = str.maketrans({**LETTERS, "‐": "-", "‑": "-"})


def word_key(word: str) -> str:
    """Return the key by which a word is looked up: no case, no accents, plain hyphens."""
    if word.isascii():
        return word.lower()
    return without_accents(word.casefold().translate(_LOOKED_UP))


def fold_value(text: str) -> str:
    """Fold a value: as `plain_letters`, hyphens as blanks, no quotes or points around it."""
    words = re.sub(r"[-_]", " ", plain_letters(text)).split()
    return " ".join(words).strip(" \"'.,;:()[]")


def hash_of_word(word: str) -> int:
    """Return the hash of a word without case and accents, of 64 bits."""
    digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
