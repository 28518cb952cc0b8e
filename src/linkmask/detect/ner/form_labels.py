"""Recognizes form labels among the tagger's spans."""

from __future__ import annotations

import re

from linkmask.detect.lexicon import word_features
from linkmask.detect.structured.fields import type_of

LISTED = word_features.GIVEN | word_features.SURNAME
_WORDS = re.compile(r"\w+")
_FIELD_END = re.compile(
    r"(?: [a-zß-ÿ]{2,12}){0,2}(?: ?\([^()\n]{1,12}\))?[ \t]{0,4}(?:\.?[:|\t]|(?<=\w)>)"
)
_POINTS = 8
_POINTED = re.compile(r"(?:[A-Z]\.){1,5}[A-Z]?")


def is_no_value(text: str, start: int, end: int, unsure: bool) -> bool:
    """Tell whether a span is a word of a form, not a value that was filled in."""
    return is_form_label(text, start, end, unsure) or is_empty_value(text, start, end)


def is_form_label(text: str, start: int, end: int, unsure: bool) -> bool:
    """Tell whether it is a form's label: "Courriel :", "<nino>", "numéro de sécurité sociale".

    A word that is also a listed name is a label only before a colon or in a tag.
    """
    span = text[start:end]
    label = type_of(span)
    first = span if span.isalnum() else span.partition(" ")[0]
    if not label and end - start > 1 and not word_features.MARKS[first] & word_features.FIELD:
        return False
    words = _WORDS.findall(span)
    if len(words) == 1 and len(span) == 1 and (letters := _letters(text, start)):
        return bool(type_of(letters))  # "S.S.N"
    if not label and not (
        words and all(word_features.MARKS[word] & word_features.FIELD for word in words)
    ):
        return False
    listed = any(word_features.MARKS[word] & LISTED for word in words)
    if _FIELD_END.match(text, end):
        return not listed or text[start - 1 : start] in {"<", "/"}
    return unsure and not listed


def _letters(text: str, start: int) -> str:
    """Return the letters with points between them that a letter stands among, else nothing."""
    for letters in _POINTED.finditer(text, max(start - _POINTS, 0), start + _POINTS):
        if letters.start() <= start < letters.end():
            return letters[0].replace(".", "")
    return ""


def is_empty_value(text: str, start: int, end: int) -> bool:
    """Tell whether it says that a field is empty or elsewhere: "Patient Name: See attached"."""
    before = text[max(start - _BLANKS, 0) : start].rstrip(" \t*_")
    return before[-1:] in {":", "=", "|"} and word_features.no_value(text[start:end])


_BLANKS = 12
