"""Tells which words are or may be names: by the gazetteers, or because no vocabulary has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache, reduce
from operator import or_

from linkmask import schema
from linkmask.detect.lexicon.word_features import (
    AGENT,
    CAP,
    FIELD,
    FUNCTION,
    GIVEN,
    MARKS,
    PHRASE,
    PLACE,
    SURNAME,
)
from linkmask.detect.ner import clusters
from linkmask.detect.patterns.rule import Judge
from linkmask.schema import types
from linkmask.text.fold import lower
from linkmask.text.letters import word_key

REMEMBERED = 1 << 16
"""Number of words whose answers are cached."""
LEAST = 3
"""Letters of the longest word of a name on a ticket, at least."""
_LISTED = ~reduce(or_, AGENT.values(), CAP | PHRASE)
"""What a word is by a list: not its shape, and not how words end that name who does something."""
_WORD = re.compile(r"[^\W\d_]+")


def may_be_in_name(word: str) -> bool:
    """Tell whether a word is a name, or neither prose nor a word of any other list."""
    marks = MARKS[word]
    if marks & (GIVEN | SURNAME):
        return not marks & (FIELD | PLACE)
    return not marks & _LISTED and is_no_prose(word)


def is_no_prose(word: str) -> bool:
    """Tell whether no vocabulary of prose has a word."""
    return not clusters.names(lower(word))


@lru_cache(maxsize=REMEMBERED)
def is_given_name(word: str) -> bool:
    """Tell whether a word is a given name of the gazetteers, and no word of prose beside that."""
    return bool(MARKS[word.capitalize()] & GIVEN) or (is_no_prose(word) and may_be_given(word))


def may_be_given(word: str) -> bool:
    """Tell whether a gazetteer of given names has a word, whatever else it is."""
    return bool(MARKS[word.capitalize()] & GIVEN) or word_key(word) in _by_gender()


@cache
def _by_gender() -> frozenset[str]:
    """Return the given names whose gender is known: the largest gazetteer of them."""
    table = schema.words("genders")
    return frozenset(f"{table['female']} {table['male']}".split())


def _behind_kin(text: str, start: int, end: int) -> tuple[str, float] | None:
    """Take a word for a relative's name if it is a given name, or in no vocabulary."""
    words = _WORD.findall(text[start:end])
    likely = is_given_name(words[0]) or all(map(may_be_in_name, words))
    return (types.NAME, 0.85) if likely and words[0][0].isupper() else None


def _nickname(text: str, start: int, end: int) -> tuple[str, float] | None:
    """Take words around a quoted one for a name if they are a given name and a possible name."""
    first, *_, last = _WORD.findall(text[start:end])
    likely = is_given_name(first) or may_be_in_name(first)
    return (types.NAME, 0.85) if likely and may_be_in_name(last) else None


def _byline(text: str, start: int, end: int) -> tuple[str, float] | None:
    """Take the value of a label such as "author" for a name if one of its words may be in one."""
    words = _WORD.findall(text[start:end])
    named = any(is_given_name(word) or may_be_in_name(word) for word in words)
    return (types.NAME, 0.9) if named else None


def _on_ticket(text: str, start: int, end: int) -> tuple[str, float] | None:
    """Take words around a slash for a name, unless they are function words or hardly letters."""
    sides = [_WORD.findall(side) for side in text[start:end].split("/")]
    words = [[word for word in side if not MARKS[word.lower()] & FUNCTION] for side in sides]
    named = all(words) and max(len(word) for side in words for word in side) >= LEAST
    return (types.NAME, 0.9) if named else None


JUDGES: Mapping[str, Judge] = {
    "byline": _byline,
    "behind-kin": _behind_kin,
    "nickname": _nickname,
    "on-ticket": _on_ticket,
}
"""Judges of recognizers' rows by name."""
