"""Fits the weights of the linker: those of features, and the lines from scores to log-odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize
from training.linker_corpora import Read, own_of, scored, silent, strength_of

from linkmask.graph.linkage.models import LinkModel, nearest_of, shares
from linkmask.graph.linkage.outcome import evidence, pair_evidence
from linkmask.records import Flags, Floats
from linkmask.testbench.ranking import Ranking

PENALTY = 0.01
FAR = 30.0
"""Log-odds beyond which no shift is looked for."""
Bounds = Sequence[tuple[float | None, float | None]]
Points = tuple[Floats, Floats]
"""Rows of 1, score and share; and for each, 1 or a share where it is so, else 0."""
SHARED: Bounds = ((None, None), (0, None), (1, 1))
"""Weights of 1, score and share: the last is 1, so that twice the texts are half the odds."""
KNOWN: Bounds = ((None, None), (0, None), (0, None))
"""Weights of 1, share and link strength, or the rank of that."""
LINK_WEIGHTS = range(0, 22, 2)
"""Weights of link strength in the score of originals, of which one is chosen."""
ANOTHER: Bounds = ((1, 1), (None, None), (0, None))
"""Weights of the usual log-odds, of how much values tell, and of that times the strongest link."""


def scale_of(corpora: Sequence[Read]) -> Floats:
    """Return the standard deviation of each feature."""
    spread = np.concatenate([one.pairs.features for one in corpora]).std(axis=0)
    return np.where(spread < 1e-9, 1, spread)


def fit_ranking(corpora: Sequence[Read], start: Floats | None = None) -> Floats:
    """Return the weights under which a text's nearest is most likely its person's.

    Args:
        start: weights that are nearly so, from which few rounds suffice.
    """
    scale = scale_of(corpora)
    parts = [_by_text(one, scale) for one in corpora]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros(len(weights))
        for features, number, mine in parts:
            score = (features @ weights)[number]
            np.copyto(score, -np.inf, where=number < 0)
            every = np.exp(score - score.max(axis=1, keepdims=True))
            own = np.where(mine, every, 0)
            share = every / every.sum(axis=1, keepdims=True)
            own_share = own / own.sum(axis=1, keepdims=True)
            total -= np.log(own.sum(axis=1) / every.sum(axis=1)).mean() / len(parts)
            pull = (share - own_share) / len(score) / len(parts)
            slope += np.bincount(number[number >= 0], pull[number >= 0], len(features)) @ features
        return total + PENALTY * weights @ weights / 2, slope + PENALTY * weights

    begin, rounds = (np.zeros(len(scale)), 300) if start is None else (start * scale, 40)
    return minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": rounds}).x / scale


def _by_text(one: Read, scale: Floats) -> tuple[Floats, Floats, Flags]:
    """Return features; for each text that has another the numbers of its pairs; which fit."""
    n = one.pairs.texts
    number = np.full((n, n), -1)
    number[one.pairs.left, one.pairs.right] = number[one.pairs.right, one.pairs.left] = np.arange(
        len(one.same)
    )
    person = np.array(one.person)
    mine = (person[:, None] == person[None, :]) & (number >= 0)
    some = mine.any(axis=1)
    return one.pairs.features / scale, number[some], mine[some]


def fit_by_texts(
    model: LinkModel, read: Sequence[Read], without: Mapping[str, Floats]
) -> LinkModel:
    """Return a model with the weights that are fitted to the texts of all corpora.

    Args:
        model: what the other weights are taken from.
        without: for each corpus, the weights of features that were learned without it.
    """
    quiet = [points_of(silent(one), without[one.name]) for one in read]
    found = [points_of(one, without[one.name]) for one in read]
    texts, silences = ([one for _, one in some] for some in (found, quiet))
    of_pairs = [both_points(one, without[one.name]) for one in read if one.way == "std"]
    return model._replace(
        weights=fit_ranking(read),
        pair=fit_line([[one for one, _ in found + quiet]], SHARED),
        text=fit_line([texts + silences], SHARED),
        apart=fit_line([of_pairs], KNOWN),
        text_spread=spread_of([one.name for one in read], texts, SHARED, silences),
    )


def fit_both(model: LinkModel, originals: Sequence[Read]) -> LinkModel:
    """Return a model that says which originals are one person's, learned from originals alone.

    The weight of link strength in scores is that by which corpora that were left out are told
    best, by the mean AUC of their pairs.
    """
    rest = {one.name: [other for other in originals if other is not one] for one in originals}
    without = {name: fit_ranking(others) for name, others in rest.items()}

    def points(weight: float) -> dict[str, Points]:
        return {one.name: both_points(one, without[one.name], weight) for one in originals}

    def told(found: Mapping[str, Points]) -> float:
        areas = []
        for one in originals:
            line = fit_line([[found[other.name] for other in rest[one.name]]], KNOWN)
            odds = found[one.name][0] @ line
            areas.append(Ranking(one.pairs.left, one.pairs.right, odds, one.person).auc())
        return float(np.mean([area for area in areas if area is not None]))

    areas = {weight: told(points(weight)) for weight in LINK_WEIGHTS}
    print("weight of link strength: mean AUC of pairs of the originals of left-out corpora")
    print(", ".join(f"{weight}: {area:.4f}" for weight, area in areas.items()))
    best = float(max(areas, key=areas.__getitem__))
    return model._replace(link_weight=best, both=fit_line([list(points(best).values())], KNOWN))


class ByOriginals(NamedTuple):
    """What is fitted to what the originals say; as in `LinkModel`."""

    known: tuple[float, float, float]
    another: tuple[float, float]
    known_spread: float
    known_share: float
    another_share: float


def fit_by_originals(
    every: Sequence[tuple[Read, Read]], points: Sequence[Points], names: Sequence[str]
) -> ByOriginals:
    """Fit what the originals say of some corpora.

    Args:
        every: corpora masked in every way, whole and sparser, each with its originals.
        points: what the originals say of the nearest of each.
        names: those of the corpora that are fitted to.
    """
    known = [
        (one.name, some)
        for (one, _), some in zip(every, points, strict=True)
        if one.name in names and len(some[1])
    ]
    whose, found = [name for name, _ in known], [some for _, some in known]
    originals = [one for one, original in every if one is original and one.name in names]
    share = float(np.mean([(own_of(one.person) > 1).mean() for one in originals]))
    of_another = [another_points(one, share) for one in originals]
    _, none, strongest = fit_line([of_another], ANOTHER)
    spread = spread_of(whose, found, KNOWN)
    usual = float(np.mean([so.mean() for so in (so for _, so in found)]))
    return ByOriginals(fit_line([found], KNOWN), (none, strongest), spread, usual, share)


def fit_line(kinds: Sequence[Sequence[Points]], bounds: Bounds) -> tuple[float, float, float]:
    """Return the weights of three inputs of log-odds.

    Every kind of corpus counts the same, and of one kind every corpus and way.
    """

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros(3)
        for found in kinds:
            for features, so in found:
                odds = features @ weights
                total += (np.logaddexp(0, odds) - so * odds).mean() / len(found)
                slope += (1 / (1 + np.exp(-odds)) - so) @ features / len(so) / len(found)
        return total, slope

    one, first, second = minimize(loss, np.array([0.0, 0.0, 1.0]), jac=True, bounds=bounds).x
    return float(one), float(first), float(second)


def points_of(one: Read, weights: Floats) -> tuple[Points, Points]:
    """Return the points of a corpus's pairs and those of its texts that have another."""
    found = scored(one, weights)
    by_pair = found.scores, shares(found).mean(axis=0)
    by_text = nearest_of(found)
    hit = Ranking(found.left, found.right, found.scores, one.person).hits()
    known = ~np.isnan(hit)
    pairs, texts = (np.stack([np.ones(len(some[0])), *some], axis=1) for some in (by_pair, by_text))
    return (pairs, one.same.astype(float)), (texts[known], hit[known])


