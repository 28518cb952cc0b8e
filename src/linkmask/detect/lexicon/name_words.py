"""Tells which words are or may be names: by the gazetteers, or because no vocabulary has them."""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from itertools import islice
from operator import or_

from linkmask.detect.lexicon import clusters
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.everyday import is_everyday
from linkmask.detect.lexicon.word_features import FEATURES, FIELD, GIVEN, PLACE, SURNAME
from linkmask.schema import words
from linkmask.text.fold import lower
from linkmask.text.letters import word_key

REMEMBERED = 1 << 16
"""Number of words whose answers are cached."""
_LISTED = ~reduce(or_, w.AGENT.values(), w.CAP | w.PHRASE | w.GAZETTEER)
"""What a word is by a list: not its shape, not how words end that name who does something, and not
what the gazetteer of names has.
"""

OTHER_WORDS = (
    w.FUNCTION | w.STOP | w.GENERIC | w.TITLE | w.CLINICIAN | w.THING | w.LABEL | w.NUMBER
    | w.PLACE | w.COUNTRY | w.KIN | w.CALENDAR | w.CONDITION | w.TREATMENT | w.PARTICLE
)  # fmt: skip
"""What a word must not be, besides a name, to belong to a name that is known."""


DEEDS = frozenset([*words("context")["deeds"], *words("context")["acts"]])
"""Verbs of which persons are subjects."""
_MODALS = frozenset(words("context")["modals"])

_THING = w.THING | w.PLACE_HEAD | w.TREATMENT_HEAD | w.CONDITION_HEAD
"""What a noun is beside the name after which a thing or a place is called: "Murphy sign"."""


def is_thing(noun: str) -> bool:
    """Tell whether a noun is a thing or a place called after somebody, and no surname."""
    features = FEATURES[noun]
    surname = features & (SURNAME | w.USUAL_SURNAME) and not noun.islower()
    return bool(features & _THING) and not surname


def in_either_case(word: str) -> int:
    """Return the features of a word as it stands and with a capital."""
    return FEATURES[word] | FEATURES[word.capitalize()]


def is_listed(word: str) -> bool:
    """Tell whether a list has a word as a given name or a surname, whatever else it may mean."""
    return bool(FEATURES[word] & (GIVEN | SURNAME | w.USUAL_SURNAME | w.USUAL_GIVEN))


def is_clinical_head(noun: str) -> bool:
    """Tell whether a noun in small letters is what a treatment or a condition ends with."""
    return noun.islower() and bool(FEATURES[noun] & (w.TREATMENT_HEAD | w.CONDITION_HEAD))


def may_be_in_name(word: str) -> bool:
    """Tell whether a word is a name, or neither prose nor a word of any other list."""
    features = FEATURES[word]
    if features & (GIVEN | SURNAME):
        return not features & (FIELD | PLACE)
    return is_unlisted(word) and is_no_prose(word)


def is_unlisted(word: str) -> bool:
    """Tell whether no list has a word."""
    return not FEATURES[word] & _LISTED


def is_no_prose(word: str) -> bool:
    """Tell whether no vocabulary of prose has a word."""
    return not clusters.names(lower(word))


def is_verb_or_function_word(word: str) -> bool:
    """Tell whether a word in small letters is a verb of persons, or a function word: no name.

    Modal verbs that are names may be one: "theresa may", "yusuf can".
    """
    function = FEATURES[word] & (w.FUNCTION | w.PARTICLE) == w.FUNCTION and len(word) > 1
    return word not in _MODALS and (word in DEEDS or function)


def is_common_word(word: str) -> bool:
    """Tell whether a word in small letters is one of prose before it is a name: "price"."""
    return not is_no_prose(word) and not FEATURES[word] & w.LISTED_NAME


_CONSTANT = re.compile("[A-Z]+[0-9]*(?:_[A-Z0-9]+)+")


