"""Tells by the words of a column or key what it holds: "dt_brth", "tel_ouder_1", "nombre_benef".

A label is taken if each of its words is known: some of one type's heads, all others words that may
stand beside a head (`schema/words/label_words.toml`). So "birth place" and "product name" are none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from linkmask import schema
from linkmask.schema import types
from linkmask.text.letters import plain_letters

MOST = 6
"""Words of a label, at most."""
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""Where a word begins within a key: "givenName"."""
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+")
BY = tuple(schema.words("label_words")["users"]["by"].split())
"""Words that stand before whoever did something."""


def type_by_words(label: str) -> str:
    """Return the type that a label's words name together, "" if they name none or two."""
    words = _WORDS.findall(plain_letters(label.casefold()))
    glue, beside = _sets("beside")["glue"], _beside_heads()
    if not 0 < len(words) <= MOST or words[0] in glue:
        return ""  # "the home address": a sentence
    heads, alone = _heads("heads"), _heads("alone")
    persons, numbers = _sets("numbers")["person"], _sets("numbers")["number"]
    if general := _heads("general").keys() & set(words):
        if all(word in general or word.isdecimal() for word in words):
            return ""
        heads = {**heads, **_heads("general")}
    named = {heads[word] for word in words if word in heads}
    rest = [word for word in words if word not in heads]
    if not all(word in beside or (word.isdecimal() and len(word) == 1) for word in rest):
        return ""
    if not named and not persons.isdisjoint(words) and not numbers.isdisjoint(words):
        allowed = persons | numbers | glue
        return types.PATIENT_ID if all(word in allowed for word in words) else ""
    if not named and all(word in numbers or word in alone or word.isdecimal() for word in words):
        named = {alone[word] for word in words if word in alone}
    return named.pop() if len(named) == 1 else ""


def names_user(label: str, many: bool = False) -> bool:
    """Tell whether a label announces who uses or did something: "user_name", "createdBy".

    `many`: also one that announces several: "owners".
    """
    words = _WORDS.findall(plain_letters(HUMP.sub(" ", label).casefold()))
    if not 0 < len(words) <= MOST:
        return False
    table = _users()
    if len(words) > 1 and (words[-1] in table["by"] or words[-1] in table["user"]):
        return True
    if many and words[0] in table["listed"]:  # "Accounts to close by Friday"
        return True
    whose, beside = _words_of_users(many)
    return "".join(words) in whose or (
        not whose.isdisjoint(words) and all(word in beside or word.isdecimal() for word in words)
    )


def is_deed(word: str) -> bool:
    """Tell whether a word before "by" says that somebody wrote something: "entered"."""
    return plain_letters(word.casefold()) in _users()["deed"]


@cache
def _words_of_users(many: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words for users, and all words that may stand in a label of theirs."""
    table = _users()
    whose = table["user"] | table["account"] | table["actor"]
    whose |= table["many"] if many else frozenset()
    named = table["name"] | table["thing"] | _heads("general").keys()
    return whose, _beside_heads() | named | whose


@cache
def _users() -> Mapping[str, frozenset[str]]:
    table = _sets("users")
    one = table["user"] | table["actor"]
    several = {word + end for word in one for end in table["several"]}
    listed = table["listed"] | {word + end for word in table["user"] for end in table["several"]}
    return {**table, "many": table["many"] | several | listed, "listed": listed}


@cache
def _heads(table: str) -> Mapping[str, str]:
    listed = schema.words("label_words")[table]
    return {word: kind for kind, row in listed.items() for word in row.split()}


@cache
def _sets(table: str) -> Mapping[str, frozenset[str]]:
    return {
        kind: frozenset(row.split()) for kind, row in schema.words("label_words")[table].items()
    }


@cache
def _beside_heads() -> frozenset[str]:
    """Return the words that may stand beside a head: those for persons, too."""
    return _sets("numbers")["person"].union(*_sets("beside").values())
