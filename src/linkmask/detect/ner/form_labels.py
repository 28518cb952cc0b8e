"""Recognizes labels and empty fields of forms among the tagger's spans."""

from __future__ import annotations

import re

from linkmask.detect.fields import type_of
from linkmask.detect.lexicon.word_features import FIELD, GIVEN, MARKS, SURNAME, no_value

_WORDS = re.compile(r"\w+")
_FIELD_END = re.compile(
    r"(?: [a-zß-ÿ]{2,12}){0,2}(?: ?\([^()\n]{1,12}\))?[ \t]{0,4}(?:\.?[:|\t]|(?<=\w)>)"
)
_BLANKS = 12
HEADING = 0.6
"""How sure the tagger must be that a heading is a value."""


def is_no_value(text: str, start: int, end: int, sure: float) -> bool:
    """Tell whether a span is a form's label ("Courriel :"), or says "none" behind one.

    A word that is also a listed name is a label only in a tag: "<nino>". Where the tagger is not
    sure, a label may stand alone.
    """
    before = text[max(start - _BLANKS, 0) : start].rstrip(" \t*_")
    if before[-1:] in {":", "=", "|"} and no_value(text[start:end]):
        return True
    words = [MARKS[word] for word in _WORDS.findall(text, start, end)]
    label = all(m & FIELD for m in words) or type_of(text[start:end])
    if not label or not (sure < HEADING or _FIELD_END.match(text, end)):
        return False
    return before[-1:] in {"<", "/"} or not any(m & (GIVEN | SURNAME) for m in words)
