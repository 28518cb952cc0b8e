"""Finds the persons of a document in small letters, and beside another name.

"mr frost … told him frost file", "Hassan et Housseynatou", "kwabena frost (kobby)". Only a name
that itself stands in small letters is looked for in these, be it a word of prose as well. Initials
are not looked for: no list tells those of a person from "A.M.", "U.S." or "API".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.name_words import (
    is_listed,
    is_listed_alone,
    is_no_prose,
    is_unlisted,
    is_verb_or_function_word,
    may_be_in_name,
)
from linkmask.detect.names.word_or_name import NOUNS, stands_for_person
from linkmask.detect.resolve import LEARNED
from linkmask.schema import compiled, types

SMALL, BESIDE = "small name again", "beside a name"
"""Rules of a name in small letters, and of one beside another."""
BEHIND_TRIGGER = "-small"
"""How the rules of single names in small letters end that ask for a title, a relative, a greeting;
what else stands so is a user name."""
SCORE = 0.6
SURE = 0.9
"""Score from which a name that only the tagger found counts."""
LONG = 4
"""Letters of a name in small letters, at least."""
_PART = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SMALL = re.compile(r"(?<![\w@/\\.'’-])[^\W\d_A-ZÀ-Þ]{4,24}+(?![\w@/\\-]|\.\w)")
_BEHIND = compiled("aliases_behind")
"""A word that "and", a bracket or a plus joins to the name before."""
_BEFORE = compiled("aliases_before")
_LISTED = w.USUAL_GIVEN | w.USUAL_SURNAME
_NO_SMALL = w.FUNCTION | w.STOP | w.PARTICLE | w.WORDY | w.CALENDAR | w.KIN | w.TITLE


def small_names_of(fields: Iterable[tuple[str, Iterable[Candidate]]]) -> frozenset[str]:
    """Return words of names that stand in small letters in the fields of a document.

    `fields`: text and candidates of each.
    """
    small = set[str]()
    for text, found in fields:
        for one in found:
            name = text[one.start : one.end]
            parts = _PART.findall(name)
            behind = one.rule.endswith(BEHIND_TRIGGER)
            if name.islower() and _is_sure(one, parts) and (len(parts) > 1 or behind):
                small.update(part for part in parts if len(part) >= LONG)
    return frozenset(word for word in small if not w.FEATURES[word] & _NO_SMALL)


def named_by_alias(
    text: str, small: Collection[str], found: Collection[Candidate], language: str
) -> Iterator[Candidate]:
    """Yield where the small names of a document stand in a text, and names beside those found."""
    for word in _SMALL.finditer(text) if small else ():
        start, end = word.span()
        if word[0] in small and stands_for_person(text, start, end, language, also_small=False):
            yield _found(start, end, SMALL)
    for one in found:
        if _is_sure(one, _PART.findall(text, one.start, one.end)):
            yield from _beside(text, one, language)


def _is_sure(one: Candidate, parts: Collection[str]) -> bool:
    """Is a candidate a name beyond doubt: by a rule, by the tagger's score, or by all its words?

    The tagger is sure of hardly any name in small letters.
    """
    if one.type != types.NAME:
        return False
    listed = len(parts) > 1 and all(w.FEATURES[part] & _LISTED for part in parts)
    return one.detector != LEARNED or one.score >= SURE or listed


def _beside(text: str, one: Candidate, language: str) -> Iterator[Candidate]:
    """Yield the single words that are joined to a name and are likely one, too."""
    small = text[one.start : one.end].islower()
    joined = [_BEHIND.match(text, one.end), _BEFORE.search(text, max(one.start - 40, 0), one.start)]
    for match in filter(None, joined):
        word, bracket = match["word"], match[0].startswith(" (")
        if word.islower() != small or is_verb_or_function_word(word):
            continue
        nouns = language in NOUNS
        likely = is_listed_alone(word) or (not (small or nouns) and may_be_in_name(word))
        if match.end() <= one.start and _are_firm(word, text[one.start : one.end]):
            continue
        if likely or (small and bracket and is_no_prose(word) and is_unlisted(word)):
            yield _found(*match.span("word"), BESIDE)


def _are_firm(first: str, second: str) -> bool:
    """May two single words joined by "and" be surnames that a firm bears: "Smith and Wesson"?"""
    given = (w.FEATURES[first] | w.FEATURES[second]) & (w.GIVEN | w.COMMON_GIVEN)
    return is_listed(first) and is_listed(second) and not given


def _found(start: int, end: int, rule: str) -> Candidate:
    return Candidate(start, end, types.NAME, "lexicon", rule, SCORE)
