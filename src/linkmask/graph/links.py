"""Links: pairs of documents whose shared entities reach the edge threshold."""

from __future__ import annotations

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import edge_strength, fast, none_masked, reaches, rows_of, transpose
from linkmask.records import Incidence, Links


def links(incidence: Incidence, settings: Settings) -> Links:
    """Return every pair of documents that shares an entity, at or above the edge threshold."""
    rows = rows_of(incidence)
    n = incidence.n_entities
    begin, holder, _ = fast(transpose, incidence.n_mentions)(rows.start, rows.entity, n)
    pairs: set[tuple[int, int]] = set()
    for e in range(n):
        documents = holder[begin[e] : begin[e + 1]].tolist()
        pairs.update((i, j) for k, i in enumerate(documents) for j in documents[k + 1 :])
    masked = none_masked(n)
    found = [(i, j, edge_strength(rows, masked, i, j)) for i, j in sorted(pairs)]
    kept = [row for row in found if reaches(row[2], settings.edge_threshold)]
    columns = np.array(kept, dtype=np.float64).reshape(-1, 3)
    return Links(
        left=columns[:, 0].astype(np.int32),
        right=columns[:, 1].astype(np.int32),
        strength=columns[:, 2].copy(),
    )
