"""A certificate of a release: how often would the linker find another document of a person?

Who is who in a release is not known to whoever checks it, so success is not counted: it is what the
linker's calibrated probabilities say (docs/linkage.md says how far they hold).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkmask.detect.ner import clusters
from linkmask.graph.linkage import models
from linkmask.graph.linkage.features import score
from linkmask.graph.linkage.reasons import likeliest
from linkmask.graph.linkage.terms import read

NORMAL_95 = 1.96
"""Standard errors on either side of a mean that hold 95 % of what is drawn normally."""


def certificate(texts: Sequence[str], most: float, likely: int = 0) -> dict[str, Any]:
    """Return what the linker would find in masked texts, two or more.

    Args:
        likely: pairs of texts to name, the likeliest first, with what says that they are one
            person's. They hold words of the texts.
        most: limit in [0, 1] for the probability that a text's nearest is its person's.

    Returns:
        `documents`, how many there are; `expected`, the mean probability that a document's nearest
        is its person's, for a person who has another, and `interval`, its 95 % interval over
        documents; `largest`, the largest; `over`, how many are above `limit`; `fewest`, among how
        many persons the least hidden one is hidden, 1 / `largest`; `learned_from`, what the linker
        has seen; `likeliest`, the pairs asked for.
    """
    model, terms = models.shipped(), read(texts, clusters.names)
    pairs = score(terms, model.weights)
    found = model.found(pairs)
    largest, expected = float(found.max()), float(found.mean())
    margin = NORMAL_95 * float(found.std(ddof=1)) / np.sqrt(len(found))
    return {
        "documents": len(texts),
        "expected": round(expected, 4),
        "interval": [round(float(max(0, min(1, expected + by))), 4) for by in (-margin, margin)],
        "largest": round(largest, 4),
        "limit": most,
        "over": int(np.count_nonzero(found > most)),
        "fewest": round(1 / largest, 1) if largest else None,
        "learned_from": list(model.learned_from),
    } | (
        {"likeliest": likeliest(terms, pairs, model.probabilities(pairs), likely)} if likely else {}
    )
