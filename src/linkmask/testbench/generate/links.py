"""Finds which documents of a cluster share values of its person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

Place = tuple[int, int, str, int]
"""Start, end (half-open), type, and the number of the cluster whose person is meant."""

Mentioned = tuple[str, str, Sequence[Place]]
"""A document's id, its content, and where values stand in it."""

Pair = tuple[str, str]
"""Ids of two documents, in order."""

Holders = dict[tuple[int, str, str], list[str]]
"""Person, type and value (case folded) → the documents that hold it."""


def holders(documents: Iterable[Mentioned]) -> Holders:
    """Return which documents hold each value of each person."""
    held: Holders = {}
    for document, content, mentions in documents:
        for start, end, kind, whose in mentions:
            of = held.setdefault((whose, kind, content[start:end].casefold()), [])
            if document not in of:
                of.append(document)
    return held


def links(number: int, held: Holders) -> list[Pair]:
    """Return the pairs of documents that share a value of a cluster's person, sorted."""
    pairs = {
        (a, b) if a < b else (b, a)
        for (whose, _, _), documents in held.items()
        if whose == number
        for a, b in combinations(documents, 2)
    }
    return sorted(pairs)
