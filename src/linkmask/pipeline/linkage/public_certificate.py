"""Certifies a release against public texts: how often does it lead to the text about its person?

Nobody says which public text is about whom. But an original leads to it: it is nearly always the
one that is most similar by TF-IDF (docs/linkage.md says how often). So what is measured is whether
an attacker who holds a masked document takes the same public text for the nearest. For a person of
whom there is no public text, it is merely one that is similar.
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


def public_certificate(
    texts: Sequence[BothTexts], public: Sequence[str], embed: Embed | None = None
) -> dict[str, Any]:
    """Return how often attackers find from a released text the public text of its original.

    Of public texts that are equally near, an attacker picks any.

    Args:
        texts, public: one or more of each.
        embed: gives the vectors of a sentence model, by which texts are compared as well.

    Returns:
        `texts`, how many public texts there are; and `attackers`, a row for each, the strongest
        first: `attacker`, its name; `found`, the share of texts from which it finds that public
        text; its 95 % `interval`; and `learned_from`.
    """
    originals, released = zip(*texts, strict=True)
    own = original_public(originals, public)
    seen = {LINKER: list(models.shipped_model(embed is not None).learned_from)}
    rows = list[dict[str, Any]]()
    for name, chance in found_public(released, public, own, embed).items():
        found = float(chance.mean())
        interval = [round(end, 4) for end in interval_of_share(found, len(texts))]
        row = {"attacker": name, "found": round(found, 4), "interval": interval}
        rows.append(row | {"learned_from": seen.get(name, [])})
    rows.sort(key=lambda row: -row["found"])
    return {"texts": len(public), "attackers": rows}


def original_public(originals: Sequence[str], public: Sequence[str]) -> Ints:
    """Return the number of the public text to which each original leads, −1 for none."""
    own = len(originals)
    for name, pairs in _attacks(originals, public, None):
        if name == BY_ORIGINALS:
            near = nearest_texts(pairs)[:own]
            break
    return np.where(near >= 0, near - own, -1)


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
