"""What says that two texts are one person's: the terms that they share and few others hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from linkmask.graph.linkage.features import Pairs
from linkmask.graph.linkage.terms import DocumentTerms, read
from linkmask.records import Floats

KINDS = ("date", "month", "code", "name", "word", "phrase")
"""Kinds of term that a reader understands, the most telling first."""
MOST = 5
"""Terms that are told of a pair."""


class SharedTerm(NamedTuple):
    """A term that two texts share: its kind, the term, and how many texts hold it."""

    kind: str
    term: str
    holders: int


class LikelyPair(NamedTuple):
    """Two texts by number, the probability that both are one person's, and what says so."""

    left: int
    right: int
    probability: float
    shared: Sequence[SharedTerm]


def likeliest(
    texts: Sequence[str], pairs: Pairs, probability: Floats, count: int
) -> list[LikelyPair]:
    """Return the pairs that are most likely one person's, with what says so, by falling likelihood.

    Args:
        pairs, probability: the pairs of the texts that were compared, and how likely each is.
        count: of pairs to return.
    """
    order = np.lexsort((pairs.right, pairs.left, -probability))[:count]
    rows = [(int(pairs.left[at]), int(pairs.right[at]), float(probability[at])) for at in order]
    wanted = {number for left, right, _ in rows for number in (left, right)}
    terms = {number: read(texts[number]) for number in sorted(wanted)}
    common = {row[:2]: _common(terms[row[0]], terms[row[1]]) for row in rows}
    holders = _holders(texts, {term for shared in common.values() for term in shared})
    return [LikelyPair(*row, _telling(common[row[:2]], holders, len(texts))) for row in rows]


Term = tuple[str, str]
"""Kind and term."""


def _common(one: DocumentTerms, other: DocumentTerms) -> set[Term]:
    return {
        (kind, term)
        for kind in KINDS
        for term in one.counts[kind].keys() & other.counts[kind].keys()
    }


def _holders(texts: Sequence[str], terms: set[Term]) -> dict[Term, int]:
    """Return how many texts hold each of some terms."""
    holders = dict.fromkeys(terms, 0)
    for text in texts:
        counts = read(text).counts
        for kind in KINDS:
            for term in counts[kind]:
                if (kind, term) in holders:
                    holders[kind, term] += 1
    return holders


def _telling(common: set[Term], holders: dict[Term, int], texts: int) -> list[SharedTerm]:
    """Return the rarest of the terms that two texts share, none that half of all texts hold.

    A word that is told as a date, a code or a name is not told again, nor is a phrase one of whose
    words is.
    """
    told: list[SharedTerm] = []
    words: set[str] = set()
    rank = {kind: place for place, kind in enumerate(KINDS)}
    for kind, term in sorted(common, key=lambda one: (holders[one], rank[one[0]], one[1])):
        own = set(term.split())
        if len(told) == MOST or 2 * holders[kind, term] > max(texts, 4):
            break
        if not own & words:
            told.append(SharedTerm(kind, term, holders[kind, term]))
            words |= own
    return told
