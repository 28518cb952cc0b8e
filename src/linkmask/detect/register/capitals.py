"""Drops names whose capital tells nothing: first words of sentences.

A first word is dropped where no vocabulary covers the text, or where the text has it in small
letters, too. That no vocabulary has it, or that the tagger takes it for a name, says something only
in the languages from which vocabulary and tagger were made: in another one most words are unknown,
and some are a name elsewhere ("Daño", "Ayrıca").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import cache

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.name_words import (
    SMALL,
    is_common_word,
    is_listed,
    is_usual_name,
    vocabulary_covers,
)
from linkmask.detect.register.evidence import is_certain, is_doubtful_name
from linkmask.text.fold import lower
from linkmask.text.sentences import begins_line_with_capital, begins_sentence


def without_first_words(text: str, found: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates without the names that are ordinary first words of sentences.

    One that stays elsewhere in the text is a name.
    """
    small = cache(lambda: frozenset(SMALL.findall(text)))
    first = {one for one in found if is_doubtful_name(one) and _is_first_word(text, one, small)}
    names = {text[one.start : one.end] for one in found if one not in first} if first else ()
    return [one for one in found if one not in first or text[one.start : one.end] in names]


def _is_first_word(text: str, one: Candidate, small: Callable[[], Set[str]]) -> bool:
    """Is a name by tagger or list the first word of a sentence that no vocabulary covers?

    So are a word of prose that the text also has in small letters (`small`) and no list has as a
    name, and small words where the line begins with a capital. A usual name stays, and so does one
    with another capital.
    """
    if is_certain(one):
        return False
    words = text[one.start : one.end].split()
    proper = [word for word in words if word[:1].isupper()]
    if len(proper) > 1 or (words[0] not in proper if proper else len(words) < 2):
        return False  # a small word alone may be a user name
    if any(map(is_usual_name, proper)):
        return False
    begins = begins_sentence if proper else begins_line_with_capital
    if not begins(text, one.start):
        return False
    word = lower(words[0])
    prose = len(words) == len(proper) and not is_listed(words[0]) and is_common_word(word)
    return (prose and word in small()) or not vocabulary_covers(text, one.start, one.end)
