"""Checks whether all words of a name are listed: it may then be a place, a thing, or nothing."""

from __future__ import annotations

from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.everyday import is_everyday
from linkmask.text.letters import word_key

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
        by_list = (
            w.features_of(first.capitalize()) & _NO_NAME or w.features_of(first.upper()) & w.ACRONYM
        )
        return bool(by_list) or is_everyday(first)
    phrases = w.lexicon().phrases.get(first, {}).get(rest[0], ())
    return any(bits & w.PLACE and more == tuple(rest[1:]) for more, bits in phrases)


def no_name(word: str) -> bool:
    """Tell whether a lower-case word is one of the language and in no list of names."""
    names = w.GIVEN | w.SURNAME
    return listed(word) and not w.features_of(word.capitalize()) & names
