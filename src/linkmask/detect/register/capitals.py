"""Drops names whose capital tells nothing: first words of sentences, and heads of columns.

A first word is dropped where no vocabulary covers the text, or where the text has it in small
letters, too. That no vocabulary has it, or that the tagger takes it for a name, says something only
in the languages from which vocabulary and tagger were made: in another one most words are unknown,
and some are a name elsewhere ("Daño", "Ayrıca").
"""

from __future__ import annotations

import re
from bisect import bisect_right
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
from linkmask.detect.names.word_or_name import ALSO_WORD
from linkmask.detect.register.evidence import PERSONS, is_certain, is_doubtful_name
from linkmask.detect.structured.tables import column_type
from linkmask.schema import compiled
from linkmask.text.fold import lower
from linkmask.text.sentences import NEAR, begins_line_with_capital, begins_sentence

_HEADS = compiled("capitals_heads")
"""The line of a table above a line of dashes (GitHub Flavored Markdown, 4.10)."""
_STOP = re.compile(r"[.!?]")
CLAUSE = 3
"""Small words up to the end of a sentence from which on the tagger's certainty does not count: it
adds up over the words, so that a sentence of unknown words is certain ("Ilma virtaa suodattimen
läpi."). Behind a label, they are a name.
"""


def without_column_heads(text: str, found: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates without doubtful names of one word that head a column of a table.

    A listed name stays, if it is no word of prose besides.
    """
    lines = _HEADS.finditer(text) if "--" in text else ()
    heads = [line.span("head") for line in lines if not _is_label_and_value(line["head"])]
    starts = [start for start, _ in heads]

    def is_head(one: Candidate) -> bool:
        name, above = text[one.start : one.end], bisect_right(starts, one.start)
        within = above > 0 and one.end <= heads[above - 1][1]
        return within and " " not in name and (not is_listed(name) or is_common_word(lower(name)))

    return [one for one in found if not (is_doubtful_name(one) and is_head(one))]


def _is_label_and_value(line: str) -> bool:
    """Is a line of a table a label and its value, above more of these: "| Name | Brandvold |"?"""
    cells = line.strip(" |\t").split("|")
    return len(cells) == 2 and bool(column_type(cells[0].strip()))


def without_first_words(text: str, found: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates without the names that are ordinary first words of sentences.

    One that is a word of a name that stays is a name.
    """
    small = cache(lambda: frozenset(SMALL.findall(text)))
    doubtful = (one for one in found if is_doubtful_name(one) and one.rule != ALSO_WORD)
    first = {one for one in doubtful if _is_first_word(text, one, small)}
    if not first:
        return found
    stay = [one for one in found if one not in first]
    names = {text[one.start : one.end] for one in stay}
    for one in stay:
        if one.type in PERSONS:
            names.update(text[one.start : one.end].split())
    return [one for one in found if one not in first or text[one.start : one.end] in names]


def _is_sentence(text: str, one: Candidate) -> bool:
    before = text[max(one.start - NEAR, 0) : one.start].rstrip()
    return bool(_STOP.match(text, one.end)) and not before.endswith(":")


def _is_first_word(text: str, one: Candidate, small: Callable[[], Set[str]]) -> bool:
    """Is a name by tagger or list the first word of a sentence that no vocabulary covers?

    So are a word of prose that the text also has in small letters (`small`) and no list has as a
    name, and small words where the line begins with a capital. A usual name stays, and so does one
    with another capital.
    """
    words = text[one.start : one.end].split()
    proper = [word for word in words if word[:1].isupper()]
    if is_certain(one) and not (len(words) - len(proper) >= CLAUSE and _is_sentence(text, one)):
        return False
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
