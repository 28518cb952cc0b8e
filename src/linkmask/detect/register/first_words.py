"""Drops names that are ordinary first words of sentences, where no vocabulary covers the text.

The capital of a first word says nothing. That no vocabulary has it, or that the tagger takes it for
a name, says something only in the languages from which vocabulary and tagger were made: in another
one most words are unknown, and some are a name elsewhere ("Daño", "Ayrıca").
"""

from __future__ import annotations

from collections.abc import Callable, Set

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.coverage import vocabulary_covers
from linkmask.detect.lexicon.name_words import is_common_word, is_listed, is_usual_name
from linkmask.detect.resolve import LEARNED
from linkmask.text.fold import lower
from linkmask.text.sentences import begins_line_with_capital, begins_sentence

CERTAIN = 0.92
"""Score from which the tagger's word that begins a sentence is a name in any language."""


def is_ordinary_first_word(text: str, one: Candidate, small: Callable[[], Set[str]]) -> bool:
    """Tell whether a name by tagger or list is the first word of a sentence that is not covered.

    So are a word of prose that the text also has in small letters (`small`) and no list has as a
    name, and small words where the line begins with a capital. A usual name stays, and so does one
    with another capital.
    """
    if one.detector == LEARNED and one.score >= CERTAIN:
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
