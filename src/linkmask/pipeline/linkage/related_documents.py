"""Tells which documents belong together: by the linker, or by the values that they share.

By linker: two documents are linked, or are probably about one person by their originals, all of
which are compared (`rare_pairs`). One of the two is also among the nearest of the other where rules
have masked (`rare_nearest`). By values: the two share a value that is relevant to a person. In
either case both documents have a value that is relevant to a person, and one that the other lacks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import ScoredPairs, models, score_texts
from linkmask.graph.linkage.outcome import (
    likeliest_others,
    same_person_probability,
    strength_between,
)
from linkmask.graph.links import find_links
from linkmask.graph.sharing import share_a_value, tell_of_a_person
from linkmask.pipeline.linkage.embedding import sentence_model
from linkmask.pipeline.linkage.readable_words import left_by_rules
from linkmask.pipeline.linkage.shared_words import BelongTogether
from linkmask.records import Document, Flags, Floats, Incidence, Ints, Mention

LIKELY = 0.5
"""Probability from which two originals are taken for one person's."""
ENOUGH = 20
"""Documents of a corpus from which the linker is asked where no setting names it. The probability
rises with the share of a pair among those of a document, and of few pairs each has a large one."""


class ComparedText(NamedTuple):
    """What the linker compares of a document: the original, and what rules leave of it."""

    original: str
    left: str


def compared_text(
    document: Document, mentions: Sequence[Mention], settings: Settings
) -> ComparedText:
    """Return what the linker compares of a document; what is left only if it is asked for."""
    readable = left_by_rules(document, mentions, settings) if settings.rare_nearest else ()
    return ComparedText(document.text, "\n".join(text for _, text in readable))


def belong_together(
    number: Sequence[int], incidence: Incidence, settings: Settings, texts: Sequence[ComparedText]
) -> BelongTogether:
    """Return what tells which pairs of documents belong together."""
    few = settings.rare_pairs == "auto" and incidence.n_documents < ENOUGH
    if few or len(number) < 2 or not settings.asks_linker:
        return lambda a, b: share_a_value(incidence, a, b, settings.link_contained)
    many = incidence.n_documents

    def together(a: Ints, b: Ints) -> Flags:
        tell = tell_of_a_person(incidence, a, b, settings.link_contained)
        pairs = a.astype(np.int64) * many + b
        asked = frozenset(pairs[tell].tolist())
        keys = np.zeros(0, np.int64)
        if asked:  # else the linker need not be
            linked = _linked_pairs(asked, number, incidence, settings, texts)
            keys = np.array(sorted(linked), np.int64)
        return np.isin(pairs, keys) & tell

    return together


def _linked_pairs(
    asked: Container[int],
    number: Sequence[int],
    incidence: Incidence,
    settings: Settings,
    texts: Sequence[ComparedText],
) -> set[int]:
    """Return which of some pairs of documents are linked and near.

    A pair is given as smaller number × documents + other.
    """

    def key(a: int, b: int) -> int:
        low, high = sorted((number[a], number[b]))
        return low * incidence.n_documents + high

    found = linked_documents(incidence.part(number), [one.original for one in texts], settings)
    every = ((a, b) for a, others in found.items() for b in others)
    linked = [(a, b) for a, b in every if key(a, b) in asked]
    near = _nearest([one.left for one in texts], settings) if linked else None
    return {key(a, b) for a, b in linked if near is None or b in near[a] or a in near[b]}


def linked_documents(
    incidence: Incidence, texts: Sequence[str], settings: Settings
) -> defaultdict[int, set[int]]:
    """Return for each document, by number, the later ones that are linked to it.

    They are linked by their values, or are probably about one person by the originals.

    Args:
        incidence: of the documents with these texts, in the same order.
    """
    linked: defaultdict[int, set[int]] = defaultdict(set)
    if len(texts) < 2:
        return linked
    pairs, links = _compared(texts, settings), find_links(incidence, settings)
    strength = strength_between(incidence, incidence.documents)
    linker = models.shipped_model(bool(settings.sentence_model)).words_and_links_apart
    likely = same_person_probability(linker, pairs, strength) >= LIKELY
    for left, right in ((pairs.left[likely], pairs.right[likely]), (links.left, links.right)):
        for one, other in zip(left.tolist(), right.tolist(), strict=True):
            linked[one].add(other)
    return linked


def _nearest(texts: Sequence[str], settings: Settings) -> Sequence[Container[int]] | None:
    """Return by text which others the linker finds nearest; None if any may be far."""
    if not settings.rare_nearest:
        return None
    pairs = _compared(texts, settings)
    return likeliest_others(pairs, pairs.scores, settings.rare_nearest)


def _compared(texts: Sequence[str], settings: Settings) -> ScoredPairs:
    """Return the pairs of texts, scored by the linker, which may have a sentence model."""
    model = sentence_model(settings)
    return score_texts(texts, clusters.names, model.embed if model else None)


def numbers_in(incidence: Incidence, names: Iterable[str]) -> list[int]:
    """Return the numbers that documents have in an incidence."""
    number = {name: n for n, name in enumerate(incidence.documents)}
    return [number[name] for name in names]


def mean_relevance(incidence: Incidence) -> Floats:
    """Return how much each document reveals about a person: the mean relevance of its values."""
    document = incidence.document
    total = np.bincount(document, incidence.relevance, incidence.n_documents)
    return np.round(total / np.maximum(1, np.diff(incidence.start)), 6)
