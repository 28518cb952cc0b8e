"""Recognizes what identifies a person without a name: work and groups."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import occupations
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import Text
from linkmask.schema import types, words

_OF_GROUPS = w.DEMOGRAPHIC | w.NATIONALITY


def find(t: Text, language: str) -> Iterator[Candidate]:
    """Yield INDIRECT_IDENTIFIER and DEMOGRAPHIC spans."""
    yield from occupations.find(t, language)
    yield from _groups(t)


def _groups(t: Text) -> Iterator[Candidate]:
    for i in t.words_with(_OF_GROUPS):
        m = t.features[i]
        if t.taken[i] or m & w.OCCUPATION or not (m & w.DEMOGRAPHIC or m & w.CAP):
            continue
        if m & w.CAP and _of_disease(t, i):
            continue
        if not (m & w.DEMOGRAPHIC and _kin(t, i)):
            begin = i
            while t.gap[begin] == " " and t.words[begin - 1].lower() in _COLOURS:
                begin -= 1
            yield t.candidate(begin, i + 1, types.DEMOGRAPHIC, "group", 0.6)


_COLOURS = {"white", "black", "brown"}
"""What belongs to a word for people behind it: "white male"."""


def _of_disease(t: Text, i: int) -> bool:
    """Is a disease named after word i: "Gaucher disease", "maladie de Gaucher"?"""
    before = i - 2 if t.words[i - 1] in {"de", "d"} else i - 1
    return bool((t.features[i + 1] | t.features[before]) & w.EPONYMOUS)


def _kin(t: Text, i: int) -> bool:
    """Is "fille" at i somebody's daughter, "femme" somebody's wife?"""
    if w.KEYS[t.words[i]] not in _RELATIVES or not t.words[i - 1]:
        return False
    of, whose = t.words[i + 1], sum(t.features[i + 2 : i + 3])
    named = of in {"de", "d"} and whose & (w.CAP | w.LABEL)
    return bool(t.words[i - 1].lower() in _WHOSE or of == "du" or named)


_RELATIVES = {"fille", "garcon", "femme", "veuve", "veuf", "frau", "boy", "girl"}
_WHOSE = frozenset(words("context")["whose"])
