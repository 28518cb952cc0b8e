"""Tells by the words of a column or key what it holds: "dt_brth", "tel_ouder_1", "nombre_benef".

A label is taken if each of its words is known: some of one type's heads, all others words that may
stand beside a head (`schema/words/label_words.toml`). So "birth place" and "product name" are none.
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.schema import types
from linkmask.text.letters import plain_letters

MOST = 6
"""Words of a label, at most."""
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""Where a word begins within a key: "givenName"."""
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+")
TABLE = schema.words("label_words")
_HEADS, _GENERAL, _ALONE = (
    {word: kind for kind, row in TABLE[name].items() for word in row.split()}
    for name in ("heads", "general", "alone")
)
"""Word → type: of heads, of those that count beside another word only, and of lone ones."""
_BESIDE, _NUMBERS, _USERS = (
    {kind: frozenset(row.split()) for kind, row in TABLE[name].items()}
    for name in ("beside", "numbers", "users")
)
_GLUE, _PERSON, _NUMBER = _BESIDE["glue"], _NUMBERS["person"], _NUMBERS["number"]
_BESIDE_HEADS = _PERSON.union(*_BESIDE.values())
BY = tuple(TABLE["users"]["by"].split())
"""Words that stand before whoever did something."""
_USER = _USERS["user"] | _USERS["account"] | _USERS["actor"]
_LISTED = _USERS["listed"] | {word + s for word in _USERS["user"] for s in _USERS["several"]}
_MANY = _USER | _USERS["many"] | _LISTED
_MANY |= {word + s for word in _USERS["user"] | _USERS["actor"] for s in _USERS["several"]}
"""Words for one who uses or did something, for those whom a list names, and for one or several."""
_BESIDE_USERS = _BESIDE_HEADS.union(
    *(_USERS[row] for row in ("name", "thing", "service")),
    _GENERAL,
    schema.words("programs")["names"].split(),
)


def type_by_words(label: str) -> str:
    """Return the type that a label's words name together, "" if they name none or two."""
    words = _WORDS.findall(plain_letters(label.casefold()))
    if not 0 < len(words) <= MOST or words[0] in _GLUE:
        return ""  # "the home address": a sentence
    heads = _HEADS
    if general := _GENERAL.keys() & set(words):
        if all(word in general or word.isdecimal() for word in words):
            return ""
        heads = {**_HEADS, **_GENERAL}
    named = {heads[word] for word in words if word in heads}
    rest = [word for word in words if word not in heads]
    if not all(word in _BESIDE_HEADS or (word.isdecimal() and len(word) == 1) for word in rest):
        return ""
    if not named and not _PERSON.isdisjoint(words) and not _NUMBER.isdisjoint(words):
        allowed = _PERSON | _NUMBER | _GLUE
        return types.PATIENT_ID if all(word in allowed for word in words) else ""
    if not named and all(word in _NUMBER or word in _ALONE or word.isdecimal() for word in words):
        named = {_ALONE[word] for word in words if word in _ALONE}
    return named.pop() if len(named) == 1 else ""


def names_user(label: str, many: bool = False) -> bool:
    """Tell whether a label announces who uses or did something: "user_name", "createdBy".

    `many`: also one that announces several: "owners".
    """
    words = _WORDS.findall(plain_letters(HUMP.sub(" ", label).casefold()))
    if not 0 < len(words) <= MOST:
        return False
    if len(words) > 1 and (words[-1] in BY or words[-1] in _USERS["user"]):
        return True
    if many and words[0] in _LISTED:  # "Accounts to close by Friday"
        return True
    whose = _MANY if many else _USER
    return "".join(words) in whose or (
        not whose.isdisjoint(words)
        and all(word in whose or word in _BESIDE_USERS or word.isdecimal() for word in words)
    )


def is_deed(word: str) -> bool:
    """Tell whether a word before "by" says that somebody wrote something: "entered"."""
    return plain_letters(word.casefold()) in _USERS["deed"]
