"""Finds words that are user names: behind an "@", or a label or list that announces them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask import schema
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.lexicon.name_words import is_no_prose
from linkmask.detect.lexicon.word_features import FEATURES, GIVEN, SURNAME
from linkmask.detect.structured.chat import ROLES, is_self_chosen
from linkmask.detect.structured.label_types import BY, is_deed, names_user
from linkmask.schema import types
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
_LOGIN = re.compile(r"\s*(?:[A-Za-z][\w.-]{0,30}\\|@)?(?P<name>[^\W\d_][\w.-]{2,30}(?<![.-]))\s*")
"""A user name, behind the name of its domain or an "@" ("CORP\\lvarga")."""
_USER = r"(?:[A-Z][A-Z0-9-]{1,20}\\)?[a-z][a-z0-9]{2,30}+(?:[._-][a-z0-9]{1,30}){0,3}"
_LABEL = (
    r"(?:^|[\n,{(])(?:export |set )?[ \t\"'>*-]{0,8}(?P<label>[^\W\d_][\w.' -]{2,30}?)[\"']?[ \t]?"
)
_LABELLED = re.compile(
    rf"(?:{_LABEL}[:=]|(?<=[ \t?&])(?P<key>[^\W\d_][\w.-]{{2,30}}+)=)[ \t]{{0,3}}[\"']?"
    rf"(?P<value>{_USER})(?=[\s,;|)&\"'}}]|$)"
)
"""A label and a word in small letters."""
_LISTED = re.compile(
    rf"{_LABEL}[:=][ \t]*(?:\[(?P<row>[^\[\]{{}}\n]{{3,2000}}+)\]"
    r"|(?P<lines>(?:\r?\n[ \t]{0,20}[-*] [^\s:]{1,60}(?=\r?\n|$)){1,500}+))"
)
"""A label and a list of words: within brackets, or a line each."""
_BY = rf"(?P<deed>[^\W\d_]{{4,16}}+) (?:{'|'.join(BY)}) "
_DONE_BY = re.compile(rf"(?<![^\W_]){_BY}(?P<value>{_USER})(?=[\s,;|)]|[.:](?!\w)|$)")
"""A deed, and who did it: "entered by lvarga"."""
_ANNOUNCES = re.compile(rf"{_LABEL}[:=][ \t]{{0,4}}[\"']?\Z|{_BY}\Z")
AHEAD = 48
"""Characters before a word that are read for what announces it."""
_ITEM = re.compile(r"[^\s,\"'*]{3,60}")


def find(text: str, scope: Scope) -> Iterator[Candidate]:
    """Yield user names that something announces: "DB_USER=lvarga", "users: [lvarga]"."""
    for one in _DONE_BY.finditer(text):
        if is_deed(one["deed"]):
            yield from user_in(text, *one.span("value"))
    if ":" not in text and "=" not in text:
        return
    for line in _LABELLED.finditer(text):
        if names_user(line["label"] or line["key"]):
            yield from user_in(text, *line.span("value"))
    for line in _LISTED.finditer(text) if "[" in text or "\n" in text else ():
        if names_user(line["label"], many=True):
            for item in _ITEM.finditer(text, *line.span("row" if line["row"] else "lines")):
                yield from user_in(text, *item.span())


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
