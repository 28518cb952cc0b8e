"""Decides for rows of recognizers whether what they match is a person's name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask import schema
from linkmask.detect.lexicon.word_features import FUNCTION, MARKS
from linkmask.detect.names.users import is_listed, is_made_up, no_users, user_name_in
from linkmask.detect.names.words import is_given_name, is_unlisted, may_be_given, may_be_in_name
from linkmask.detect.patterns.rule import Judge, Verdict, after, before
from linkmask.schema import types
from linkmask.text.fold import lower

LEAST = 3
"""Letters of the longest word of a name on a ticket, at least."""
_WORD = re.compile(r"[^\W\d_]+")
_CODE_TAGS = frozenset(schema.words("chats")["code_tags"])
_CODE = re.compile(r"`@$|(?:^|\n)[ \t]{0,40}(?:\*|//|#|--|%)[*/#!]{0,2}[ \t]{0,4}@$")
"""A quoted piece of code, or the start of a line of a comment in code, up to the "@" of a tag."""
_DECORATED = re.compile(
    r"[ \t]{0,4}(?:(?:#|//)[^\n]{0,40})?\n[ \t]{0,40}"
    r"(?:@|(?:async|class|def|export|fun|func|function|private|protected|public)\b)"
)
"""What follows a decorator on its line: the next decorator, or what is decorated."""
_QUERY = re.compile(r"[?&][A-Za-z_]{1,20}=[\w+%-]{0,20}(?: [\w+%-]{0,20})?@$")
"""A parameter in the query of a link, up to an "@" in its value: "&label=Follow @"."""


def _user_name(text: str, start: int, end: int) -> Verdict:
    """Take a word behind an "@" for a user name, unless code or a word of prose stands there."""
    word, ahead = text[start:end], before(text, start, 64)
    if _CODE.search(ahead) or _QUERY.search(ahead) or _DECORATED.match(after(text, end, 64)):
        return None
    if not word.isalpha() or is_listed(word):
        return types.NAME, 0.85
    nobody = lower(word) in _CODE_TAGS or lower(word) in no_users()
    return (types.NAME, 0.8) if is_made_up(word) and not nobody else None


def _account(text: str, start: int, end: int) -> Verdict:
    """Take a word where a command or a log names an account, if it is somebody's."""
    return (types.NAME, 0.85) if user_name_in(text[start:end]) == (0, end - start) else None


def _user_name_in_link(text: str, start: int, end: int) -> Verdict:
    """Take an "@" and a word in the query of a link for a user name, if the word may be one.

    The link says whom to follow, be it the body or the program that a text is about. So the "@" is
    a part of the value: the word alone is looked for nowhere else.
    """
    word = text[start + 1 : end]
    likely = not word.isalpha() or is_listed(word) or is_made_up(word)
    return (types.NAME, 0.65) if likely and _QUERY.search(before(text, start + 1, 64)) else None


def _behind_kin(text: str, start: int, end: int) -> Verdict:
    """Take a word for a relative's name if it is a given name, or in no vocabulary."""
    words = _WORD.findall(text[start:end])
    likely = is_given_name(words[0]) or all(map(may_be_in_name, words))
    return (types.NAME, 0.85) if likely and words[0][0].isupper() else None


def _addressed(text: str, start: int, end: int) -> Verdict:
    """Take the words of a greeting or a close for a name, unless a list has them as other words."""
    words = _WORD.findall(text[start:end])
    named = all(word[0].isupper() and _is_no_other_word(word) for word in words)
    return (types.NAME, 0.85) if named else None


def _is_no_other_word(word: str) -> bool:
    return may_be_given(word) or may_be_in_name(word) or is_unlisted(word)


def _nickname(text: str, start: int, end: int) -> Verdict:
    """Take words around a quoted one for a name if they are a given name and a possible name."""
    first, *_, last = _WORD.findall(text[start:end])
    return (types.NAME, 0.85) if _may_name(first) and may_be_in_name(last) else None


def _byline(text: str, start: int, end: int) -> Verdict:
    """Take the value of a label such as "author" for a name if one of its words may be in one."""
    return (types.NAME, 0.9) if any(map(_may_name, _WORD.findall(text[start:end]))) else None


def _may_name(word: str) -> bool:
    return is_given_name(word) or may_be_in_name(word)


def _on_ticket(text: str, start: int, end: int) -> Verdict:
    """Take words around a slash for a name, unless they are function words or hardly letters."""
    sides = [_WORD.findall(side) for side in text[start:end].split("/")]
    words = [[word for word in side if not MARKS[word.lower()] & FUNCTION] for side in sides]
    named = all(words) and max(len(word) for side in words for word in side) >= LEAST
    return (types.NAME, 0.9) if named else None


JUDGES: Mapping[str, Judge] = {
    "account": _account,
    "addressed": _addressed,
    "byline": _byline,
    "behind-kin": _behind_kin,
    "nickname": _nickname,
    "on-ticket": _on_ticket,
    "user-name": _user_name,
    "user-name-in-link": _user_name_in_link,
}
"""Judges of recognizers' rows by name."""
