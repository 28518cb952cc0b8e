"""Recognizes the speakers of a chat: a self-chosen name before each message ("roe_84: hello").

Such a name begins with "@", or it has letters and a digit, an underscore, a point or a capital
within. Without "@" it counts only in a text where a speaker has a time beside the name or speaks
more than once. Names of desks and programs ("agent_2") and keys of settings ("max_claims: 3") do
not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.everyday import is_everyday
from linkmask.detect.lexicon.name_words import in_either_case
from linkmask.schema import compiled, types
from linkmask.text.fold import lower

_LINE = compiled("chat_line")
"""A line that begins with a speaker; it is given a line break before it."""
_EXPORTED, _STAMPED, _SIGNED = map(compiled, ("chat_exported", "chat_stamped", "chat_signed"))
"""Who speaks at which time: as programs for chats alone write it, a time before a name and a colon,
and a name before a time."""
_WROTE = compiled("chat_wrote")
"""The line that names the writer of a quoted message or of one in a thread."""
_PART = compiled("chat_part")
ROLES = frozenset(schema.words("chats")["roles"])
"""Names of speakers in an official role."""
_NOBODY = ROLES.union(schema.words("chats")["services"])
LONG = 4
"""Letters that a made-up word has at least."""
TWICE = 2
_NAME = w.GIVEN | w.SURNAME
_SHAPE = w.CAP | w.UPPER | w.PHRASE | w.WORK | w.INITIAL | w.GAZETTEER
_THINGS = w.STOP | w.GENERIC | w.FIELD | w.LABEL | w.FUNCTION


def find(text: str) -> Iterator[Candidate]:
    """Yield the speakers of a chat who use a name of their own choice, in linear time."""
    turns = _turns(_LINE, text)
    speakers = {name: lines for name, lines in turns.items() if is_self_chosen(name)}
    chat = any(
        len(lines) >= TWICE or any(line["time"] or line["behind"] for line in lines)
        for lines in speakers.values()
    )
    for name, lines in speakers.items():
        if chat or name[0] == "@":
            yield from (_speaker(line, name) for line in lines)


def writers(text: str) -> Iterator[Candidate]:
    """Yield who wrote the messages of a thread, and who speaks with a time before each turn.

    A speaker counts who speaks more than once, beside another; all of them, if half have a given or
    self-chosen name, or a program for chats wrote the lines. Roles and log levels are no speakers.
    """
    for line in _WROTE.finditer("\n" + text):
        yield from _person(line)
    for pattern in (_EXPORTED, _STAMPED, _SIGNED):
        turns = _turns(pattern, text)
        if sum(map(len, turns.values())) < TWICE:
            continue
        others = [name for name in turns if lower(name) not in ROLES]
        chat = pattern is _EXPORTED or 0 < len(others) <= 2 * sum(map(_has_given_name, others))
        for name, lines in turns.items():
            again = len(turns) >= TWICE and len(lines) >= TWICE and name[0].isupper()
            if chat or (again and pattern is _STAMPED):
                yield from (one for line in lines for one in _person(line, known=chat))


def _turns(pattern: re.Pattern[str], text: str) -> dict[str, list[re.Match[str]]]:
    """Return the lines of each speaker by name."""
    turns: dict[str, list[re.Match[str]]] = {}
    for line in pattern.finditer("\n" + text):
        turns.setdefault(line["name"], []).append(line)
    return turns


def _speaker(line: re.Match[str], name: str) -> Candidate:
    """Return the end of a line's name; the line break before the text counts as none of it."""
    end = line.end("name") - 1
    return Candidate(end - len(name), end, types.NAME, "fields", "speaker", 0.8)


def _person(line: re.Match[str], *, known: bool = False) -> Iterator[Candidate]:
    """Yield a name at its place in a line, if each of its words can be part of one.

    `known`: persons stand in this place, so that it may be a word of the language.
    """
    name = line["name"]
    words = re.findall(r"[\w.'’-]+", name)
    named = [word for word in words if lower(word.rstrip(".")) not in _NOBODY]
    other = any(map(_is_form_word if known else _no_part, named))
    if named and named == words[len(words) - len(named) :] and not other:
        yield _speaker(line, name[name.index(named[0]) :])


def _has_given_name(name: str) -> bool:
    """Is a name self-chosen, or a word of it a listed given name and no month?"""
    if name.isalpha() or " " in name:
        words = map(in_either_case, re.findall(r"[^\W\d_]+", name))
        return any(m & w.GIVEN and not m & w.CALENDAR for m in words)
    return is_self_chosen(name)


def _no_part(word: str) -> bool:
    """Tell whether a word is one of forms or of the language, and no name."""
    m = in_either_case(word)
    return not m & _NAME and (bool(m & ~_SHAPE) or is_everyday(lower(word)))


def is_self_chosen(name: str) -> bool:
    """Tell whether it is a self-chosen name: a name or made-up word, no role, field or code."""
    parts = _PART.findall(name)
    if any(lower(part) in ROLES or _is_form_word(part) for part in parts):
        return False
    return name[0] == "@" or any(map(_own, parts))


def _is_form_word(part: str) -> bool:
    """Is a part a word of forms: "max_claims"?"""
    m = in_either_case(part)
    return len(part) >= LONG and bool(m & _THINGS and not m & _NAME)


def _own(part: str) -> bool:
    """Is a part of it a name, or no word at all?"""
    return bool(in_either_case(part) & _NAME) or (len(part) >= LONG and not _no_part(part))
