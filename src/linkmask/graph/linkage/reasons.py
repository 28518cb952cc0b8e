"""Lists why two texts may be one person's: the terms they share and few others hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from linkmask.graph.linkage.features import ScoredPairs, holders
from linkmask.graph.linkage.terms import CorpusTerms
from linkmask.records import Floats, Ints

KINDS = ("date", "month", "code", "name", "word", "phrase")
"""Kinds of term that a reader understands, the most informative first."""
MOST = 5
"""Largest number of terms that are listed for a pair."""


class SharedTerm(NamedTuple):
    """A term that two texts share: its kind, the term, and how many texts hold it."""

    kind: str
    term: str
    holders: int


class LikelyPair(NamedTuple):
    """Two texts by number, the probability that both are one person's, and the terms they share."""

    left: int
    right: int
    probability: float
    shared: Sequence[SharedTerm]


def likeliest_pairs(
    terms: CorpusTerms, pairs: ScoredPairs, probability: Floats, count: int
) -> list[LikelyPair]:
    """Return the pairs that are most likely one person's, with shared terms, the likeliest first.

    Args:
        terms: of the texts.
        pairs, probability: the pairs of the texts that were compared, and how likely each is.
        count: of pairs to return.
    """
    order = np.lexsort((pairs.right, pairs.left, -probability))[:count]
    rows = [(int(pairs.left[at]), int(pairs.right[at])) for at in order]
    found = zip(rows, order, shared_terms(terms, rows), strict=True)
    return [LikelyPair(*pair, float(probability[at]), shared) for pair, at, shared in found]


def shared_terms(
    terms: CorpusTerms, pairs: Iterable[tuple[int, int]]
) -> list[Sequence[SharedTerm]]:
    """Return for each pair of texts, by number, up to `MOST` terms that both hold, rarest first."""
    counts = {kind: terms.counts(kind) for kind in KINDS}
    held = {kind: holders(rows) for kind, rows in counts.items()}
    return [
        _telling(_common(terms, counts, held, left, right), terms.texts) for left, right in pairs
    ]


def held_terms(terms: CorpusTerms, text: int) -> set[tuple[str, str]]:
    """Return kind and term of all that a text holds, of the kinds that a reader understands."""
    return {
        (kind, terms.term(kind, column))
        for kind in KINDS
        for column in terms.counts(kind)[[text]].indices.tolist()
    }


def _common(
    terms: CorpusTerms, counts: Mapping[str, Any], held: Mapping[str, Ints], left: int, right: int
) -> list[SharedTerm]:
    """Return the terms that two texts share."""
    return [
        SharedTerm(kind, terms.term(kind, column), int(held[kind][column]))
        for kind, rows in counts.items()
        for column in np.intersect1d(rows[[left]].indices, rows[[right]].indices).tolist()
    ]


def _telling(common: Sequence[SharedTerm], texts: int) -> list[SharedTerm]:
    """Return the rarest of the terms that two texts share, none that half of all texts hold.

    A word that is listed as a date, a code or a name is not listed again, nor a phrase with such a
    word.
    """
    told: list[SharedTerm] = []
    words: set[str] = set()
    rank = {kind: place for place, kind in enumerate(KINDS)}
    for one in sorted(common, key=lambda one: (one.holders, rank[one.kind], one.term)):
        own = set(one.term.split())
        if len(told) == MOST or 2 * one.holders > max(texts, 4):
            break
        if not own & words:
            told.append(one)
            words |= own
    return told
