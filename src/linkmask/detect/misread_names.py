"""Corrects names of persons that the tagger took for a place or an organization.

Of "Zelko Morvel" the tagger may make an organization although the text names Morvel elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.resolve import LEARNED
from linkmask.schema import expression, types, types_of

_WORD = re.compile(r"[^\W\d_]+(?:[-'’](?![sS]\b)[^\W\d_]+)*")
_PLACED = re.compile(expression("misread_names_placed"), re.IGNORECASE)
"""Behind what a word is a place, whoever is named like it."""
_HEADS = w.PRACTICE | w.EITHER | w.INSTITUTION | w.ORGANIZATION | w.HEALTH | w.PLACE_HEAD
"""Words that an organization's name begins with: "Hôpital Georges-Pompidou"."""
_NAME = w.GIVEN | w.SURNAME | w.PARTICLE
_SHAPE = w.CAP | w.UPPER | w.PHRASE | w.WORK | w.SURNAME
"""What an unknown word and a surname have: no other list."""
_MOST = 3
"""Words of a name with one more, at most."""
_TAKEN_FOR = types_of("place", "organization")


def with_misread_names(text: str, spans: Sequence[Candidate]) -> list[Candidate]:
    """Return the disjoint spans; one of the tagger that extends a name of the text is a NAME."""
    names = (one for one in spans if one.type == types.NAME)
    parts = {word for one in names for word in _WORD.findall(text, one.start, one.end)}
    parts = {word for word in parts if not w.MARKS[word] & ~(_NAME | _SHAPE)}
    if not parts:
        return list(spans)
    return [
        one._replace(type=types.NAME, rule="name")
        if one.detector == LEARNED and one.type in _TAKEN_FOR and _extends(text, one, parts)
        else one
        for one in spans
    ]


def _extends(text: str, one: Candidate, parts: set[str]) -> bool:
    """Is it a name with one word more, which is nothing else: Zelko Morvel for Morvel?"""
    words = _WORD.findall(text, one.start, one.end)
    more = [w.MARKS[word] for word in words if word not in parts]
    if not 1 < len(words) <= _MOST or len(more) > 1 or len(more) == len(words):
        return False
    before = _WORD.findall(text[max(one.start - 24, 0) : one.start])
    if before and w.MARKS[before[-1]] & _HEADS:
        return False
    if _PLACED.search(text, max(one.start - 12, 0), one.start):
        return False
    plain = all(m & w.GIVEN or not m & ~_SHAPE for m in more)
    return plain and text[one.start : one.end].replace("'", " ").split() == words
