"""Computes how likely the linker is right about masked texts, for an owner of the originals.

A masked text shows less than its original whether its nearest text is about the same person. So
whoever masks can predict the attack better than the attacker can. The linker chooses the nearest of
each masked text; the originals of both, and of third texts that are near to both, give the
probability that this choice is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from linkmask.formulas import document_risks_of, none_masked, rows_of
from linkmask.formulas.link_batches import strengths_of
from linkmask.graph.linkage.features import DENSE, LINKER, ScoredPairs, nearest_texts
from linkmask.graph.linkage.models import LinkModel, adapted, shares
from linkmask.graph.linkage.pairs import products
from linkmask.records import Floats, Incidence, Ints

DIGITS = 12
"""Decimal places of sums that a library adds up in an order of its own."""
Strength = Callable[[Ints, Ints], Floats]
"""Gives the link strength in [0, 1] (formulas.md §6.1) of pairs of originals, by their numbers."""


def strength_between(incidence: Incidence, documents: Sequence[str]) -> Strength:
    """Return what gives the link strength of pairs of documents before masking.

    Args:
        documents: ids; a document that the incidence does not hold is linked to none.
    """
    place = _places(incidence, documents)
    rows, none = rows_of(incidence), none_masked(incidence.n_entities)

    def strength(left: Ints, right: Ints) -> Floats:
        held = (place[left] >= 0) & (place[right] >= 0)
        found = np.zeros(len(left))
        found[held] = strengths_of(rows, none, place[left][held], place[right][held])
        return found

    return strength


def told_by(incidence: Incidence, documents: Sequence[str]) -> Floats:
    """Return how much the values of documents tell before masking: their risk (formulas.md §5.1).

    Args:
        documents: ids; a document that the incidence does not hold tells nothing.
    """
    place = _places(incidence, documents)
    risk = document_risks_of(rows_of(incidence), none_masked(incidence.n_entities))
    return np.where(place >= 0, risk[place], 0.0) if len(risk) else np.zeros(len(place))


def _places(incidence: Incidence, documents: Sequence[str]) -> Ints:
    number = {name: place for place, name in enumerate(incidence.documents)}
    return np.array([number.get(name, -1) for name in documents], dtype=np.int32)


def foreseen_probability(
    model: LinkModel,
    masked: ScoredPairs,
    originals: ScoredPairs,
    strength: Strength,
    another: Floats,
) -> Floats:
    """Return for each text the probability that its nearest after masking is its person's.

    It is 0 for a text that is compared with none, and for one of whose nearest the originals say
    nothing. It is adapted to the corpus by one spread of the model at most, so that no single text
    is said to be safe because many others are.

    Args:
        masked, originals: the pairs of the same texts that are compared, as they are released and
            as they were.
        strength: of the links between the originals.
        another: the probability of each text that its person has another.
    """
    nearest = {LINKER: nearest_texts(masked)}
    return foreseen_by_attacker(model, nearest, originals, strength, another)[LINKER]


def foreseen_by_attacker(
    model: LinkModel,
    nearest: Mapping[str, Ints],
    originals: ScoredPairs,
    strength: Strength,
    another: Floats,
) -> dict[str, Floats]:
    """Return what `foreseen_probability` returns, for each of some attackers.

    What the originals say of a pair does not depend on who takes its texts for near. So one line,
    fitted to the linker, serves all (`benchmarks/attackers.py` says how well). Corpora differ in
    how much two persons' texts share; so the line weighs how a pair compares with others of its
    texts (`relative_evidence`).

    Args:
        nearest: which masked text each attacker takes for the nearest of each, −1 for none.
    """
    texts = {name: np.flatnonzero(other >= 0).astype(np.int32) for name, other in nearest.items()}
    own = np.concatenate(list(texts.values()))
    other = np.concatenate([nearest[name][some] for name, some in texts.items()])
    pairs = np.minimum(own, other), np.maximum(own, other)
    share, rank = relative_evidence(originals, strength, *pairs, model.link_weight)
    ends = np.cumsum([len(some) for some in texts.values()])
    found = {}
    for (name, some), end in zip(texts.items(), ends.tolist(), strict=True):
        here = slice(end - len(some), end)
        likely = model.known_probability(share[here], rank[here])
        found[name] = np.zeros(originals.texts)
        found[name][some] = adapted(likely, model.known_share, model.known_spread)
        found[name] *= another
    return found


def another_probability(
    model: LinkModel, originals: ScoredPairs, strength: Strength, told: Floats
) -> Floats:
    """Return for each text the probability that its person has another text in the corpus.

    Args:
        originals: the pairs that are compared.
        strength: of the links between them.
        told: how much the values of each text tell.
    """
    strongest, linked = np.zeros(originals.texts), strength(originals.left, originals.right)
    for text in (originals.left, originals.right):
        np.maximum.at(strongest, text, linked)
    return model.another_probability(strongest, told)


def same_person_probability(
    model: LinkModel, originals: ScoredPairs, strength: Strength, another: Floats | None = None
) -> Floats:
    """Return for each pair of originals the probability that both are one person's.

    Args:
        originals: the pairs that are compared.
        strength: of the links between them.
        another: the probability of each text that its person has another; without it, as if all had
            one. The smaller one of both texts counts: one that has no other has none here.
    """
    pairs = originals.left, originals.right
    share, strong = pair_evidence(originals, strength, *pairs, model.link_weight)
    both = model.both_probability(share, strong)
    if another is None:
        return both
    return both * np.minimum(another[originals.left], another[originals.right])


def likeliest_others(pairs: ScoredPairs, probability: Floats, most: int) -> list[dict[int, float]]:
    """Return for each text the others that are most likely about its person, likeliest first.

    Args:
        pairs, probability: the compared pairs, and how likely each is about one person.
        most: number of others of a text.
    """
    text = np.concatenate([pairs.left, pairs.right])
    other = np.concatenate([pairs.right, pairs.left])
    likely = np.tile(np.round(probability, 4), 2)
    order = np.lexsort((other, -likely, text))
    bounds = np.searchsorted(text[order], np.arange(pairs.texts + 1)).tolist()
    first = (order[begin : min(end, begin + most)] for begin, end in pairwise(bounds))
    return [dict(zip(other[at].tolist(), likely[at].tolist(), strict=True)) for at in first]


def evidence(
    masked: ScoredPairs, originals: ScoredPairs, strength: Strength, link_weight: float = 0.0
) -> tuple[Ints, Floats, Floats]:
    """Return masked texts with a nearest text, and the originals' evidence for each pair.

    Returns:
        The texts by number, and of each pair what `relative_evidence` returns.
    """
    other = nearest_texts(masked)
    text = np.flatnonzero(other >= 0).astype(np.int32)
    left, right = np.minimum(text, other[text]), np.maximum(text, other[text])
    return text, *relative_evidence(originals, strength, left, right, link_weight)


def relative_evidence(
    originals: ScoredPairs, strength: Strength, left: Ints, right: Ints, link_weight: float = 0.0
) -> tuple[Floats, Floats]:
    """Return the evidence of `pair_evidence`, with the strength of a link as its rank.

    Where all persons share values, such as a town or an illness, a strong link tells little.

    Returns:
        The logarithm of the shares; and minus the logarithm of the rank that the strength has among
        those of all compared pairs of a text, the mean of both texts: 0 if neither has another as
        strong.
    """
    share, strong = pair_evidence(originals, strength, left, right, link_weight)
    every = _strengths_by_thirds(originals, strength, originals.left, originals.right)
    every, strong = np.round(every, 9), np.round(strong, 9)
    levels = np.unique(np.concatenate([every, strong]))
    texts = np.concatenate([originals.left, originals.right]).astype(np.int64) * len(levels)
    place = np.sort(texts + np.tile(np.searchsorted(levels, every), 2))
    level, logs = np.searchsorted(levels, strong), np.zeros(len(strong))
    for side in (left, right):
        first = side.astype(np.int64) * len(levels)
        last = np.searchsorted(place, first + len(levels))
        logs += np.log(np.maximum(last - np.searchsorted(place, first + level), 1)) / 2
    return share, -logs


def pair_evidence(
    originals: ScoredPairs, strength: Strength, left: Ints, right: Ints, link_weight: float = 0.0
) -> tuple[Floats, Floats]:
    """Return the evidence of the originals that both texts of a pair are about one person.

    It comes from the two texts and from all third texts: for each of these, the value of its pair
    with the one is multiplied by that with the other, and the products are summed. left < right.

    Args:
        link_weight: weight of the link strength in the scores of which shares are, so that a third
            text may share words with the one and values with the other.

    Returns:
        The logarithm of the shares (a random walk of one or two steps by the geometric mean of
        `model.shares`; −inf if no walk leads there); and the strengths of links, 1 − (1 − s) ·
        exp(−Σ s₁ · s₂), in [0, 1].
    """
    linked = strength(originals.left, originals.right)
    scores = np.round(originals.scores + link_weight * linked, 9)
    step = np.exp(shares(originals._replace(scores=scores)).mean(axis=0))
    walked = _value_of(originals, step, left, right) + _by_a_third(originals, step, left, right)
    with np.errstate(divide="ignore"):
        return np.log(walked), _strengths_by_thirds(originals, strength, left, right)


def _strengths_by_thirds(
    originals: ScoredPairs, strength: Strength, left: Ints, right: Ints
) -> Floats:
    linked = strength(originals.left, originals.right)
    third = _by_a_third(originals, linked, left, right)
    return np.asarray(1 - (1 - strength(left, right)) * np.exp(-third))


def _by_a_third(pairs: ScoredPairs, value: Floats, left: Ints, right: Ints) -> Floats:
    """Return the sum over third texts of the products of their values with both of each pair."""
    from scipy.sparse import csr_array

    some = value > 0
    sides = pairs.left[some], pairs.right[some]
    at = np.concatenate(sides), np.concatenate(sides[::-1])
    rows = csr_array((np.tile(value[some], 2), at), shape=(pairs.texts, pairs.texts))
    if pairs.texts <= DENSE and len(left) > pairs.texts:
        whole = rows.toarray()
        return np.asarray(np.round((whole @ whole)[left, right], DIGITS))
    return products(rows, left, right)


def found_pairs(nearest: Ints, found: Floats) -> ScoredPairs:
    """Return the pairs of a text and its nearest, each once, with their probability as score.

    Args:
        nearest: of each text, −1 for none.
        found: the probability of each text that its nearest is its person's; of two texts that are
            each other's nearest, the larger counts.
    """
    texts, text = len(nearest), np.flatnonzero(nearest >= 0).astype(np.int32)
    left, right = np.minimum(text, nearest[text]), np.maximum(text, nearest[text])
    key, place = np.unique(left.astype(np.int64) * texts + right, return_inverse=True)
    probability = np.zeros(len(key))
    np.maximum.at(probability, place, found[text])
    left, right = (end.astype(np.int32) for end in np.divmod(key, texts))
    return ScoredPairs(left, right, probability, texts)


def _value_of(pairs: ScoredPairs, value: Floats, left: Ints, right: Ints) -> Floats:
    """Return the values of some pairs, left < right; 0 for one that is not compared."""
    key = pairs.left.astype(np.int64) * pairs.texts + pairs.right
    asked = left.astype(np.int64) * pairs.texts + right
    if not len(key):
        return np.zeros(len(asked))
    order = np.argsort(key, kind="stable")
    at = order[np.minimum(np.searchsorted(key[order], asked), len(key) - 1)]
    return np.where(key[at] == asked, value[at], 0.0)
