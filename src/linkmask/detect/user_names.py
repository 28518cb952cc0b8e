"""Finds user names: behind an "@" or a label, and made of a person's name in the document.

A masked surname would stay readable in "pdeshmukh92". A user name of this kind is a single word
that joins the surname with the given name or its initial, in either order, or adds a number to one
of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.chat import ROLES, is_self_chosen
from linkmask.detect.lexicon import word_features
from linkmask.detect.ner import clusters
from linkmask.detect.patterns.rule import Judge, Verdict, after, before
from linkmask.schema import types
from linkmask.text.fold import lower
from linkmask.text.letters import word_key

_PART = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_JOINT = re.compile(r"[._-]")
"""What may stand between the two parts."""
_SHORTEST = 4
"""Letters of a single name that is a user name with a number behind it."""
_WORD = re.compile(r"[^\W_][\w.-]*(?<![.-])")
_NUMBER = re.compile(r"[._-]?[0-9]{1,6}$")
_CODE_TAGS = frozenset(schema.words("chats")["code_tags"])
_CODE = re.compile(r"`@$|(?:^|\n)[ \t]{0,40}(?:\*|//|#|--|%)[*/#!]{0,2}[ \t]{0,4}@$")
"""A quoted piece of code, or the start of a line of a comment in code, up to the "@" of a tag."""
_DECORATED = re.compile(
    r"[ \t]{0,4}(?:(?:#|//)[^\n]{0,40})?\n[ \t]{0,40}"
    r"(?:@|(?:async|class|def|export|fun|func|function|private|protected|public)\b)"
)
"""What follows a decorator on its line: the next decorator, or what is decorated."""
_LOGIN = re.compile(r"\s*(?:[A-Za-z][\w.-]{0,30}\\|@)?(?P<name>[^\W\d_][\w.-]{2,30}(?<![.-]))\s*")
"""A user name, behind the name of its domain or an "@" ("CORP\\lvarga")."""
_NAME = word_features.GIVEN | word_features.SURNAME
LONG = 5
"""Letters from which a word of no vocabulary is a user name."""


def _mentioned(text: str, start: int, end: int) -> Verdict:
    """Take a word behind an "@" for a user name, unless code or a word of prose stands there."""
    word = text[start:end]
    if _CODE.search(before(text, start, 48)) or _DECORATED.match(after(text, end, 64)):
        return None
    if not word.isalpha() or _is_listed(word):
        return types.NAME, 0.85
    return (types.NAME, 0.8) if _is_no_word(word) and lower(word) not in _CODE_TAGS else None


def _is_listed(word: str) -> bool:
    return bool(word_features.MARKS[word.capitalize()] & _NAME)


def _is_no_word(word: str) -> bool:
    """Tell whether a vocabulary of prose lacks a word that is long enough to be in it."""
    return word.isascii() and len(word) >= LONG and not clusters.names(lower(word))


def user_name_in(value: str) -> tuple[int, int] | None:
    """Return where the user name stands in the value of a label that announces one.

    None if the value is no single word, or a role, an answer, or a word of prose.
    """
    found = _LOGIN.fullmatch(value)
    if not found or lower(found["name"]) in ROLES | no_users():
        return None
    word = found["name"]
    if word.isalpha():
        return found.span("name") if _is_listed(word) or _is_no_word(word) else None
    return found.span("name") if is_self_chosen(word) else None


@cache
def no_users() -> frozenset[str]:
    """Return the names of accounts that are nobody's."""
    return frozenset(schema.words("chats")["accounts"])


JUDGES: Mapping[str, Judge] = {"user-name": _mentioned}


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
