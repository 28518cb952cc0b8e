"""Tells which words are user names, and what announces one: a label, or a deed and "by"."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.name_words import is_no_prose
from linkmask.detect.lexicon.word_features import FEATURES, GIVEN, SURNAME
from linkmask.detect.structured.chat import ROLES, is_self_chosen
from linkmask.detect.structured.label_types import is_deed, names_user
from linkmask.schema import compiled, types
from linkmask.text.fold import lower

IN_LINK = "user-name-in-link"
"""The recognizer of user names in the query of a link, which name nobody where they stand alone."""
NO_USERS = frozenset(
    [*schema.words("chats")["accounts"], *schema.words("programs")["names"].split()]
)
"""Names of accounts that are nobody's, those of programs among them."""
NOBODYS = NO_USERS | ROLES
"""The same, and names of those who act in an official role."""
LONG = 5
"""Letters from which a word of no vocabulary is a user name."""
_LOGIN = compiled("user_names_login")
"""A user name, behind the name of its domain or an "@" ("CORP\\lvarga")."""
_ANNOUNCES = compiled("user_names_announced")
AHEAD = 48
"""Characters before a word that are read for what announces it."""


def announces_user(text: str, start: int) -> bool:
    """Tell whether what stands before a word says that it is a user's: "entered by", "Author:"."""
    trigger = _ANNOUNCES.search("\n" + text[max(start - AHEAD, 0) : start])
    if not trigger:
        return False
    return names_user(trigger["label"]) if trigger["label"] else is_deed(trigger["deed"])


def user_in(text: str, start: int, end: int) -> Iterator[Candidate]:
    """Yield the user name in a value that something announces."""
    if span := user_name_in(text[start:end]):
        yield Candidate(start + span[0], start + span[1], types.NAME, "fields", "user", 0.85)


def user_name_in(value: str) -> tuple[int, int] | None:
    """Return where the user name stands in the value of a label that announces one.

    None if the value is no single word, or a role, an answer, or a word of prose.
    """
    found = _LOGIN.fullmatch(value)
    if not found or lower(found["name"]) in NOBODYS:
        return None
    word = found["name"]
    named = is_listed(word) or is_made_up(word) if word.isalpha() else is_self_chosen(word)
    return found.span("name") if named else None


def is_listed(word: str) -> bool:
    """Tell whether a gazetteer of names has a word."""
    return bool(FEATURES[word.capitalize()] & (GIVEN | SURNAME))


def is_made_up(word: str) -> bool:
    """Tell whether a vocabulary of prose lacks a word that is long enough to be in it."""
    return word.isascii() and len(word) >= LONG and is_no_prose(word)
