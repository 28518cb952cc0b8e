"""Certifies a release: how often would an attacker find another document of a person?

Nobody lists the persons, so the success of attackers is estimated (docs/linkage.md says how well).
Every attacker takes a text for the nearest of each; a judge says how likely it is about the same
person. The `Owner` has the originals, and estimates from them whether a document's person has
another one, and whether two documents are about one person. A `Reader`, who has the release alone,
only has the linker's probabilities. Both judge all attackers alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from linkmask.config import Settings
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Embed, ScoredPairs, models
from linkmask.graph.linkage.features import LINKER, SENTENCE_MODEL, attacks, nearest_texts
from linkmask.graph.linkage.outcome import (
    another_probability,
    foreseen_by_attacker,
    found_pairs,
    likeliest_others,
    relative_evidence,
    same_person_probability,
    strength_between,
    told_by,
)
from linkmask.graph.linkage.reasons import LikelyPair, likeliest_pairs
from linkmask.graph.linkage.sentences import vectors_of
from linkmask.graph.linkage.terms import CorpusTerms, read
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


class Attacked(NamedTuple):
    """Texts as attackers see them.

    `nearest`: which text each attacker, by name, takes for the nearest of each, −1 for none.
    `linked`: the pairs that are compared, as the linker scores them.
    """

    terms: CorpusTerms
    nearest: Mapping[str, Ints]
    linked: ScoredPairs


def attacked(texts: Sequence[str], embed: Embed | None, own: int = 0) -> Attacked:
    """Let every attacker look for the nearest of each text.

    Args:
        embed: gives the vectors of a sentence model, by which texts are compared as well.
        own: as for `blocking.candidates`.
    """
    terms, weights = read(texts, clusters.names), models.shipped_model(embed is not None).weights
    nearest = dict[str, Ints]()
    for name, pairs in attacks(terms, weights, vectors_of(texts, embed), own):
        nearest[name] = nearest_texts(pairs)
    return Attacked(terms, nearest, pairs)  # the linker is the last


class Judge(Protocol):
    """Says how likely attackers are right.

    `by_originals`: whether by the originals. `spread`: standard deviation, in log-odds, of how far
    a corpus lies from those that the judge has learned from.
    """

    by_originals: bool
    spread: float

    def by_attacker(self, nearest: Mapping[str, Ints]) -> dict[str, Floats]:
        """Return how likely the texts that each attacker takes for the nearest are so rightly."""


class Reader:
    """What somebody foresees who has the texts alone, for persons who have another text.

    Args:
        pairs: of the texts, as the linker scores them.
        model: of that linker.
    """

    by_originals = False

    def __init__(self, pairs: ScoredPairs, model: models.LinkModel) -> None:
        self._pairs, self._model, self.spread = pairs, model, model.text_spread

    def by_attacker(self, nearest: Mapping[str, Ints]) -> dict[str, Floats]:
        """Return how likely the texts that each attacker takes for the nearest are so rightly."""
        return {name: self._model.found(self._pairs, near) for name, near in nearest.items()}


class Owner:
    """What the owner of originals knows, and foresees by it of masked texts.

    Args:
        originals: two or more.
        incidence, names: of the corpus, and the ids of the documents with these originals.
        embed: as for `attacked`.
    """

    by_originals = True

    def __init__(
        self,
        originals: Sequence[str],
        incidence: Incidence,
        names: Sequence[str],
        embed: Embed | None,
    ) -> None:
        self.model = models.shipped_model(embed is not None)
        self.spread = self.model.known_spread
        _, self.nearest, self.before = attacked(originals, embed)
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
        return self.model.known_probability(*relative_evidence(*evidence))


def not_measured(settings: Settings, documents: int) -> str:
    """Say why nobody attacks the release of a corpus; "" where somebody does."""
    if settings.linking_limit < 1:
        return "there is no second document" if documents < 2 else ""
    if documents < ENOUGH:
        return f"this takes {ENOUGH} documents"
    if documents > settings.measure_up_to:
        return f"there are more documents than measure_up_to, {settings.measure_up_to:,}"
    return ""


class Certificate(NamedTuple):
    """What attackers find in a release.

    `stated`: its figures. `documents`, how many there are; `attackers`, a row for each, the
    strongest first: the one who is `expected` to be right most often. A row has `attacker`, its
    name; `expected`, the mean probability that a document's nearest is its person's; `interval`,
    the 95 % interval of the share of documents of which this is so (`interval_of`); `largest`, the
    largest probability; `over`, how many are above `limit`; and `learned_from`, what the attacker
    has seen. Of each document the attacker counts who is most likely right about it, in `largest`
    and `over` of all; in `fewest`, among how many persons the least hidden one is hidden, 1 /
    `largest`; and in `likely`, how many pairs of a document and its nearest are one person's with
    probability `LIKELY`. `by_originals` says whether the originals were at hand, and `sentences`
    whether there was a sentence model. Where the originals were, the probabilities are those of all
    documents, also of those whose person has no other; then a row has `before`, the `expected` and
    `interval` of the originals, if they were released, and `another` is the share of documents
    whose person has another, as it is estimated.

    `by_text`: the probability of each text, by the attacker who is most likely right about it.
    `nearest`: the text that this attacker takes for the nearest, −1 for none.
    `pairs`: the likeliest pairs of a text and its nearest, as many as were asked for, with what
    says that they are one person's. They hold words of the texts.
    `others`: of each text, by the originals, the numbers of those with which it is most likely one
    person's, and how likely; nothing without the originals.
    """

    stated: dict[str, Any]
    by_text: Floats
    nearest: Ints
    pairs: Sequence[LikelyPair] = ()
    others: Sequence[Mapping[int, float]] = ()


def released_certificate(
    texts: Mapping[str, BothTexts], incidence: Incidence, most: float, embed: Embed | None = None
) -> Certificate:
    """Return what attackers would find in a release, as its originals foresee it.

    Args:
        texts: of each released document, by id; two or more.
        incidence: of the corpus.
        most: limit in [0, 1] for the probability that a text's nearest is its person's.
        embed: as for `attacked`.
    """
    originals, released = zip(*texts.values(), strict=True)
    owner = Owner(originals, incidence, list(texts), embed)
    found = _certificate(attacked(released, embed), owner, most, LISTED)
    before = owner.by_attacker(owner.nearest)
    for row in found.stated["attackers"]:
        row["before"] = _expected(before[row["attacker"]], owner.spread)
    found.stated["another"] = round(float(owner.another.mean()), 4)
    both = same_person_probability(owner.model, owner.before, owner.strength, owner.another)
    sure = min(LISTED, found.stated["likely"])
    others = likeliest_others(owner.before, both, OTHERS)
    return found._replace(pairs=found.pairs[:sure], others=others)


def certificate(
    texts: Sequence[str],
    most: float,
    likely: int = 0,
    embed: Embed | None = None,
    public: Sequence[str] = (),
) -> Certificate:
    """Return what attackers would find in masked texts, for whoever has only these.

    Args:
        texts: two or more; of public texts, one is enough.
        most, embed: as for `released_certificate`.
        likely: pairs of texts to name.
        public: public texts, among which the person of each text is looked for, in place of the
            other texts.
    """
    model = models.shipped_model(embed is not None)
    seen = attacked([*texts, *public], embed, len(texts) if public else 0)
    return _certificate(seen, Reader(seen.linked, model), most, likely, len(texts))


def _certificate(
    seen: Attacked, judge: Judge, most: float, listed: int, own: int | None = None
) -> Certificate:
    """Return what attackers find, as the judge says.

    Args:
        listed: pairs to name.
        own: texts that are attacked, the first ones; by default all.
    """
    sentences = SENTENCE_MODEL in seen.nearest
    learned_from = {LINKER: list(models.shipped_model(sentences).learned_from)}
    judged = judge.by_attacker(seen.nearest)
    rows = [
        {
            "attacker": name,
            **_expected(sure[:own], judge.spread),
            **_extremes(sure[:own], most),
            "learned_from": learned_from.get(name, []),
        }
        for name, sure in judged.items()
    ]
    rows.sort(key=lambda row: -row["expected"])
    sure, near = _by_likeliest([*judged.values()], [*seen.nearest.values()])
    pairs = found_pairs(near, sure)
    largest = float(sure[:own].max())
    stated = {
        "documents": len(sure[:own]),
        "limit": most,
        **_extremes(sure[:own], most),
        "fewest": round(1 / largest, 1) if largest else None,
        "likely": int(np.count_nonzero(pairs.scores >= LIKELY)),
        "by_originals": judge.by_originals,
        "sentences": sentences,
        "attackers": rows,
    }
    named = likeliest_pairs(seen.terms, pairs, pairs.scores, listed)
    return Certificate(stated, np.round(sure[:own], 4), near[:own], named)


def _extremes(found: Floats, most: float) -> dict[str, Any]:
    """Return the largest probability, and how many are above a limit."""
    return {
        "largest": round(float(found.max()), 4),
        "over": int(np.count_nonzero(found > most)),
    }


def _by_likeliest(found: Sequence[Floats], nearest: Sequence[Ints]) -> tuple[Floats, Ints]:
    """Return of each text the largest of attackers' probabilities, and that attacker's nearest."""
    every = np.stack(found)
    best = every.argmax(axis=0)
    texts = np.arange(every.shape[1])
    return every[best, texts], np.stack(nearest)[best, texts]


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
