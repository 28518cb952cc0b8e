"""Asks what shows that a candidate is a value: its form, a label or title before it, its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features
from linkmask.detect.lexicon.name_words import is_clinical_head, is_thing, may_be_given
from linkmask.detect.names.paths import IN_PATH
from linkmask.detect.names.unlisted import WITHIN
from linkmask.detect.register import Register, register_words
from linkmask.detect.resolve import LEARNED
from linkmask.detect.structured.user_names import NO_USERS
from linkmask.text.fold import word_bytes

LISTED = "lexicon"
"""Detector of the names that a list has."""
PERSONS = schema.types_of("person")
CERTAIN = 0.92
"""Score from which the tagger is believed of a word, whatever its place in the sentence."""
REACH = 48
"""Characters before a value, or behind it, in which words that tell what it is are looked for."""
DIGITS = 7
"""Digits of a number that its label alone makes a direct identifier."""
PARTICLE = 4
"""Largest number of letters of a small word within a name: "van der"; a single letter is none."""
_TRIGGERED = frozenset({"label", "title", "greeting", "speaker", IN_PATH})
"""Rules of names that ask for a title, a label, a signature, or the path of a person's page."""
_TITLES = frozenset(schema.words("titles")["elsewhere"].split())
_LABEL = schema.compiled("evidence_label")
_HOUSE_AND_POSTCODE = schema.compiled("evidence_house_and_postcode")


def has_form_or_trigger(one: Candidate) -> bool:
    """Tell whether a candidate has a form, as an email address has, or a trigger beside it."""
    if one.detector == LISTED:
        return one.type in PERSONS and one.rule in _TRIGGERED
    return one.detector != LEARNED


def is_certain(one: Candidate) -> bool:
    """Tell whether the tagger found a candidate, and is as good as certain of it."""
    return one.detector == LEARNED and one.score >= CERTAIN


def is_doubtful_name(one: Candidate) -> bool:
    """Tell whether a candidate is a person's name by its words alone."""
    return one.type in PERSONS and not has_form_or_trigger(one)


def is_labelled_number(text: str, one: Candidate) -> bool:
    """Tell whether a label stands before a number of an identifier's length."""
    return count_digits(text, one) >= DIGITS and bool(_LABEL.search(_before(text, one)))


def count_digits(text: str, one: Candidate) -> int:
    """Return how many digits a candidate has."""
    return sum(map(str.isdigit, text[one.start : one.end]))


def is_whole_address(text: str, one: Candidate) -> bool:
    """Tell whether an address has a number of a house and a postcode."""
    return bool(_HOUSE_AND_POSTCODE.match(text[one.start : one.end]))


def is_full_name(text: str, one: Candidate, register: Register) -> bool:
    """Tell whether a name has several capitals, and a given name, a label or a title.

    Behind a title one capital is enough. In an unknown language the form is enough, unless the text
    is about nobody.
    """
    name, before = text[one.start : one.end], _before(text, one)
    words = name.split()
    titled = _is_title(words[0]) or _is_title(before.rpartition("\n")[2].split(" ")[-2:][0])
    words = words[_is_title(words[0]) :]
    proper = [word for word in words if word[0].isupper() and word[1:2] != "."]
    if len(proper) < 2 - titled or not _are_of_one_name(words, proper) or "\n" in name:
        return False
    if titled or _LABEL.search(before):
        return True
    if any(word.isupper() and len(word) > PARTICLE for word in proper):
        return False
    features = word_features.FEATURES[words[0]]
    rare = register.foreign and features & word_features.UNMET_GIVEN
    given = (rare or may_be_given(words[0])) and not features & word_features.PARTICLE
    return bool(given or (register.foreign and not register.nobody))


def _are_of_one_name(words: Sequence[str], proper: Sequence[str]) -> bool:
    """Do words begin with a capital, have small ones like "van der" alone, and end no sentence?"""
    small = (word for word in words if not word[0].isupper())
    return (
        words[0] in proper
        and all(1 < len(word) <= PARTICLE for word in small)
        and not any(word.endswith(".") for word in proper)
    )


def _before(text: str, one: Candidate) -> str:
    return text[max(one.start - REACH, 0) : one.start]


def _is_title(word: str) -> bool:
    return "".join(filter(str.isalpha, word)).lower() in _TITLES


_CLINICAL = word_features.ILL_OR_CURE | word_features.MODIFIER


def is_shorthand(text: str, one: Candidate) -> bool:
    """Tell whether a value of a list is unknown capitals and words for any treatment: "VPN drops".

    A listed abbreviation counts in any text: "PE" may be a class at school, but "she had a PE"
    leaks.
    """
    first, *more = text[one.start : one.end].split()
    features = word_features.FEATURES
    return bool(
        one.detector == LISTED
        and more
        and first.isupper()
        and not features[first] & _CLINICAL
        and all(features[word] & _CLINICAL == word_features.TREATMENT_HEAD for word in more)
    )


# ── things ────────────────────────────────────────────────────────────────────────────────────

_NEXT_WORD = re.compile(r" ([^\W\d_]{3,20}+)(?!\w)")
_ONE_OF_MANY = re.compile(r"(?<!\w)(?:an?|each|every|une?|chaque) \Z")
_NUMBERED = re.compile(r", ([^\W\d_]{3,9}) (?=[^\d\n]{0,12}\d)")


def is_name_of_thing(text: str, one: Candidate) -> bool:
    """Tell whether a name is that of a program, or of a place ("Victoria Station") or a treatment.

    "A Kocher clamp" is one of many, so a listed name within a sentence is nobody's there.
    """
    words = text[one.start : one.end].split()
    if "".join(words).lower() in NO_USERS:
        return True
    proper = [word for word in words if word[0].isupper()]
    behind = _NEXT_WORD.match(text, one.end, one.end + REACH)
    if len(proper) != 1 or not behind:
        return False
    noun = behind[1]
    if not noun.islower():
        return noun[0].isupper() and is_thing(noun)
    start = text.index(proper[0], one.start)
    if one.rule == WITHIN and _ONE_OF_MANY.search(text[max(start - REACH, 0) : start]):
        return True
    return is_clinical_head(noun) and not is_certain(one)


def is_name_of_goods(text: str, one: Candidate) -> bool:
    """Tell whether a name is that of goods: measured ("a dash of X"), or of a model ("X, model 5").

    This is asked in texts about nobody alone: "Brandvold, type 2 diabetes" is a person.
    """
    before = word_bytes(text[max(one.start - REACH, 0) : one.start].rpartition("\n")[2]).split()
    behind = _NUMBERED.match(text, one.end)
    return not register_words("measures", "any").isdisjoint(before[-2:]) or (
        behind is not None and word_bytes(behind[1]).strip() in register_words("models", "any")
    )
