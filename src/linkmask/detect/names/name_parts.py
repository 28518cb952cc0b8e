"""Reads the words of a document's names, in the forms of a text, a path and a user name.

"Requested for: Hjördis Blöndal … Hjördis needs it": a form, a table or the tagger told the whole
name, and nothing else tells that its words are names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import CLINICIAN
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.everyday import is_everyday
from linkmask.detect.lexicon.name_words import OTHER_WORDS, in_either_case, is_listed, is_no_prose
from linkmask.detect.names.paths import is_path
from linkmask.detect.resolve import LEARNED
from linkmask.schema import types
from linkmask.text.letters import word_key

SURE = 0.9
"""Score from which a full name that only the tagger found tells the words of a name."""
TOLD = 0.7
"""Score from which a name of one word, and a clinician's, that the lexicon found tells a name."""
LONGEST = 5
"""Words of a full name, at most."""
SHORTEST = 3
"""Letters of a word that is looked for in a text, and of a surname in a user name."""
LONG = 4
"""Letters of a word that names a person by itself in a path, or in a user name with a number."""
_ENDS = ("", "s", "es")
"""Of a name and of its plural: "the Finches"."""
_PART = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")


class NameParts(NamedTuple):
    """The names of a document. All but `words` are folded: small letters without accents.

    Attributes:
        words: words that name a person alone, and their plurals, in small letters → their type.
        also_words: names that are words, too ("price"), and stand for the person in some places.
        alone: those of them that do so in a path, and in small letters.
        pairs: two words of one name, in either order.
        joined: user names without joints: "jdoe", "doejane". None is a word of prose: "price".
        numbered: words that are a user name with a number behind them.
        users: words and joined names, those of prose too: a user name where one is announced.
    """

    words: Mapping[str, str]
    also_words: Mapping[str, str] = {}
    alone: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()
    joined: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
    users: frozenset[str] = frozenset()


def parts_of_names(fields: Iterable[tuple[str, Iterable[Candidate]]]) -> NameParts:
    """Return the names that are found in the fields of a document: text and candidates of each."""
    words: dict[str, str] = {}
    also_words: dict[str, str] = {}
    names = set[str]()
    for text, found in fields:
        for one in found:
            if one.type == types.NAME or one.rule == CLINICIAN:
                name = text[one.start : one.end]
                parts = list(_words_alone(_PART.findall(name), one))
                sure = (part for part in parts if _is_only_name(part, name))
                words |= {part.lower() + end: one.type for part in sure for end in _ENDS}
                also_words |= {part.lower(): one.type for part in parts if _is_also_word(part)}
                names |= {name} if one.type == types.NAME else set()
    pairs = {pair for name in names if not is_path(name) for pair in _pairs(name)}
    full = [parts for name in names if len(parts := _PART.findall(word_key(name))) > 1]
    ends = {(given, surname) for given, *_, surname in full}
    joined = frozenset(joined for one in ends for joined in _joined(*one))
    return NameParts(
        words,
        also_words,
        frozenset(key for key in map(word_key, words) if len(key) >= LONG and not is_everyday(key)),
        frozenset(pairs),
        frozenset(filter(is_no_prose, joined)),
        frozenset(word for one in ends for word in one if len(word) >= LONG),
        joined.union(map(word_key, words)),
    )


def _words_alone(parts: Collection[str], one: Candidate) -> Iterable[str]:
    """Return the words of a name that name the person alone; of a clinician's, the last one."""
    if len(parts) > LONGEST or not all(part[0].isupper() for part in parts):
        return ()
    if len(parts) < 2 or one.rule == CLINICIAN:
        told = one.detector != LEARNED and one.score >= TOLD
        parts = [*parts][-1:] if told else []
    elif one.detector == LEARNED and one.score < SURE:
        return ()
    return (part for part in parts if len(part) >= SHORTEST)


def _is_only_name(part: str, name: str) -> bool:
    """Is a part of a name no other word, and alone no given name that may be one?"""
    features = in_either_case(part)
    return not features & OTHER_WORDS and not (part == name and features & w.WORDY)


def _is_also_word(part: str) -> bool:
    """Is a listed name also a word of prose: "Price", "Grace", "May"?"""
    features = in_either_case(part)
    other = features & OTHER_WORDS and is_listed(part.capitalize())
    return bool(features & (w.WORDY | w.OCCUPATION) or other) and not features & (
        w.PARTICLE | w.NUMBER | w.PLACE
    )


def _pairs(name: str) -> Iterator[tuple[str, str]]:
    parts = list(map(word_key, _LETTERS.findall(name)[: LONGEST - 1]))
    return ((a, b) for a in parts for b in parts if a != b and min(len(a), len(b)) > 1)


def _joined(given: str, surname: str) -> Iterator[str]:
    """Yield "jdoe", "janedoe" and the like, if they are long enough."""
    for first in {given, given[0]}:
        if len(surname) >= SHORTEST and len(first + surname) > LONG:
            yield from (first + surname, surname + first)
