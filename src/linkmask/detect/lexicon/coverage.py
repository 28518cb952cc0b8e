"""Tells whether the vocabulary covers the words of a text: few of another language are in it."""

from __future__ import annotations

import re
from itertools import islice

from linkmask.detect.lexicon import clusters
from linkmask.detect.lexicon import word_features as w
from linkmask.text.letters import word_key

COVERED = 0.5
"""Share of the words around a name that the vocabulary has where it covers the text: nearly all of
an English, most of a French or German one, at most a third of one in fifteen other languages."""
FEWEST, MOST, AROUND = 2, 32, 160
"""Words in small letters that tell whether it does, at least and at most, and characters of the
text on both sides among which they are."""
FUNCTIONS = 2
"""Different function words that tell that the lists cover a text; in other languages one stands."""
SMALL = re.compile(r"(?<![\w'’@/.-])[^\W\d_A-ZÀ-Þ]{3,24}(?![\w@/]|\.\w)")
"""A word in small letters; shorter ones stand in many languages."""


def vocabulary_covers(text: str, start: int, end: int) -> bool:
    """Tell whether the vocabulary has half of the words around a span, or these are too few.

    Two function words show it as well: in jargon, most other words are in no vocabulary.
    """
    first, last = max(start - AROUND, 0), end + AROUND
    around = [match[0] for match in islice(SMALL.finditer(text, first, last), MOST)]
    in_vocabulary = [bool(clusters.names(word_key(word))) for word in around]
    functions = {word for word in around if w.FEATURES[word] & w.FUNCTION}
    few = len(in_vocabulary) < FEWEST or len(functions) >= FUNCTIONS
    return few or sum(in_vocabulary) >= COVERED * len(in_vocabulary)
