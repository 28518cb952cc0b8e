"""Decides whether a name of the document that is also a word stands for its person at a place.

A document that names Martin Price says "Price called" of him, and "Price list" of goods. The word
is the person's name unless what stands beside it shows that it is a word: an article, the day of a
month, another word with a capital, or, where a sentence begins, a word that follows no subject.
"""

from __future__ import annotations

import re
from functools import cache

from linkmask.detect.lexicon import clusters
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.name_words import DEEDS, is_no_prose
from linkmask.schema import compiled, words
from linkmask.text.fold import lower
from linkmask.text.sentences import begins_sentence_or_line

ALSO_WORD = "name that is a word"
"""The rule of such a name."""
NOUNS = frozenset({"de"})
"""Languages in which all nouns have capitals, so that a capital within a sentence tells nothing."""
REACH = 40
"""Characters on both sides of a word that are read."""
SHORT = 4
"""Letters of a word that may end in "ed" and be no verb, at most: "need"."""
_IN_PROSE = compiled("word_or_name_in_prose")
"""What stands behind a word of prose: no colon of a label, no mark between cells."""
_LAST = re.compile(r"([^\W\d_]{1,24}) \Z")
_NEXT = re.compile(r"(?P<owned>['’]s\b)?,? (?P<word>[^\W\d_]{1,24})")
_DAY_BEFORE = compiled("word_or_name_day_before")
_DAY_BEHIND = compiled("word_or_name_day_behind")
_ADJECTIVE = re.compile(r"([^\W\d_]{1,24}) [^\W\d_A-Z]{2,24}(?:e|e[mnrs]) \Z")
"""An article and an adjective, where nouns have capitals."""
_MAY_STAND_BEFORE = w.FUNCTION | w.TITLE | w.LABEL | w.ROLE | w.OCCUPATION
"""What a word with a capital right before a name may be: "When Price came", "Claimant Price"."""


def stands_for_person(text: str, start: int, end: int, language: str, *, also_small: bool) -> bool:
    """Tell whether a word with a capital is the person's that the document names so.

    Args:
        text: the text of the word.
        start: where the word begins.
        end: where it ends.
        language: the known language that the text is most like.
        also_small: the text has the word in small letters, too.
    """
    features = w.FEATURES[text[start:end]]
    before = text[max(start - REACH, 0) : start]
    if not features & w.GIVEN and not _IN_PROSE.match(text, end):
        return False
    last = _LAST.search(before)
    ahead = last[1] if last else ""
    if lower(ahead) in _listed("before_noun", language) or _is_date(text, end, before, features):
        return False
    if begins_sentence_or_line(text, start):
        return _follows_subject(text, end, language, also_small)
    if language in NOUNS:
        noun = _ADJECTIVE.search(before)
        return not noun or lower(noun[1]) not in _listed("before_noun", language)
    return not ahead[:1].isupper() or bool(w.FEATURES[ahead] & _MAY_STAND_BEFORE)


def _is_date(text: str, end: int, before: str, features: int) -> bool:
    """Is a word the name of a month or a day: beside a number, or behind "in", "since"?"""
    if not features & w.CALENDAR:
        return False
    ahead = _LAST.search(before)
    told = ahead and lower(ahead[1]) in _listed("before_month", "any")
    return bool(told or _DAY_BEFORE.search(before) or _DAY_BEHIND.match(text, end))


def _follows_subject(text: str, end: int, language: str, also_small: bool) -> bool:
    """May what stands behind the first word of a sentence follow a person's name?

    That is a verb, or a function word that no list excludes ("Price and", but not "Hope you"); a
    noun makes the name a word ("Price list"), and so does nothing at all, as in a heading.
    """
    behind = _NEXT.match(text, end)
    if not behind:
        return False
    word = behind["word"]
    if behind["owned"]:
        return not also_small or bool(w.FEATURES[word] & w.KIN)
    if word in _listed("behind_word", language) or word[:1].isupper():
        return False
    if _is_verb(word):
        return True
    if also_small:
        return False
    return bool(w.FEATURES[word] & w.FUNCTION) or language in NOUNS or is_no_prose(word)


def _is_verb(word: str) -> bool:
    """Is a word used like the verbs of which persons are subjects?"""
    found = clusters.names(lower(word))
    past = len(word) > SHORT and word.endswith("ed")
    return past or word in DEEDS or bool(found and found[0] in _clusters_of_deeds())


@cache
def _clusters_of_deeds() -> frozenset[str]:
    return frozenset(found[0] for word in DEEDS if (found := clusters.names(word)))


@cache
def _listed(table: str, language: str) -> frozenset[str]:
    return frozenset(words("context")[table].get(language, "").split())
