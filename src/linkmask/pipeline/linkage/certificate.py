"""Certifies a release: how often would the linker find another document of a person?

Whoever checks a release does not know the persons, so the success is estimated by the linker's
calibrated probabilities (docs/linkage.md says how good they are). Whoever masks also has the
originals, and estimates from them whether a document's person has another one, and whether the
nearest is about the same person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Embed, ScoredPairs, models, score_texts
from linkmask.graph.linkage.features import score
from linkmask.graph.linkage.outcome import (
    another_probability,
    foreseen_probability,
    found_pairs,
    likeliest_others,
    nearest_texts,
    probability_by_nearest,
    same_person_probability,
    strength_between,
    told_by,
)
from linkmask.graph.linkage.reasons import likeliest_pairs
from linkmask.graph.linkage.sentences import vectors_of
from linkmask.graph.linkage.terms import read
from linkmask.pipeline.linkage.related_documents import ENOUGH, LIKELY
from linkmask.records import Document, Floats, Incidence, Ints

OTHERS = 5
"""Others that are kept of each document: those with which it is most likely one person's."""
LISTED = 20
"""Pairs that are listed, of those that the linker finds and that are likely one person's."""
NORMAL_95 = 1.96
"""Standard errors on either side of a mean that hold 95 % of what is drawn normally."""


def everything_read(document: Document) -> str:
    """Return all that a document says, as an attacker reads it: its texts and its metadata."""
    return "\n\n".join(text for _, text in document.every_field() if text)


class BothTexts(NamedTuple):
    """All that a document says, and all that its release says."""

    original: str
    released: str


class Owner:
    """What the owner of originals knows, and foresees by it of masked texts.

    Args:
        originals: two or more.
        incidence, names: of the corpus, and the ids of the documents with these originals.
        embed: as for `certificate`.
    """

    def __init__(
        self,
        originals: Sequence[str],
        incidence: Incidence,
        names: Sequence[str],
        embed: Embed | None,
    ) -> None:
        self.model = models.shipped_model(embed is not None)
        self.before = score_texts(originals, clusters.names, embed)
        self._between = strength_between(incidence, names)
        self._of_compared = self._between(self.before.left, self.before.right)
        told = told_by(incidence, names)
        self.another = another_probability(self.model, self.before, self.strength, told)

    def strength(self, left: Ints, right: Ints) -> Floats:
        """Return strengths; those of all compared pairs are asked for again and again."""
        return self._of_compared if left is self.before.left else self._between(left, right)

    def foreseen(self, masked: ScoredPairs) -> Floats:
        """Return how likely the nearest of each masked text is its person's."""
        known = self.before, self.strength, self.another
        return foreseen_probability(self.model, masked, *known)

    def by_nearest(self, masked: ScoredPairs) -> tuple[Floats, Floats]:
        """Return how likely it would be if either text of a pair were the other's nearest."""
        known = self.before, self.strength, self.another
        return probability_by_nearest(self.model, masked, *known)


def not_measured(settings: Settings, documents: int) -> str:
    """Say why the linker does not attack the release of a corpus; "" where it does."""
    if settings.linking_limit < 1:
        return "there is no second document" if documents < 2 else ""
    if documents < ENOUGH:
        return f"this takes {ENOUGH} documents"
    if documents > settings.measure_up_to:
        return f"there are more documents than measure_up_to, {settings.measure_up_to:,}"
    return ""


def released_certificate(
    texts: Mapping[str, BothTexts], incidence: Incidence, most: float, embed: Embed | None = None
) -> dict[str, Any]:
    """Return what the linker would find in a release, as its originals foresee it.

    Args:
        texts: of each released document, by id; two or more.
        incidence: of the corpus.
        most, embed: as for `certificate`.

    Returns:
        What `certificate` returns, its probabilities those of all documents, also of those whose
        person has no other; `another`, the share of documents whose person has another, as it is
        estimated; `before`, the mean and the interval that the originals would have, if they were
        released; `likely`, how many pairs of a document and its nearest are one person's with
        probability `LIKELY`, of which `likeliest` has the first; and `others`: of each text, by the
        originals, the numbers of those with which it is most likely one person's, and how likely.
    """
    originals, released = zip(*texts.values(), strict=True)
    owner = Owner(originals, incidence, list(texts), embed)
    both = same_person_probability(owner.model, owner.before, owner.strength, owner.another)
    found = certificate(released, most, LISTED, owner.foreseen, embed)
    return found | {
        "another": round(float(owner.another.mean()), 4),
        "before": _expected(owner.foreseen(owner.before), owner.model.known_spread),
        "others": likeliest_others(owner.before, both, OTHERS),
    }