def known_points(one: Read, original: Read, weights: Floats, link_weight: float) -> Points:
    """Return what the originals say of each masked text's nearest, and whether it is so."""
    before, after = (scored(some, weights) for some in (original, one))
    text, share, rank = evidence(after, before, strength_of(original), link_weight)
    hit = Ranking(after.left, after.right, after.scores, one.person).hits()[text]
    known = ~np.isnan(hit)
    return _points(share, rank)[known], hit[known]


def both_points(original: Read, weights: Floats, link_weight: float = 0.0) -> Points:
    """Return what the originals say of each pair, and whether both are one person's."""
    before = scored(original, weights)
    pairs = before.left, before.right
    found = pair_evidence(before, strength_of(original), *pairs, link_weight)
    return _points(*found), original.same.astype(float)


def another_points(original: Read, usual: float) -> Points:
    """Return what an original's values say of whether its person has another text.

    Args:
        usual: share of the texts of which this is so.
    """
    strongest = np.zeros(original.pairs.texts)
    for text in original.pairs[:2]:
        np.maximum.at(strongest, text, original.strength)
    odds = np.full(len(strongest), np.log(usual / (1 - usual)))
    rows = np.stack([odds, original.told, original.told * strongest], axis=1)
    return rows, (own_of(original.person) > 1).astype(float)


def _points(share: Floats, link: Floats) -> Floats:
    return np.stack([np.ones(len(share)), share, link], axis=1)


def spread_of(
    names: Sequence[str], found: Sequence[Points], bounds: Bounds, more: Sequence[Points] = ()
) -> float:
    """Return how far the log-odds of corpora lie from a line that was fitted to all others.

    Of every corpus and way it is the shift under which as many are expected as are found; what is
    returned is the root mean square.

    Args:
        names: the corpus of each of those found.
        more: points to which every line is fitted as well.
    """
    shifts = []
    for name in dict.fromkeys(names):
        rest = [one for other, one in zip(names, found, strict=True) if other != name]
        line = np.array(fit_line([[*rest, *more]], bounds))
        mine = (one for other, one in zip(names, found, strict=True) if other == name)
        shifts += [_shift(features @ line, float(so.mean()), len(so)) for features, so in mine]
    return float(np.sqrt(np.mean(np.square(shifts))))


def _shift(odds: Floats, share: float, count: int) -> float:
    """Return what log-odds lack, so that a share is expected; none and all are half of one off."""
    share = min(max(share, 0.5 / count), 1 - 0.5 / count)
    return float(brentq(lambda by: (1 / (1 + np.exp(-(odds + by)))).mean() - share, -FAR, FAR))
