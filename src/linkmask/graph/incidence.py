"""Mentions → Incidence: from millions of rows to documents × entities as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.formulas import counting_order, fast, kernel, uniqueness
from linkmask.records import Floats, Incidence, Ints, MentionTable, entity_digest


def incidence(table: MentionTable, weights: Mapping[str, float], settings: Settings) -> Incidence:
    """Unite mentions into entities and arrange them by document.

    An entity is a pair of value and type; its id is `entity_id` with `settings.id_separator`.
    Entities are numbered in the order of their ids. Where a document mentions an entity more than
    once the largest relevance counts (SPEC §4.2); relevances are clamped to [0, 1], and one that
    is not a number counts as 1. Documents without a mention count in N.

    Raises:
        SettingsError: `weights` knows nothing of a type in the table.
    """
    unknown = sorted(set(table.types) - set(weights))
    if unknown:
        raise SettingsError(f"no weight for types {', '.join(unknown)}: add them to the schema")
    ids, entity_type, entity = _entities(table, settings.id_separator)
    relevance = np.clip(np.nan_to_num(table.relevance, nan=1.0), 0.0, 1.0)
    n = len(table.documents)
    arrange = fast(_arrange, len(table))
    start, entity, relevance = arrange(table.document, entity, relevance, n, len(ids))
    frequency = np.bincount(entity, minlength=len(ids)).astype(np.int32)
    by_type = np.array([weights[name] for name in table.types], dtype=np.float64)
    return Incidence(
        documents=table.documents,
        entities=ids,
        types=table.types,
        start=start,
        entity=entity,
        relevance=relevance,
        type=entity_type,
        frequency=frequency,
        uniqueness=uniqueness(frequency, n),
        weight=by_type[entity_type] if len(ids) else np.zeros(0),
    )


def _entities(table: MentionTable, separator: str) -> tuple[list[str], Ints, Ints]:
    """Return ids in ascending order, the type of each, and the entity number of each mention.

    Only distinct pairs of value and type are hashed.
    """
    n_types = max(len(table.types), 1)
    key = table.value.astype(np.int64) * n_types + table.type
    number = np.zeros(len(table.values) * n_types, dtype=np.int32)
    number[key] = 1
    pairs = np.flatnonzero(number)
    values, types = pairs // n_types, pairs % n_types
    ids = [
        entity_digest(table.values[v], table.types[t], separator)
        for v, t in zip(values.tolist(), types.tolist(), strict=True)
    ]
    order = _ascending(ids)
    number[pairs[order]] = np.arange(len(order), dtype=np.int32)
    return [ids[i].hex() for i in order.tolist()], types[order].astype(np.int32), number[key]


def _ascending(ids: list[bytes]) -> Any:
    """Return the order of ids of 16 bytes: by their first half, nearly always enough, or both."""
    first, second = np.frombuffer(b"".join(ids), dtype=">u8").reshape(-1, 2).astype(np.uint64).T
    order = np.argsort(first)
    ranked = first[order]
    return order if (ranked[1:] > ranked[:-1]).all() else np.lexsort((second, first))


@kernel
def _arrange(document: Ints, entity: Ints, relevance: Floats, n: int, n_entities: int) -> Any:
    """Return (start, entity, relevance) by document, entities ascending, without repeats."""
    order = np.arange(len(document))
    order = counting_order(document, counting_order(entity, order, n_entities), n)
    start = np.zeros(n + 1, dtype=np.int64)
    held = np.empty(len(document), dtype=np.int32)
    relevant = np.empty(len(document), dtype=np.float64)
    size = 0
    last = -1
    for k in order:
        d, e = document[k], entity[k]
        if d == last and held[size - 1] == e:
            relevant[size - 1] = max(relevant[size - 1], relevance[k])
            continue
        last = d
        held[size] = e
        relevant[size] = relevance[k]
        size += 1
        start[d + 1] += 1
    for d in range(n):
        start[d + 1] += start[d]
    return start, held[:size].copy(), relevant[:size].copy()
