"""The corpus as the formulas read it: the entities of each document, and what each contributes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkmask.formulas.compiling import fast, in_parts, kernel
from linkmask.records import Incidence


class Rows(NamedTuple):
    """The corpus as the formulas read it, CSR by document.

    The entities of document `d` are `entity[start[d]:start[d + 1]]`, ascending. Beside them runs
    `share`, what each contributes there: c(e, d) = relevance · u · w in [0, 1] (formulas.md §5).
    `ceiling[e]` = u(e) · w(type of e): the most e can contribute anywhere.
    """

    start: Any
    entity: Any
    share: Any
    ceiling: Any


def rows_of(incidence: Incidence) -> Rows:
    """Return an incidence as `Rows`."""
    ceiling = incidence.uniqueness * incidence.weight
    return make_rows(incidence.start, incidence.entity, incidence.relevance, ceiling)


def make_rows(start: Any, entity: Any, relevance: Any, ceiling: Any) -> Rows:
    """Return `Rows` from relevances in [0, 1] and ceilings u · w."""
    share = np.empty(len(entity))

    def part(a: int, b: int) -> None:
        np.multiply(relevance[a:b], ceiling[entity[a:b]], out=share[a:b])

    in_parts(part, len(entity), len(entity))
    return Rows(start, entity, share, ceiling)


def loop_work(rows: Rows) -> int:
    """Return the work of a loop over all rows: there may be many more documents than mentions."""
    return len(rows.entity) + len(rows.start)


def open_rows(rows: Rows, masked: Any) -> Rows:
    """Return the rows without their masked entities; entity numbers stay what they are.

    Every formula gives the same bits over them, sooner.
    """
    number = np.arange(len(rows.ceiling), dtype=np.int32)
    number[masked] = -1
    return renumbered(rows, number, rows.ceiling)


def renumbered(rows: Rows, number: Any, ceiling: Any) -> Rows:
    """Return the rows with entity e called `number[e]`, or left out where that is −1."""
    work, n = loop_work(rows), len(rows.start) - 1
    count, fill = fast(_count_numbered, work), fast(_fill_numbered, work)
    start = np.zeros(n + 1, dtype=np.int64)
    in_parts(lambda a, b: count(rows, number, start, a, b), n, work)
    np.cumsum(start, out=start)
    entity, share = np.empty(start[-1], dtype=np.int32), np.empty(start[-1])
    in_parts(lambda a, b: fill(rows, number, start, entity, share, a, b), n, work)
    return Rows(start, entity, share, ceiling)


@kernel
def _count_numbered(rows: Rows, number: Any, start: Any, first: int, last: int) -> None:
    for d in range(first, last):
        held = 0
        for k in range(rows.start[d], rows.start[d + 1]):
            held += number[rows.entity[k]] >= 0
        start[d + 1] = held


@kernel
def _fill_numbered(
    rows: Rows, number: Any, start: Any, entity: Any, share: Any, first: int, last: int
) -> None:
    for d in range(first, last):
        to = start[d]
        for k in range(rows.start[d], rows.start[d + 1]):
            e = number[rows.entity[k]]
            if e >= 0:
                entity[to], share[to] = e, rows.share[k]
                to += 1


def none_masked(n_entities: int) -> Any:
    """Return the flags of an empty mask."""
    return np.zeros(n_entities, dtype=np.bool_)
