"""Certifies a release against public texts: how often does it lead to the text about its person?

Nobody says which public text is about whom. But an original leads to it: it is nearly always the
one that is most similar by TF-IDF (docs/linkage.md says how often). So what is measured is whether
an attacker who holds a masked document takes the same public text for the nearest. Where no public
text is about the person, one of them is the nearest all the same. So a find counts as far as the
original is nearer to this text than chance has it (`surely_led`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Embed, models
from linkmask.graph.linkage.features import LINKER, ScoredPairs, attacks, chance_of, nearest_texts
from linkmask.graph.linkage.sentences import vectors_of
from linkmask.graph.linkage.terms import read
from linkmask.pipeline.linkage.certificate import NORMAL_95, BothTexts
from linkmask.records import Floats, Ints

BY_ORIGINALS = "TF-IDF"
"""The attacker who says to which public text an original leads."""
OWN = 3
"""Public texts that may be about one person: an article, a register, an earlier edition."""
BY_CHANCE = 3
"""Groups of so many texts that are surely not about the person, and show what chance does."""
LEAST = 0.01
"""Cosine from which texts share something; below it, one is as far as another."""


def public_certificate(
    texts: Sequence[BothTexts], public: Sequence[str], embed: Embed | None = None
) -> dict[str, Any]:
    """Return how often attackers find from a released text the public text of its original.

    Of public texts that are equally near, an attacker picks any.

    Args:
        texts, public: one or more of each.
        embed: gives the vectors of a sentence model, by which texts are compared as well.

    Returns:
        `texts`, how many public texts there are; `leading`, the share of originals that lead to
        one; and `attackers`, a row for each, the strongest first: `attacker`, its name; `found`,
        the share of texts from which it finds the one to which the original leads; its 95 %
        `interval`; and `learned_from`.
    """
    originals, released = zip(*texts, strict=True)
    own, sure = original_public(originals, public)
    seen = {LINKER: list(models.shipped_model(embed is not None).learned_from)}
    rows = list[dict[str, Any]]()
    for name, chance in found_public(released, public, own, embed).items():
        found = float((chance * sure).mean())
        interval = [round(end, 4) for end in interval_of_share(found, len(texts))]
        row = {"attacker": name, "found": round(found, 4), "interval": interval}
        rows.append(row | {"learned_from": seen.get(name, [])})
    rows.sort(key=lambda row: -row["found"])
    return {"texts": len(public), "leading": round(float(sure.mean()), 4), "attackers": rows}


def original_public(originals: Sequence[str], public: Sequence[str]) -> tuple[Ints, Floats]:
    """Return the public text that is nearest to each original, and how surely it leads there.

    Returns:
        The text's number, −1 for none; and a probability (`surely_led`).
    """
    own = len(originals)
    pairs = next(pairs for name, pairs in _attacks(originals, public, None) if name == BY_ORIGINALS)
    near = nearest_texts(pairs)[:own]
    most = 1 + OWN * (1 + BY_CHANCE)
    return np.where(near >= 0, near - own, -1), surely_led(largest_scores(pairs, own, most))


def largest_scores(pairs: ScoredPairs, own: int, most: int) -> Floats:
    """Return a row for each of the first `own` texts: its largest scores, the largest first.

    There are `most` of them, fewer if there are fewer other texts; −inf is a text not compared.
    """
    order = np.lexsort((-pairs.scores, pairs.left))
    text = pairs.left[order]
    rank = np.arange(len(text)) - np.searchsorted(text, np.arange(own))[text]
    found, some = np.full((own, min(most, pairs.texts - own)), -np.inf), rank < most
    found[text[some], rank[some]] = pairs.scores[order][some]
    return found


def surely_led(likeness: Floats) -> Floats:
    """Return how surely the public text that is nearest to each original is about its person.

    The largest of many similarities lie, in logarithms, like those of an exponential distribution:
    k times the distance from the k-th to the next one has the same distribution for every k (Rényi
    1953). So the next texts, in groups of `OWN`, show how far chance lets the first `OWN` stand
    out, and how many originals would stand out as far as one does. Their share of those that do is
    the chance of being wrong about these (the q-value of Käll et al. 2008, by decoys).

    Args:
        likeness: the largest similarities of each original, in [0, 1], the largest first. With
            fewer texts, groups are smaller; fewer than three texts tell nothing of chance, and
            the nearest counts as surely the person's.

    Returns:
        1 − q of each, in [0, 1]. Where all persons have a text, it is somewhat too low on average;
        where some have none, somewhat too high.
    """
    count, others = len(likeness), likeness.shape[1] - 1
    size = min(OWN, others // 2)
    if not size:
        return np.ones(count)
    groups = min(1 + BY_CHANCE, others // size)
    near = np.log(np.maximum(likeness[:, : 1 + size * groups], LEAST))
    apart = -np.diff(near) * np.arange(1, 1 + size * groups)
    first, *decoys = (apart.reshape(count, groups, size) / np.arange(1, 1 + size)).sum(axis=2).T
    order = np.argsort(first, kind="stable")
    chance = np.sort(np.concatenate(decoys))
    as_far = len(chance) - np.searchsorted(chance, first[order])
    share = as_far / len(decoys) / np.arange(count, 0, -1)
    sure = np.zeros(count)
    sure[order] = 1 - np.minimum(np.minimum.accumulate(share), 1)
    return sure


def found_public(
    texts: Sequence[str], public: Sequence[str], own: Ints, embed: Embed | None = None
) -> dict[str, Floats]:
    """Return for each attacker how likely it picks a given public text from each text.

    Where no attacker who compares by one thing alone sees anything in common with a public text,
    the linker picks none, either: all are equally far.

    Args:
        own: number of the public text of each text, −1 for none.
    """
    number = np.append(np.where(own >= 0, own + len(texts), -1), np.full(len(public), -1))
    found, guesses = dict[str, Floats](), np.zeros(len(texts), dtype=bool)
    for name, pairs in _attacks(texts, public, embed):
        found[name] = chance_of(pairs, number)[: len(texts)]
        if name == LINKER:
            found[name] = np.where(guesses, found[name], 0.0)
        else:
            guesses |= nearest_texts(pairs)[: len(texts)] >= 0
    return found


def _attacks(
    texts: Sequence[str], public: Sequence[str], embed: Embed | None
) -> Iterator[tuple[str, ScoredPairs]]:
    every, weights = [*texts, *public], models.shipped_model(embed is not None).weights
    yield from attacks(read(every, clusters.names), weights, vectors_of(every, embed), len(texts))


def interval_of_share(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of `count` independent cases (Wilson 1927)."""
    square = NORMAL_95**2 / count
    middle, width = share + square / 2, (share * (1 - share) * square + square**2 / 4) ** 0.5
    return max(0.0, (middle - width) / (1 + square)), min(1.0, (middle + width) / (1 + square))