def is_constant(word: str) -> bool:
    """Tell whether a word is a constant of a program, made of words of prose: "LOG_LEVEL"."""
    if not _CONSTANT.fullmatch(word):
        return False
    parts = filter(None, (part.strip("0123456789") for part in word.split("_")))
    return not any(is_no_prose(one) or is_given_name(one) or is_surname(one) for one in parts)


@lru_cache(maxsize=REMEMBERED)
def is_given_name(word: str) -> bool:
    """Tell whether a word is a given name of the gazetteers and not also a word of prose.

    The vocabulary has names of the texts that it is made of, so a common one may stand there.
    """
    common = FEATURES[word.capitalize()] & (GIVEN | w.COMMON_GIVEN)
    return bool(may_be_given(word) and (common or is_no_prose(word)))


def may_be_given(word: str) -> bool:
    """Tell whether a gazetteer has a word as a usual given name, and as no everyday word."""
    usual = FEATURES[word] & (w.USUAL_GIVEN | w.EVERYDAY_NAME) == w.USUAL_GIVEN
    return usual or bool(FEATURES[word.capitalize()] & GIVEN)


def is_surname(word: str) -> bool:
    """Tell whether a list has a word as a surname, and none as a field or a place.

    A surname that only the gazetteer has must not be a word of prose as well.
    """
    features = FEATURES[word.capitalize()]
    rare = features & (w.LISTED_SURNAME | w.EVERYDAY_NAME) == w.LISTED_SURNAME
    return (rare and is_no_prose(word) and is_unlisted(word)) or bool(
        features & SURNAME and not features & (FIELD | PLACE)
    )


def is_listed_alone(word: str) -> bool:
    """Tell whether the gazetteer has a word as a usual name, and no list has it as another word."""
    features = FEATURES[word]
    usual = features & (w.USUAL_GIVEN | w.USUAL_SURNAME) and not features & w.EVERYDAY_NAME
    return bool(usual) and is_unlisted(word)


def is_usual_name(word: str) -> bool:
    """Tell whether a word is a name before it is anything else, in whatever language.

    So is a name that is listed by hand, and a usual surname or a common given name of the
    gazetteer; other given names are often words of another language ("Tuuli", "Ergo").
    """
    features = FEATURES[word]
    if features & (w.EVERYDAY_NAME | w.WORDY | FIELD | PLACE):
        return False
    usual = features & (w.USUAL_SURNAME | w.COMMON_GIVEN)
    return bool(features & (GIVEN | SURNAME)) or (bool(usual) and is_unlisted(word))


# ── whole names ───────────────────────────────────────────────────────────────────────────────

_NO_NAME = (
    w.FUNCTION | w.STOP | w.GENERIC | w.WEAK | w.PLACE | w.DIRECTION | w.GIVEN | w.EITHER
    | w.ORGANIZATION | w.INSTITUTION | w.PRACTICE | w.CONDITION | w.TREATMENT | w.MODIFIER
    | w.OCCUPATION | w.NATIONALITY | w.DEMOGRAPHIC | w.EVENT_HEAD
)  # fmt: skip


def listed(name: str) -> bool:
    """Tell whether a lower-case name is a listed place or a word that is not a name.

    Words of the lists, clinical acronyms and frequent words are not names by themselves.
    """
    first, *rest = word_key(name).split()
    if not rest:
        by_list = FEATURES[first.capitalize()] & _NO_NAME or FEATURES[first.upper()] & w.ACRONYM
        return bool(by_list) or is_everyday(first)
    phrases = w.lexicon().phrases.get(first, {}).get(rest[0], ())
    return any(bits & w.PLACE and more == tuple(rest[1:]) for more, bits in phrases)


def no_name(word: str) -> bool:
    """Tell whether a lower-case word is one of the language and in no list of names."""
    names = w.GIVEN | w.SURNAME
    return listed(word) and not FEATURES[word.capitalize()] & names


# ── texts that the vocabulary covers ──────────────────────────────────────────────────────────

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
