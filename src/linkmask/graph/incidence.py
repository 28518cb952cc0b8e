"""Mentions → Incidence: from millions of rows to documents × entities as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.formulas import fast, in_parts, kernel, uniqueness
from linkmask.formulas.csr import row_starts, sort_row
from linkmask.graph.digests import digests
from linkmask.records import Floats, Incidence, Ints, Longs, MentionTable
from linkmask.records.ids import Ids


def incidence(table: MentionTable, weights: Mapping[str, float], settings: Settings) -> Incidence:
    """Unite mentions into entities and arrange them by document.

    An entity is a pair of value and type; its id is `entity_id` with `settings.id_separator`.
    Entities are numbered in the order of their ids. Where a document mentions an entity more than
    once the largest relevance counts (formulas.md §2.4); relevances are clamped to [0, 1], and one
    that is not a number counts as 1. Documents without a mention count in N.

    Raises:
        SettingsError: `weights` has no weight for a type in the table.
    """
    unknown = sorted(set(table.types) - set(weights))
    if unknown:
        raise SettingsError(f"no weight for types {', '.join(unknown)}: add them to the schema")
    ids, entity_type, entity = _entities(table, settings.id_separator)
    n = len(table.documents)
    start, entity, relevance = _arranged(table.document, entity, table.relevance, n)
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


def _entities(table: MentionTable, separator: str) -> tuple[Ids, Ints, Ints]:
    """Return ids in ascending order, the type of each, and the entity number of each mention.

    Only distinct pairs of value and type are hashed.
    """
    n_types = max(len(table.types), 1)
    key = table.value.astype(np.int64) * n_types + table.type
    number = np.zeros(len(table.values) * n_types, dtype=np.int32)
    number[key] = 1
    pairs = np.flatnonzero(number)
    values, types = pairs // n_types, (pairs % n_types).astype(np.int32)
    ids = digests(table.values, table.types, values, types, separator)
    order = _ascending(ids)
    number[pairs[order]] = np.arange(len(order), dtype=np.int32)
    return Ids(ids[order].tobytes().hex()), types[order], number[key]


def _ascending(ids: Any) -> Any:
    """Return the order of ids of 16 bytes: by their first half, nearly always enough, or both."""
    first, second = ids.view(">u8").astype(np.uint64).T
    order = np.argsort(first)
    ranked = first[order]
    return order if (ranked[1:] > ranked[:-1]).all() else np.lexsort((second, first))


def _arranged(
    document: Ints, entity: Ints, relevance: Floats, n: int
) -> tuple[Longs, Ints, Floats]:  # fmt: skip
    """Return (start, entity, relevance) by document, entities ascending, without repeats."""
    work = len(document)
    start, entity, relevance = fast(_by_document, work)(document, entity, relevance, n)
    size = np.empty(n, dtype=np.int64)
    unite = fast(_unite, work)
    in_parts(lambda a, b: unite(start, entity, relevance, size, a, b), n, work)
    if size.sum() == work:
        return start, entity, relevance
    kept = np.arange(work) - np.repeat(start[:-1], np.diff(start)) < np.repeat(size, np.diff(start))
    start = np.concatenate([[0], np.cumsum(size)])
    return start, entity[kept], relevance[kept]


@kernel
def _by_document(document: Ints, entity: Ints, relevance: Floats, n: int) -> Any:
    """Return (start, entity, relevance) by document, relevances in [0, 1]."""
    start = row_starts(document, n)
    after = start[:-1].copy()
    held, relevant = np.empty(len(document), dtype=np.int32), np.empty(len(document))
    for k in range(len(document)):
        to = after[document[k]]
        after[document[k]] += 1
        held[to] = entity[k]
        relevant[to] = min(max(relevance[k], 0.0), 1.0) if relevance[k] == relevance[k] else 1.0
    return start, held, relevant


@kernel
def _unite(start: Any, entity: Any, relevance: Any, size: Any, first: int, last: int) -> None:
    """Sort each document in [first, last) and write what it holds once to the front of its row."""
    for d in range(first, last):
        sort_row(entity, relevance, start[d], start[d + 1])
        to = start[d] - 1
        for k in range(start[d], start[d + 1]):
            if k > start[d] and entity[k] == entity[to]:
                relevance[to] = max(relevance[to], relevance[k])
            else:
                to += 1
                entity[to], relevance[to] = entity[k], relevance[k]
        size[d] = to + 1 - start[d]
