"""Tells which keys of records hold persons' names that the recognizers do not find in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from linkmask.corpus.column_names import is_known_column, may_be_a_person
from linkmask.detect.lexicon.everyday import is_everyday
from linkmask.detect.lexicon.name_words import is_no_prose, may_be_in_name
from linkmask.detect.lexicon.word_features import FEATURES, FIELD
from linkmask.detect.names.paths import path_words, persons_of_path
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
_ENDING = re.compile(r"\.[A-Za-z]\w{1,4}$")
_BLANKS = re.compile(r"[\s,;]+")


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


def names_somebody(name: str) -> bool:
    """Tell whether the name of a file, or an id, holds a full name that other words may touch.

    Its words are in no vocabulary and begin with capitals; or a path would name a person with them.
    """
    last = "/" + _BLANKS.sub("_", name.rpartition("/")[2])
    if any(persons_of_path(last, path_words(last))):
        return True
    words = _JOINT.split(_ENDING.sub("", last[1:]))
    runs = [len([*run]) for proper, run in groupby(words, _is_unknown) if proper]
    return any(1 < run <= MOST_NAMES for run in runs)


def _is_unknown(word: str) -> bool:
    titled = _CAPITALIZED.fullmatch(word) is not None
    return titled and may_be_in_name(word) and not is_everyday(lower(word))


def words_of_persons(names: Iterable[str]) -> frozenset[str]:
    """Return the words of names, in small letters, that name a person in a key, too.

    Those are words of `LONG_ENOUGH` letters and more that are in no vocabulary of prose:
    "rosenquist_2024" tells of a Rosenquist, and "mark" of nobody.
    """
    words = {word for name in names for word in WORD.findall(name) if len(word) >= LONG_ENOUGH}
    return frozenset(lower(word) for word in words if not _is_ordinary(lower(word)))


def keys_of_persons(keys: Iterable[tuple[str, str]], names: Iterable[str]) -> frozenset[str]:
    """Return the keys that are a word of some names and, by the keys beside them, no other word.

    "winter" is a person's where half of the keys beside it, and two at least, are words of these
    names, too; or where it has a capital, and only such keys have.

    Args:
        keys: path and text of each key of a document.
        names: names of persons that are masked in it.
    """
    words = {lower(word) for name in names for word in WORD.findall(name)}
    beside: dict[str, set[str]] = {}
    for path, key in keys:
        beside.setdefault(path.rpartition("/")[0], set()).add(key)
    found = set[str]()
    for group in beside.values() if words else ():
        named = {key for key in group if lower(key) in words and not is_known_column(key)}
        capitals = {key for key in group if key[:1].isupper()}
        alone = capitals == named and len(group) > 2 * len(named)
        if named and (alone or (len(named) > 1 and 2 * len(named) >= len(group))):
            found |= named
    return frozenset(found)


@lru_cache(maxsize=REMEMBERED)
def _is_ordinary(word: str) -> bool:
    return not is_no_prose(word) or bool(FEATURES[word] & FIELD)


@lru_cache(maxsize=REMEMBERED)
def words_in(key: str) -> frozenset[str]:
    """Return the words of a key, in small letters: those of "WilhelminaBrandvold" are two."""
    return frozenset(map(lower, WORD.findall(as_words(key))))


def as_words(key: str) -> str:
    """Return a key with blanks between its words: "voteOf_Jane" becomes "vote Of Jane"."""
    return _JOINT.sub(" ", _CAMEL.sub(" ", key)).strip()
