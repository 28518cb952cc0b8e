"""Drops names that are ordinary first words of sentences, where no vocabulary covers the text.

The capital of a first word says nothing. That no vocabulary has it, or that the tagger takes it for
a name, says something only in the languages from which vocabulary and tagger were made: in another
one most words are unknown, and some are a name elsewhere ("Daño", "Ayrıca").
"""

from __future__ import annotations

import re
from itertools import islice

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.names.words import is_usual_name
from linkmask.detect.ner import clusters
from linkmask.detect.resolve import LEARNED
from linkmask.text.letters import word_key
from linkmask.text.sentences import begins_line_with_capital, begins_sentence

COVERED = 0.5
"""Share of the words around a name that the vocabulary has where it covers the text: nearly all of
an English, most of a French or German one, at most a third of one in fifteen other languages."""
FEWEST, MOST, AROUND = 2, 32, 160
"""Words in small letters that tell whether it does, at least and at most, and characters of the
text on both sides among which they are."""
FUNCTIONS = 2
"""Different function words that tell that the lists cover a text; in other languages one stands."""
CERTAIN = 0.92
"""Score from which the tagger's word that begins a sentence is a name in any language."""
_SMALL = re.compile(r"(?<![\w'’@/.-])[^\W\d_A-ZÀ-Þ]{3,24}(?![\w@/]|\.\w)")
"""A word in small letters; shorter ones stand in many languages."""


def is_ordinary_first_word(text: str, one: Candidate) -> bool:
    """Tell whether a name by tagger or list is the first word of a sentence that is not covered.

    So are small words where the line begins with a capital. A usual name stays, and so does one
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
    return begins(text, one.start) and not vocabulary_covers(text, one.start, one.end)


def vocabulary_covers(text: str, start: int, end: int) -> bool:
    """Tell whether the vocabulary has half of the words around a span, or these are too few.

    Two function words show it as well: in jargon, most other words are in no vocabulary.
    """
    first, last = max(start - AROUND, 0), end + AROUND
    around = [match[0] for match in islice(_SMALL.finditer(text, first, last), MOST)]
    known = [bool(clusters.names(word_key(word))) for word in around]
    functions = {word for word in around if w.FEATURES[word] & w.FUNCTION}
    few = len(known) < FEWEST or len(functions) >= FUNCTIONS
    return few or sum(known) >= COVERED * len(known)
