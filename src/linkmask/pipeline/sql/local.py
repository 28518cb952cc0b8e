"""Does in arrays what the SQL statements leave: masks of documents, and what is given back."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import Rows
from linkmask.pipeline.sql.statements import HIGH, UNIT, statement
from linkmask.pipeline.sql.tables import Tables
from linkmask.plan.chains import ChainStage
from linkmask.plan.cover import Cover
from linkmask.plan.document_stage import mask_documents
from linkmask.plan.hops import Hops
from linkmask.plan.reverse_delete import unmask_needless
from linkmask.records import Longs

TOGETHER = 1_000_000
"""Documents whose pieces are read at once."""


def documents_masked(tables: Tables, settings: Settings, n_documents: int, given: Longs) -> Longs:
    """Mask what brings every document below θ_doc, in the order of documents (formulas.md §8).

    What is held is a flag and a number for each entity, and the pieces of some documents.
    """
    values = tables.read("select entity, most from value")
    number, most = _column(values, "entity"), _column(values, "most")
    best = np.zeros(max(number.max(initial=-1), given.max(initial=-1)) + 1)
    best[number] = most
    masked = np.zeros(len(best), dtype=np.bool_)
    masked[given] = True
    chosen = [np.zeros(0, dtype=np.int64)]
    for first in range(0, n_documents, TOGETHER):
        last = min(first + TOGETHER, n_documents)
        held = tables.read(statement("pieces_of", first=first, last=last))
        document = (_column(held, "document") - first).astype(np.int32)
        start = _row_starts(document, last - first)
        rows = Rows(start, _column(held, "entity").astype(np.int32), _column(held, "share"), best)
        chosen.append(mask_documents(rows, best, masked, settings)[0].astype(np.int64))
    return np.concatenate(chosen)


def without_needless(tables: Tables, settings: Settings, masked: Longs) -> Longs:
    """Return the masked entities of the chain stage without those that no chain needs.

    The chains above policy and what their documents hold are read into memory: some 150 bytes a
    chain.
    """
    stage, entities = _stage(tables)
    flags = np.isin(entities, masked)
    unmask_needless(stage, flags, Cover.of(stage).dearest_first(np.flatnonzero(flags)))
    return masked[np.isin(masked, entities[flags])]


def _stage(tables: Tables) -> tuple[ChainStage, Longs]:
    """Return the chain stage in arrays, and the number that each of its entities has in SQL."""
    held = tables.read("select document, entity, share from stage order by document, entity")
    documents, document = np.unique(_column(held, "document"), return_inverse=True)
    entities, entity = np.unique(_column(held, "entity"), return_inverse=True)
    start = _row_starts(document.astype(np.int32), len(documents))
    rows = Rows(start, entity.astype(np.int32), _column(held, "share"), np.ones(len(entities)))
    chains = tables.read("select chain, before, target from chain order by chain")
    chain = _column(chains, "chain")
    ends = np.stack([chain // HIGH, chain % HIGH], axis=1)
    sizes = _column(tables.read("select count(*) as n from via group by chain order by chain"), "n")
    via = tables.read(statement("shared"))
    shared = np.searchsorted(entities, _column(via, "entity")).astype(np.int32)
    hops = Hops(
        of=np.arange(len(chain), dtype=np.int32).reshape(-1, 1),
        begin=np.append(0, np.cumsum(sizes)).astype(np.int64),
        entity=shared,
        share=-np.expm1(_column(via, "z") / -UNIT),
        entities=np.arange(len(entities), dtype=np.int32),
    )
    stage = ChainStage(
        rows=rows,
        hops=hops,
        masked=np.zeros(len(entities), dtype=np.bool_),
        documents=np.searchsorted(documents, ends).astype(np.int32),
        before=_column(chains, "before"),
        target=_column(chains, "target"),
        level=np.zeros(len(chain), dtype=np.int8),
        cost=np.ones(len(entities)),
    )
    return stage, entities


def _row_starts(document: Any, n: int) -> Longs:
    """Return where the rows of `n` documents begin, in a column that ascends."""
    starts: Longs = np.searchsorted(document, np.arange(n + 1)).astype(np.int64)
    return starts


def _column(table: Any, name: str) -> Any:
    return table[name].to_numpy()
