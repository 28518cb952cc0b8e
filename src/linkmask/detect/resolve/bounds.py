"""Decides how long a value may be: cuts a span that is too long.

A span can reach as far as the text does if the text repeats one thing. No value that identifies
somebody is that long, and a search for one would take time quadratic in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkmask.detect.candidates import Candidate
from linkmask.schema import words

_WORD = re.compile(r"[^\W_]++")
"""A span is cut between two words, and what lies between the two is left out."""


def longest(entity_type: str) -> int:
    """Return how many characters a value of a type may have."""
    lengths = words("longest")
    return int(lengths.get(entity_type, lengths["other"]))


def bounded(text: str, spans: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the spans; one that is too long is cut into pieces of whole words.

    A single word that is too long is left out. The result is disjoint and sorted by start if the
    spans are.
    """
    for one in spans:
        most = longest(one.type)
        if one.end - one.start <= most:
            yield one
        else:
            yield from _pieces(text, one, most)


def _pieces(text: str, one: Candidate, most: int) -> Iterator[Candidate]:
    start = end = -1
    for word in _WORD.finditer(text, one.start, one.end):
        begin, stop = word.span()
        if start >= 0 and stop - start > most:
            yield one._replace(start=start, end=end)
            start = -1
        if stop - begin <= most:
            start, end = (begin if start < 0 else start), stop
    if start >= 0:
        yield one._replace(start=start, end=end)
