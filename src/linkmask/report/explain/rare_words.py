"""Finds readable values that are masked in some documents after all: by the rare words in them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from linkmask.records import Mention, entity_id
from linkmask.schema import RARE_TERM

Mentioned = tuple[str, str]
"""Entity and document, by id."""


def under_rare_words(mentions: Iterable[Mention], separator: str) -> Mapping[str, set[str]]:
    """Return by entity the documents in which a rare word covers a part of each of its mentions.

    `mentions`: those of a run, document by document. A rare term is masked wherever it is found.
    """
    covered, readable = set[Mentioned](), set[Mentioned]()
    for document, found in groupby(mentions, key=lambda mention: mention.document):
        for mention, over in _with_rare_words(list(found)):
            entity = entity_id(mention.value, mention.type, separator)
            (covered if over else readable).add((entity, document))
    where: dict[str, set[str]] = {}
    for entity, document in covered - readable:
        where.setdefault(entity, set()).add(document)
    return where


def _with_rare_words(mentions: list[Mention]) -> Iterator[tuple[Mention, bool]]:
    """Yield a document's other mentions, each with whether a rare word covers a part of it."""
    rare: dict[str, list[tuple[int, int]]] = {}
    for one in mentions:
        if one.type == RARE_TERM:
            rare.setdefault(one.field, []).append((one.start, one.end))
    for spans in rare.values():
        spans.sort()
    for one in mentions:
        if one.type != RARE_TERM:
            spans = rare.get(one.field, [])
            before = bisect_left(spans, (one.end,)) - 1  # rare words do not overlap
            yield one, before >= 0 and spans[before][1] > one.start
