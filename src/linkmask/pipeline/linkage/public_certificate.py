"""Certifies a release against public texts: how often does it lead to the text about its person?

Nobody says which public text is about whom. But an original leads to it: it is nearly always the
one that is most similar by TF-IDF (docs/linkage.md says how often). So what is measured is whether
an attacker who holds a masked document takes the same public text for the nearest. For a person of
whom there is no public text, it is merely one that is similar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Embed, models
from linkmask.graph.linkage.features import LINKER, attacks, nearest_texts
from linkmask.graph.linkage.sentences import vectors_of
from linkmask.graph.linkage.terms import read
from linkmask.pipeline.linkage.certificate import NORMAL_95, BothTexts
from linkmask.records import Ints

BY_ORIGINALS = "TF-IDF"
"""The attacker who says to which public text an original leads."""


def public_certificate(
    texts: Sequence[BothTexts], public: Sequence[str], embed: Embed | None = None
) -> dict[str, Any]:
    """Return how often attackers find from a released text the public text of its original.

    Args:
        texts, public: one or more of each.
        embed: gives the vectors of a sentence model, by which texts are compared as well.

    Returns:
        `attackers`, a row for each, the strongest first: `attacker`, its name; `found`, the share
        of texts from which it finds that public text; its 95 % `interval`; and `learned_from`.
        Beside them, all that the first row has, and `texts`, how many public texts there are.
    """
    originals, released = zip(*texts, strict=True)
    own = nearest_public(originals, public, embed)[BY_ORIGINALS]
    seen = models.shipped_model(embed is not None).learned_from
    rows = list[dict[str, Any]]()
    for name, near in nearest_public(released, public, embed).items():
        found = float(((near == own) & (own >= 0)).mean())
        interval = [round(end, 4) for end in interval_of_share(found, len(texts))]
        learned_from = list(seen) if name == LINKER else []
        row = {"attacker": name, "found": round(found, 4), "interval": interval}
        rows.append(row | {"learned_from": learned_from})
    rows.sort(key=lambda row: -row["found"])
    return {**rows[0], "texts": len(public), "attackers": rows}


def nearest_public(
    texts: Sequence[str], public: Sequence[str], embed: Embed | None = None
) -> dict[str, Ints]:
    """Return for each attacker the number of each text's nearest public text, −1 for none."""
    every, own = [*texts, *public], len(texts)
    weights = models.shipped_model(embed is not None).weights
    found = attacks(read(every, clusters.names), weights, vectors_of(every, embed), own)
    near = ((name, nearest_texts(pairs)[:own]) for name, pairs in found)
    return {name: np.where(one >= 0, one - own, -1) for name, one in near}


def interval_of_share(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of `count` independent cases (Wilson 1927)."""
    square = NORMAL_95**2 / count
    middle, width = share + square / 2, (share * (1 - share) * square + square**2 / 4) ** 0.5
    return max(0.0, (middle - width) / (1 + square)), min(1.0, (middle + width) / (1 + square))
