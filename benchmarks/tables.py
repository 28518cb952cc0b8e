"""Mention tables as large corpora have them: persons in clusters, popular places and conditions.

A person is met in 1 to 10 documents, each naming some of six identifiers; facilities own a city
and providers; dates, cities, states, conditions, treatments and traits are shared by strangers
and fall off by Zipf's law, the most popular one standing in about a quarter of all documents.
About 10.8 mentions per document. Everything is drawn from one seed; no text is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linkmask.records import MentionTable

TYPES = (
    "NAME", "PATIENT_ID", "ADDRESS", "PHONE_NUMBER", "EMAIL", "NON_PERSONAL_ID", "UNIQUE_FACT",
    "PROVIDER", "EVENT_DATE", "LOCATION", "MEDICAL_CONDITION", "TREATMENT", "DEMOGRAPHIC",
)  # fmt: skip
IDENTIFIERS = (0.75, 0.55, 0.3, 0.3, 0.15, 0.45)
"""How often a document names each of its person's six identifiers."""

Numbers = NDArray[np.int64]
Codes = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]


class _Columns:
    """Collects (document, local value, type) and gives each kind of value its own numbers."""

    def __init__(self) -> None:
        self.document: list[Numbers] = []
        self.value: list[Numbers] = []
        self.type: list[NDArray[np.int32]] = []
        self.size = 0

    def add(self, entity_type: str, documents: Numbers, values: Numbers, distinct: int) -> None:
        self.document.append(documents)
        self.value.append(values + self.size)
        self.type.append(np.full(len(documents), TYPES.index(entity_type), dtype=np.int32))
        self.size += distinct


def table(n: int, seed: int = 7) -> MentionTable:
    """Return the mention table of `n` documents."""
    document, value, kind, relevance = codes(n, seed)
    return MentionTable(
        documents=[f"d{d:07}" for d in range(n)],
        values=[f"value {v}" for v in range(int(value.max()) + 1)],
        types=TYPES,
        document=document,
        value=value,
        type=kind,
        relevance=relevance,
    )


def codes(n: int, seed: int = 7) -> Codes:
    """Return the same as numbers: document, value, type and relevance of each mention."""
    draw = np.random.default_rng(seed)
    all_ = np.arange(n)
    person = np.repeat(np.arange(n), draw.integers(1, 11, n))[:n]
    columns = _Columns()

    def some(share: float) -> Numbers:
        return np.flatnonzero(draw.random(n) < share)

    for entity_type, share in zip(TYPES, IDENTIFIERS, strict=False):
        chosen = some(share)
        columns.add(entity_type, chosen, person[chosen], n)
    for entity_type, share in (("UNIQUE_FACT", 0.45), ("NON_PERSONAL_ID", 0.5)):
        chosen = some(share)  # said once in the whole corpus
        columns.add(entity_type, chosen, chosen, n)

    facilities = max(n // 400, 1)
    home = draw.integers(0, facilities, n)[person]
    facility = np.where(draw.random(n) < 0.7, home, draw.integers(0, facilities, n))
    chosen = some(0.45)
    columns.add("PROVIDER", chosen, facility[chosen], facilities)
    chosen = some(0.75)
    provider = facility[chosen] * 7 + draw.integers(0, 7, len(chosen))
    columns.add("PROVIDER", chosen, provider, facilities * 7)

    city_of = _zipf(draw, facilities, 2000, 0.6)
    chosen = some(0.4)
    columns.add("LOCATION", chosen, city_of[facility[chosen]], 2000)
    chosen = some(0.5)
    columns.add("LOCATION", chosen, _zipf(draw, len(chosen), 50, 1.0), 50)
    chosen = np.concatenate([all_, some(0.6)])
    columns.add("EVENT_DATE", chosen, draw.integers(0, 3650, len(chosen)), 3650)
    for entity_type, distinct, exponent, shares in (
        ("MEDICAL_CONDITION", 3000, 1.05, (0.9, 0.5)),
        ("TREATMENT", 2000, 1.0, (0.8, 0.3)),
        ("DEMOGRAPHIC", 300, 1.1, (0.9, 0.3)),
    ):
        chosen = np.concatenate([some(share) for share in shares])
        columns.add(entity_type, chosen, _zipf(draw, len(chosen), distinct, exponent), distinct)
    return _finish(columns, draw)


def _zipf(draw: np.random.Generator, size: int, distinct: int, exponent: float) -> Numbers:
    weight = np.arange(1, distinct + 1, dtype=np.float64) ** -exponent
    ladder = np.cumsum(weight / weight.sum())
    return np.minimum(np.searchsorted(ladder, draw.random(size)), distinct - 1)


def _finish(columns: _Columns, draw: np.random.Generator) -> Codes:
    """Put the rows in document order and number only values that occur."""
    document = np.concatenate(columns.document).astype(np.int32)
    columns.document.clear()
    order = np.argsort(document, kind="stable")
    value = np.concatenate(columns.value)[order]
    columns.value.clear()
    seen = np.zeros(columns.size, dtype=np.int32)
    seen[value] = 1
    number = np.cumsum(seen, dtype=np.int32) - 1
    relevance = np.round(draw.beta(6, 2, len(value)), 3)
    kind = np.concatenate(columns.type)[order]
    return document[order], number[value], kind, relevance


def write(mentions: MentionTable, path: Path) -> None:
    """Write a table as a mentions file in Parquet, as any program writes columns of text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def named(codes: NDArray[np.int32], names: Sequence[str]) -> pa.Array:
        return pa.array(names, pa.string()).take(pa.array(codes))

    values = named(mentions.value, mentions.values)
    columns = {
        "document": named(mentions.document, mentions.documents),
        "original_value": values,
        "normalized_value": values,
        "entity_type": named(mentions.type, mentions.types),
        "relevance": mentions.relevance,
    }
    pq.write_table(pa.table(columns), path)
