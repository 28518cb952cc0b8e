"""A certificate of a release: how often would the linker find another document of a person?

Who is who in a release is not known to whoever checks it, so success is not counted: it is what the
linker's calibrated probabilities say (docs/linkage.md says how far they hold).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.detect.ner import clusters
from linkmask.errors import InputError
from linkmask.graph.linkage import compare_texts, models
from linkmask.records import Document


def certify(release: Path, most: float) -> dict[str, Any]:
    """Return what the linker would find in a folder or table of masked documents.

    Args:
        most: limit in [0, 1] for the probability that a document's nearest is its person's.

    Returns:
        `documents`, how many there are; `not_read`, how many more there would be; `expected`, the
        mean probability that a document's nearest is its person's, for a person who has another;
        `largest`, the largest; `over`, how many are above `limit`; `fewest`, among how many persons
        the least hidden one is hidden, 1 / `largest`; `learned_from`, what the linker has seen.

    Raises:
        InputError: there are fewer than two documents.
    """
    items = list(Corpus(release, Settings())())
    texts = [item.text for item in items if isinstance(item, Document)]
    if len(texts) < 2:
        raise InputError(f"{release}: linking takes two documents or more, there are {len(texts)}")
    model = models.shipped()
    found = model.found(compare_texts(texts, clusters.names))
    largest = float(found.max())
    return {
        "documents": len(texts),
        "not_read": len(items) - len(texts),
        "expected": round(float(found.mean()), 4),
        "largest": round(largest, 4),
        "limit": most,
        "over": int(np.count_nonzero(found > most)),
        "fewest": round(1 / largest, 1) if largest else None,
        "learned_from": list(model.learned_from),
    }
