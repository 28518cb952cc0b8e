"""Finds user names that are made of a person's name in the same document: pdeshmukh92.

A masked surname would stay readable in them. A user name is a single word that joins the surname
with the given name or its initial, in either order, or adds a number to one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkmask.detect.candidates import Candidate
from linkmask.schema import types
from linkmask.text.letters import word_key

_PART = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_JOINT = re.compile(r"[._-]")
"""What may stand between the two parts."""
_SHORTEST = 4
"""Letters of a single name that is a user name with a number behind it."""
_WORD = re.compile(r"[^\W_][\w.-]*(?<![.-])")
_NUMBER = re.compile(r"[._-]?[0-9]{1,6}$")


def user_name_stems(names: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the persons' user names without joints, and single names that need a number for that.

    Both are in lower case and without accents.
    """
    words = [[word_key(word) for word in _PART.findall(name)] for name in {*names}]
    whole = [one for one in words if len(one) > 1]
    joined = frozenset(stem for one in whole for stem in _joined(one[0], one[-1]))
    single = {word for one in whole for word in (one[0], one[-1]) if len(word) >= _SHORTEST}
    return joined, frozenset(single)


def _joined(given: str, surname: str) -> Iterator[str]:
    """Yield "jdoe", "janedoe" and the like, if they are long enough."""
    for first in {given, given[0]}:
        if len(surname) > 2 and len(first + surname) > _SHORTEST:
            yield first + surname
            yield surname + first


def user_names(text: str, joined: frozenset[str], single: frozenset[str]) -> list[Candidate]:
    """Return where the words of a text are user names of these stems, in linear time."""
    found = [
        word
        for word in {*_WORD.findall(text)}
        if (word_key(word) in joined if word.isalpha() else _is_user_name(word, joined, single))
    ]
    return list(_places(text, frozenset(found))) if found else []


def _places(text: str, found: frozenset[str]) -> Iterator[Candidate]:
    for match in _WORD.finditer(text):
        if match[0] in found:
            yield Candidate(*match.span(), types.NAME, "lexicon", "user-name-of-person", 0.9)


def _is_user_name(word: str, joined: frozenset[str], single: frozenset[str]) -> bool:
    word = word_key(word)
    stem = _NUMBER.sub("", word)
    return _JOINT.sub("", stem, 1) in joined or (stem in single and len(word) > len(stem) + 1)
