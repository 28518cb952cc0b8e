"""Computes whom the linker finds in masked texts, for an owner who also holds the originals.

A masked text no longer says whether its nearest is its person's; the originals of both mostly do.
So whoever masks foresees the attack better than the attacker: the linker reads the masked texts and
chooses the nearest of each, and the originals say how likely that choice is right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkmask.graph.linkage.features import ScoredPairs
from linkmask.graph.linkage.model import LinkModel, shares
from linkmask.records import Floats, Ints

Strength = Callable[[Ints, Ints], Floats]
"""Gives the link strength in [0, 1] (formulas.md §6.1) of pairs of originals, by their numbers."""


def foreseen_probability(
    model: LinkModel, masked: ScoredPairs, originals: ScoredPairs, strength: Strength
) -> Floats:
    """Return for each text the probability that its nearest after masking is its person's.

    It holds for a text whose person has another. It is 0 for a text that is compared with none, and
    for one whose nearest its original is not compared with.

    Args:
        masked, originals: the pairs of the same texts that are compared, as they are released and
            as they were.
        strength: of the links between the originals.
    """
    text, share, strong = evidence(masked, originals, strength)
    found = np.zeros(masked.texts)
    found[text] = model.known_probability(share, strong)
    return found


def evidence(
    masked: ScoredPairs, originals: ScoredPairs, strength: Strength
) -> tuple[Ints, Floats, Floats]:
    """Return masked texts with a nearest text, and the originals' evidence for each pair.

    Returns:
        The texts by number, the pair's log share among the originals, and its link strength.
    """
    other = nearest_texts(masked)
    text = np.flatnonzero(other >= 0).astype(np.int32)
    left, right = np.minimum(text, other[text]), np.maximum(text, other[text])
    return text, share_of(originals, left, right), strength(left, right)


def nearest_texts(pairs: ScoredPairs) -> Ints:
    """Return the nearest of each text, the lowest of equals; −1 for one compared with none."""
    text = np.concatenate([pairs.left, pairs.right])
    other = np.concatenate([pairs.right, pairs.left])
    order = np.lexsort((other, -np.tile(pairs.scores, 2), text))
    first = np.searchsorted(text[order], np.arange(pairs.texts))
    found = np.full(pairs.texts, -1, dtype=np.int32)
    some = np.unique(text)
    found[some] = other[order][first[some]]
    return found


def share_of(pairs: ScoredPairs, left: Ints, right: Ints) -> Floats:
    """Return the logarithm of the mean share of some pairs, left < right; −inf if not compared.

    The shares are those of `model.shares`: among the pairs of the left text, and of the right.
    """
    key = pairs.left.astype(np.int64) * pairs.texts + pairs.right
    asked = left.astype(np.int64) * pairs.texts + right
    if not len(key):
        return np.full(len(asked), -np.inf)
    order = np.argsort(key, kind="stable")
    at = order[np.minimum(np.searchsorted(key[order], asked), len(key) - 1)]
    return np.where(key[at] == asked, shares(pairs).mean(axis=0)[at], -np.inf)
