"""Finds the persons of a document by their initials, in small letters, and beside another name.

"S. Ní Dhomhnaill … SND outlined", "mr frost … told him frost file", "Hassan et Housseynatou",
"kwabena frost (kobby)". Only a name that is found with all of its words tells initials, and only
one that itself stands in small letters is looked for in these, be it a word of prose as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.name_words import (
    is_listed_alone,
    is_no_prose,
    is_unlisted,
    is_verb_or_function_word,
    may_be_in_name,
)
from linkmask.detect.names.word_or_name import NOUNS, is_verb, stands_for_person
from linkmask.detect.resolve import LEARNED
from linkmask.schema import compiled, types

INITIALS, SMALL, BESIDE = "initials", "small name again", "beside a name"
"""Rules of initials, of a name in small letters, and of one beside another."""
BEHIND_TRIGGER = "-small"
"""How the rules of single names in small letters end that ask for a title, a relative, a greeting;
what else stands so is a user name."""
SCORE = 0.6
SURE = 0.9
"""Score from which a name that only the tagger found tells its initials."""
FEWEST, LONG, SHORT = 2, 4, 10
"""Letters of initials and of a name in small letters, at least; of an unlisted word beside a name
where nouns have capitals, at most."""
_PART = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_INITIALS = compiled("aliases_initials")
"""Two to four capitals, each with a point or none."""
_NEXT = re.compile(r" ([^\W\d_]{1,24})(?!\w)")
_SMALL = re.compile(r"(?<![\w@/\\.'’-])[^\W\d_A-ZÀ-Þ]{4,24}+(?![\w@/\\-]|\.\w)")
_BEHIND = compiled("aliases_behind")
"""A word that "and", a bracket or a plus joins to the name before."""
_BEFORE = compiled("aliases_before")
_SHORT_FOR = (
    w.ACRONYM
    | w.TITLE
    | w.CLINICIAN
    | w.ROLE
    | w.STATE_CODE
    | w.LETTERS
    | w.LETTERS_BEHIND
    | w.CALENDAR
)
_LISTED = w.USUAL_GIVEN | w.USUAL_SURNAME
_NO_SMALL = w.FUNCTION | w.STOP | w.PARTICLE | w.WORDY | w.CALENDAR | w.KIN | w.TITLE


class NameAliases(NamedTuple):
    """Initials of the persons of a document, and words of names that stand in small letters."""

    initials: frozenset[str]
    small: frozenset[str]


def aliases_of(fields: Iterable[tuple[str, Iterable[Candidate]]]) -> NameAliases:
    """Return the aliases of the names in the fields of a document: text and candidates of each."""
    initials, small = set[str](), set[str]()
    for text, found in fields:
        for one in found:
            name = text[one.start : one.end]
            parts = _PART.findall(name)
            if not _is_sure(one, parts):
                continue
            if name.islower() and (len(parts) > 1 or one.rule.endswith(BEHIND_TRIGGER)):
                small.update(part for part in parts if len(part) >= LONG)
            if 1 < len(parts) <= LONG:
                initials.add("".join(part[0] for part in parts).upper())
    words = (word for word in small if not w.FEATURES[word] & _NO_SMALL)
    return NameAliases(frozenset(initials), frozenset(words))


def named_by_alias(
    text: str, aliases: NameAliases, found: Collection[Candidate], language: str
) -> Iterator[Candidate]:
    """Yield where the aliases of a document stand in a text, and names beside those found."""
    for match in _INITIALS.finditer(text) if aliases.initials else ():
        letters = "".join(filter(str.isalpha, match[0]))
        if letters in aliases.initials and ("." in match[0] or _is_person(text, match, letters)):
            yield _found(match.start(), match.end(), INITIALS)
    for word in _SMALL.finditer(text) if aliases.small else ():
        start, end = word.span()
        if word[0] in aliases.small and (
            stands_for_person(text, start, end, language, also_small=False)
        ):
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


def _is_person(text: str, match: re.Match[str], letters: str) -> bool:
    """Are capitals without points no known abbreviation, and no word where no verb follows?

    Two letters alone are mostly an abbreviation.
    """
    behind = _NEXT.match(text, match.end())
    acts = behind and is_verb(behind[1])
    likely = acts or (len(letters) > FEWEST and is_no_prose(letters))
    return bool(likely) and not w.FEATURES[letters] & _SHORT_FOR


def _beside(text: str, one: Candidate, language: str) -> Iterator[Candidate]:
    """Yield the single words that are joined to a name and are likely one, too."""
    small = text[one.start : one.end].islower()
    joined = [_BEHIND.match(text, one.end), _BEFORE.search(text, max(one.start - 40, 0), one.start)]
    for match in filter(None, joined):
        word, bracket = match["word"], match[0].startswith(" (")
        if word.islower() != small or is_verb_or_function_word(word):
            continue
        nouns = language in NOUNS and len(word) > SHORT
        likely = is_listed_alone(word) or (not (small or nouns) and may_be_in_name(word))
        if likely or (small and bracket and is_no_prose(word) and is_unlisted(word)):
            yield _found(*match.span("word"), BESIDE)


def _found(start: int, end: int, rule: str) -> Candidate:
    return Candidate(start, end, types.NAME, "lexicon", rule, SCORE)
