"""Finds names by their form alone, mostly in languages of which there are no lists.

Where nouns have no capitals, two words with capitals within a sentence, which are in no list and no
vocabulary, are mostly a person's, and so is one that the gazetteer of names has. The tagger has not
learned the languages without lists; in the others, single names alone are found so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.name_words import is_listed_alone, is_no_prose, may_be_in_name
from linkmask.schema import compiled, types

UNLISTED, WITHIN = "unlisted", "within a sentence"
"""The rules of full names, and of single ones."""
SCORE = 0.6
LEAST, SHARE = 3, 0.08
"""Words with letters of such languages by which a text is in one: how many, and their share."""
_LETTERS = "ąćęłńśźżčďěňřšťůžőűğışţțșăđģķļņėįųūāēīøæåþðͰ-ϿЀ-ӿ"
"""Letters that English, French, German, Spanish, Italian, Dutch and Portuguese lack (Unicode CLDR,
exemplar characters)."""
_CAPITALS = "".join(c for c in _LETTERS.upper() if not c.isascii())
_LETTERED = re.compile(rf"(?<![^\W\d_])[^\W\d_]*?[{_LETTERS}{_CAPITALS}]")
"""A word up to the first such letter: it is read once, however long it is."""
_RUN = compiled("unlisted_run")
_WITHIN = re.compile(r"[^\W_][,)]? \Z")
"""What stands before a word that does not begin a sentence."""

_ALONE = compiled("unlisted_alone")
"""A word with a capital behind one in small letters, and before none with a capital."""


def has_other_letters(text: str) -> bool:
    """Tell whether many words of a text have letters of languages without lists."""
    if text.isascii():
        return False
    lettered = len(_LETTERED.findall(text))
    return lettered >= LEAST and lettered > SHARE * text.count(" ")


def unlisted_names(text: str) -> Iterator[Candidate]:
    """Yield words with capitals that are likely a full name, in linear time.

    The first word of a sentence tells nothing by its capital, and is left out.
    """
    for run in _RUN.finditer(text):
        words = run[0].split(" ")
        start = run.start()
        if not _WITHIN.search(text, max(start - 3, 0), start):
            start += len(words.pop(0)) + 1
        if len(words) > 1 and all(word.istitle() and may_be_in_name(word) for word in words):
            yield Candidate(start, run.end(), types.NAME, "lexicon", UNLISTED, SCORE)


def names_within_sentences(text: str, foreign: bool) -> Iterator[Candidate]:
    """Yield single words with a capital within a sentence that the gazetteer has as names.

    The word before has none: "met Wiersma", not "Van Wiersma". In a language with lists
    (`foreign` is false), no vocabulary of prose has the word.
    """
    for word in _ALONE.finditer(text):
        if is_listed_alone(word["name"]) and (foreign or is_no_prose(word["name"])):
            yield Candidate(*word.span("name"), types.NAME, "lexicon", WITHIN, SCORE)
