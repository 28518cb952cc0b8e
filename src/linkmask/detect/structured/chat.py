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
_STAMPED = compiled("chat_stamped")
"""A line with a time, and the words before its colon."""
_WROTE = compiled("chat_wrote")
"""The line that names the writer of a quoted message or of one in a thread."""
_PART = compiled("chat_part")
ROLES = frozenset(schema.words("chats")["roles"])
"""Names of speakers in an official role."""
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

    A speaker counts who speaks more than once, beside another. Roles, log levels and words of forms
    are no speakers.
    """
    for line in _WROTE.finditer("\n" + text):
        yield from _person(line)
    turns = _turns(_STAMPED, text)
    for name, lines in turns.items() if len(turns) >= TWICE else ():
        if len(lines) >= TWICE and name[0].isupper():
            for line in lines:
                yield from _person(line)


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


def _person(line: re.Match[str]) -> Iterator[Candidate]:
    """Yield a name before a colon or a verb, if each of its words can be part of one."""
    name = line["name"]
    words = re.findall(r"[\w.'’-]+", name)
    named = [word for word in words if lower(word.rstrip(".")) not in ROLES]
    if named and named == words[len(words) - len(named) :] and not any(map(_no_part, named)):
        yield _speaker(line, name[name.index(named[0]) :])


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
