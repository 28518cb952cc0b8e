"""Tells which keys of records hold persons' names that the recognizers do not find in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from linkmask.corpus.column_names import may_be_a_person
from linkmask.detect.lexicon.word_features import FIELD, MARKS
from linkmask.detect.name_words import is_no_prose, may_be_in_name
from linkmask.text.fold import lower

LONG_ENOUGH = 4
"""Letters of a word that names a person in a key."""
REMEMBERED = 1 << 16
"""Number of keys whose mentions are cached: the keys of a table stand in each of its rows."""
MOST_NAMES = 4
"""Words of a full name, at most."""
_CAPITALIZED = re.compile(r"[^\W\d_a-zß-ÿ][a-zß-ÿ'’-]{2,}(?:-[^\W\d_a-zß-ÿ][a-zß-ÿ]{2,})?")
WORD = re.compile(r"[^\W\d_]{2,}")
"""A word of a key."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINT = re.compile(r"[._\s-]+")


def full_names(keys: Iterable[str]) -> frozenset[str]:
    """Return those of a record's keys that are full names by their form.

    None are if another key also has a capital in each of its words: then all keys are written so.
    """
    titled = [key for key in keys if _is_titled(key)]
    named = frozenset(filter(_is_full_name, titled))
    return named if len(named) == len(titled) else frozenset()


@lru_cache(maxsize=REMEMBERED)
def _is_titled(key: str) -> bool:
    words = key.split() if " " in key else []
    return 1 < len(words) <= MOST_NAMES and all(map(_CAPITALIZED.fullmatch, words))


@lru_cache(maxsize=REMEMBERED)
def _is_full_name(key: str) -> bool:
    """Tell whether each word of a key is a name, or in no vocabulary and in no name of a column."""
    return all(map(may_be_in_name, key.split())) and may_be_a_person(key)


def words_of_persons(names: Iterable[str]) -> frozenset[str]:
    """Return the words of names, in small letters, that name a person in a key, too.

    Those are words of `LONG_ENOUGH` letters and more that are in no vocabulary of prose:
    "rosenquist_2024" tells of a Rosenquist, and "mark" of nobody.
    """
    words = {word for name in names for word in WORD.findall(name) if len(word) >= LONG_ENOUGH}
    return frozenset(lower(word) for word in words if not _is_ordinary(lower(word)))


@lru_cache(maxsize=REMEMBERED)
def _is_ordinary(word: str) -> bool:
    return not is_no_prose(word) or bool(MARKS[word] & FIELD)


@lru_cache(maxsize=REMEMBERED)
def words_in(key: str) -> frozenset[str]:
    """Return the words of a key, in small letters: those of "WilhelminaBrandvold" are two."""
    return frozenset(map(lower, WORD.findall(as_words(key))))


def as_words(key: str) -> str:
    """Return a key with blanks between its words: "voteOf_Jane" becomes "vote Of Jane"."""
    return _JOINT.sub(" ", _CAMEL.sub(" ", key)).strip()
