"""Scores pairs of texts by how likely they are one person's, as an attacker would.

This is record linkage on masked texts: `terms` reads their terms, `blocking` chooses the pairs to
compare, `features` compares them (with loops of `pairs`), `model` turns the features into a
probability, and `reasons` lists the terms that explain it. A sentence model (`sentences`) may also
be given.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkmask.graph.linkage import models
from linkmask.graph.linkage.features import Pairs, ScoredPairs, compare, score
from linkmask.graph.linkage.models import LinkModel
from linkmask.graph.linkage.sentences import Embed, vectors_of
from linkmask.graph.linkage.terms import Meaning, read

__all__ = ["Embed", "LinkModel", "Pairs", "ScoredPairs", "compare_texts", "models", "score_texts"]


def compare_texts(
    texts: Sequence[str], meaning: Meaning | None = None, embed: Embed | None = None
) -> Pairs:
    """Return the pairs of texts that are compared, with their features.

    Args:
        meaning: gives a word's classes of meaning; without one texts are compared by letters alone.
        embed: gives the vectors of a sentence model, which are compared as well.
    """
    return compare(read(texts, meaning), vectors_of(texts, embed))


def score_texts(
    texts: Sequence[str], meaning: Meaning | None = None, embed: Embed | None = None
) -> ScoredPairs:
    """Return the pairs of texts that are compared, scored by the model of the package.

    Args:
        meaning, embed: as for `compare_texts`.
    """
    model = models.shipped_model(embed is not None)
    return score(read(texts, meaning), model.weights, vectors_of(texts, embed))