def certificate(
    texts: Sequence[str],
    most: float,
    likely: int = 0,
    known: Callable[[ScoredPairs], Floats] | None = None,
    embed: Embed | None = None,
) -> dict[str, Any]:
    """Return what the linker would find in masked texts, two or more.

    Args:
        likely: pairs of texts to name, the likeliest first, with what says that they are one
            person's. They hold words of the texts. With `known`, they are pairs of a text and its
            nearest, and none is less likely than `LIKELY`.
        most: limit in [0, 1] for the probability that a text's nearest is its person's.
        known: gives that probability by the originals, where they are at hand.
        embed: gives the vectors of a sentence model, by which the linker compares texts as well.

    Returns:
        `documents`, how many there are; `expected`, the mean probability that a document's nearest
        is its person's (without `known`, for a person who has another), and `interval`, the 95 %
        interval of the share of documents of which this is so (`interval_of`); `largest`, the
        largest; `over`, how many are above `limit`; `fewest`, among how many persons the least
        hidden one is hidden, 1 / `largest`; `by_text`, the probability of each; `nearest`, the
        number of each text's nearest, −1 for none; `by_originals`, whether the originals were at
        hand; `sentences`, whether the linker had a sentence model; `learned_from`, what the linker
        has seen;
        `likeliest`, the pairs asked for.
    """
    model, terms = models.shipped_model(embed is not None), read(texts, clusters.names)
    pairs = score(terms, model.weights, vectors_of(texts, embed))
    found = known(pairs) if known else model.found(pairs)
    spread = model.known_spread if known else model.text_spread
    stated = _stated(found, spread, most, model, embed is not None)
    stated |= {"nearest": nearest_texts(pairs).tolist(), "by_originals": known is not None}
    if known:
        pairs = found_pairs(pairs, found)
        stated["likely"] = int(np.count_nonzero(pairs.scores >= LIKELY))
    if likely:
        sure = pairs.scores if known else model.probabilities(pairs)
        many = min(likely, stated.get("likely", likely))
        stated["likeliest"] = likeliest_pairs(terms, pairs, sure, many)
    return stated


def certificate_against(
    texts: Sequence[str], public: Sequence[str], most: float, embed: Embed | None = None
) -> dict[str, Any]:
    """Return how often the linker finds, from masked texts, a public text about the same person.

    Args:
        texts, public: one or more of each.
        most, embed: as for `certificate`.

    Returns:
        What `certificate` returns, said of each text's nearest public text, for a person of whom
        there is one; and `public`, how many there are.
    """
    model = models.shipped_model(embed is not None)
    found = found_among(score_texts([*texts, *public], clusters.names, embed), len(texts), model)
    stated = _stated(found, model.text_spread, most, model, embed is not None)
    return stated | {"public": len(public), "by_originals": False}


def found_among(pairs: ScoredPairs, own: int, model: models.LinkModel) -> Floats:
    """Return how likely the nearest public text of each of the first `own` texts is its person's.

    Args:
        pairs: of these texts and the public ones behind them.
    """
    across = (pairs.left < own) & (pairs.right >= own)
    scores = pairs.scores[across]
    kept = ScoredPairs(pairs.left[across], pairs.right[across], scores, pairs.texts)
    return model.found(kept)[:own]


def _stated(
    found: Floats, spread: float, most: float, model: models.LinkModel, sentences: bool
) -> dict[str, Any]:
    """Return what a certificate states of the probabilities of texts."""
    largest = float(found.max())
    return {
        "documents": len(found),
        **_expected(found, spread),
        "largest": round(largest, 4),
        "limit": most,
        "over": int(np.count_nonzero(found > most)),
        "fewest": round(1 / largest, 1) if largest else None,
        "by_text": [round(one, 4) for one in found.tolist()],
        "sentences": sentences,
        "learned_from": list(model.learned_from),
    }


def _expected(found: Floats, spread: float) -> dict[str, Any]:
    """Return the mean of probabilities and its interval, rounded."""
    interval = [round(one, 4) for one in interval_of(found, spread)]
    return {"expected": round(float(found.mean()), 4), "interval": interval}


def interval_of(found: Floats, spread: float) -> tuple[float, float]:
    """Return the 95 % interval of the share of documents whose nearest is their person's.

    It is wide for two reasons, whose squares add up: another corpus may be easier or harder to link
    than those that were learned from, which shifts all log-odds; and few documents are found by
    chance more or less often than their probabilities say.

    Args:
        found: the probability of each document.
        spread: standard deviation of the shift, in log-odds.
    """
    mean, chance = float(found.mean()), float((found * (1 - found)).sum()) / len(found) ** 2
    ends = []
    for sign in (-1, 1):
        shifted = float(models.shifted(found, sign * NORMAL_95 * spread).mean())
        ends.append(mean + sign * np.sqrt((shifted - mean) ** 2 + NORMAL_95**2 * chance))
    return max(0.0, float(ends[0])), min(1.0, float(ends[1]))
