"""Certifies a release: how often would an attacker find another document of a person?

Nobody lists the persons, so the success of attackers is estimated (docs/linkage.md says how well).
Whoever masks has the originals, and estimates from them whether a document's person has another
one, and whether the text that an attacker takes for the nearest is about the same person. This
holds for any attacker. Whoever has the release alone only has the linker's probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Embed, models
from linkmask.graph.linkage.features import LINKER, attacks, nearest_texts, score
from linkmask.graph.linkage.outcome import (
    another_probability,
    foreseen_by_attacker,
    found_pairs,
    likeliest_others,
    pair_evidence,
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
"""Pairs that are listed, of those that an attacker finds and that are likely one person's."""
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
        terms, vectors = read(originals, clusters.names), vectors_of(originals, embed)
        self.nearest = dict[str, Ints]()
        for name, pairs in attacks(terms, self.model.weights, vectors):
            self.nearest[name] = nearest_texts(pairs)
        self.before = pairs  # the linker is the last
        self._between = strength_between(incidence, names)
        self._of_compared = self._between(self.before.left, self.before.right)
        told = told_by(incidence, names)
        self.another = another_probability(self.model, self.before, self.strength, told)

    def strength(self, left: Ints, right: Ints) -> Floats:
        """Return strengths; those of all compared pairs are asked for again and again."""
        return self._of_compared if left is self.before.left else self._between(left, right)

    def by_attacker(self, nearest: Mapping[str, Ints]) -> dict[str, Floats]:
        """Return how likely the texts that each attacker takes for the nearest are so rightly."""
        known = self.before, self.strength, self.another
        return foreseen_by_attacker(self.model, nearest, *known)

    def known(self, left: Ints, right: Ints) -> Floats:
        """Return how likely it is that one text of a pair is rightly taken for the other's nearest.

        It holds where both have another text of their person; and is not adapted to the corpus.
        """
        evidence = self.before, self.strength, left, right, self.model.link_weight
        return self.model.known_probability(*pair_evidence(*evidence))


def not_measured(settings: Settings, documents: int) -> str:
    """Say why nobody attacks the release of a corpus; "" where somebody does."""
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
    """Return what attackers would find in a release, as its originals foresee it.

    Args:
        texts: of each released document, by id; two or more.
        incidence: of the corpus.
        most, embed: as for `certificate`.

    Returns:
        `attackers`, a row for each, the strongest first: the one who is `expected` to be right most
        often. A row has `attacker`, its name; what `certificate` states of it, its probabilities
        those of all documents, also of those whose person has no other; and `before`, the mean and
        the interval that the originals would have, if they were released. Beside the rows, what the
        first one has, but the largest `before`; and of each document, by the attacker who is most
        likely right about it, the probability as `by_text` and the nearest text as `nearest`, on
        which `largest`, `over` and `fewest` stand. `another`, the share of documents whose person
        has another, as it is estimated; `likely`, how many pairs of a document and its nearest are
        one person's with probability `LIKELY`, and `likeliest`, the first `LISTED` of these; and
        `others`: of each text, by the originals, the numbers of those with which it is most likely
        one person's, and how likely.
    """
    originals, released = zip(*texts.values(), strict=True)
    owner = Owner(originals, incidence, list(texts), embed)
    terms = read(released, clusters.names)
    every = attacks(terms, owner.model.weights, vectors_of(released, embed))
    nearest = {name: nearest_texts(pairs) for name, pairs in every}
    after, before = owner.by_attacker(nearest), owner.by_attacker(owner.nearest)
    spread, attackers = owner.model.known_spread, list[dict[str, Any]]()
    for name, found in after.items():
        seen = owner.model.learned_from if name == LINKER else ()
        stated = _stated(found, spread, most, seen, embed is not None)
        attackers.append({"attacker": name, **stated, "before": _expected(before[name], spread)})
    attackers.sort(key=lambda one: -one["expected"])
    found, near = _by_likeliest([*after.values()], [nearest[name] for name in after])
    pairs = found_pairs(near, found)
    likely = int(np.count_nonzero(pairs.scores >= LIKELY))
    both = same_person_probability(owner.model, owner.before, owner.strength, owner.another)
    return {
        **attackers[0],
        **_extremes(found, most),
        "before": max((one["before"] for one in attackers), key=lambda one: one["expected"]),
        "by_text": _rounded(found),
        "nearest": near.tolist(),
        "attackers": attackers,
        "by_originals": True,
        "another": round(float(owner.another.mean()), 4),
        "likely": likely,
        "likeliest": likeliest_pairs(terms, pairs, pairs.scores, min(LISTED, likely)),
        "others": likeliest_others(owner.before, both, OTHERS),
    }


def certificate(
    texts: Sequence[str], most: float, likely: int = 0, embed: Embed | None = None
) -> dict[str, Any]:
    """Return what the linker would find in masked texts, two or more, for whoever has only these.

    Args:
        likely: pairs of texts to name, the likeliest first, with what says that they are one
            person's. They hold words of the texts.
        most: limit in [0, 1] for the probability that a text's nearest is its person's.
        embed: gives the vectors of a sentence model, by which the linker compares texts as well.

    Returns:
        `documents`, how many there are; `expected`, the mean probability that a document's nearest
        is its person's, for a person who has another, and `interval`, the 95 % interval of the
        share of documents of which this is so (`interval_of`); `largest`, the largest; `over`, how
        many are above `limit`; `fewest`, among how many persons the least hidden one is hidden, 1 /
        `largest`; `by_text`, the probability of each; `by_originals`, whether the originals were at
        hand; `sentences`, whether there was a sentence model; `learned_from`, what the linker has
        seen; `likeliest`, the pairs asked for.
    """
    model, terms = models.shipped_model(embed is not None), read(texts, clusters.names)
    pairs = score(terms, model.weights, vectors_of(texts, embed))
    stated = _by_linker(model.found(pairs), most, model, embed)
    if likely:
        sure = model.probabilities(pairs)
        stated["likeliest"] = likeliest_pairs(terms, pairs, sure, likely)
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
    every, own = [*texts, *public], len(texts)
    terms, vectors = read(every, clusters.names), vectors_of(every, embed)
    found = model.found(score(terms, model.weights, vectors, own))[:own]
    return _by_linker(found, most, model, embed) | {"public": len(public)}


def _by_linker(
    found: Floats, most: float, model: models.LinkModel, embed: Embed | None
) -> dict[str, Any]:
    """Return what a certificate states if only the release is at hand."""
    stated = _stated(found, model.text_spread, most, model.learned_from, embed is not None)
    return stated | {"by_text": _rounded(found), "by_originals": False}


def _stated(
    found: Floats, spread: float, most: float, learned_from: Sequence[str], sentences: bool
) -> dict[str, Any]:
    """Return what a certificate states of the probabilities of texts."""
    return {
        "documents": len(found),
        **_expected(found, spread),
        "limit": most,
        **_extremes(found, most),
        "sentences": sentences,
        "learned_from": list(learned_from),
    }


def _extremes(found: Floats, most: float) -> dict[str, Any]:
    """Return the largest probability, how many are above a limit, and the fewest candidates."""
    largest = float(found.max())
    return {
        "largest": round(largest, 4),
        "over": int(np.count_nonzero(found > most)),
        "fewest": round(1 / largest, 1) if largest else None,
    }


def _by_likeliest(found: Sequence[Floats], nearest: Sequence[Ints]) -> tuple[Floats, Ints]:
    """Return of each text the largest of attackers' probabilities, and that attacker's nearest."""
    every = np.stack(found)
    best = every.argmax(axis=0)
    texts = np.arange(every.shape[1])
    return every[best, texts], np.stack(nearest)[best, texts]


def _rounded(found: Floats) -> list[float]:
    return [round(one, 4) for one in found.tolist()]


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
