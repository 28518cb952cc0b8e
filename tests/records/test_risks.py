"""An incidence of some of the mentions is the one of a corpus that has no others."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkmask.records import Incidence

ROWS = st.lists(st.sets(st.integers(0, 4)).map(sorted), min_size=1, max_size=6)
N_ENTITIES = 5


def incidence_of(rows: list[list[int]]) -> Incidence:
    entity = np.array([e for row in rows for e in row], np.int32)
    return Incidence(
        documents=[f"d{n}" for n in range(len(rows))],
        entities=list("abcde"),
        types=("NAME",),
        start=np.array([sum(map(len, rows[:n])) for n in range(len(rows) + 1)], np.int64),
        entity=entity,
        relevance=entity / 8,
        type=np.zeros(N_ENTITIES, np.int32),
        frequency=np.array([sum(e in row for row in rows) for e in range(N_ENTITIES)], np.int32),
        uniqueness=np.ones(N_ENTITIES),
        weight=np.ones(N_ENTITIES),
    )


@given(ROWS, st.sets(st.tuples(st.integers(0, 5), st.integers(0, 4))))
def test_the_mentions_that_stay_are_those_of_a_corpus_without_the_others(
    rows: list[list[int]], gone: set[tuple[int, int]]
) -> None:
    whole = incidence_of(rows)
    pairs = list(zip(whole.document.tolist(), whole.entity.tolist(), strict=True))
    assert pairs == [(n, e) for n, row in enumerate(rows) for e in row]
    kept = np.array([pair not in gone for pair in pairs], np.bool_)
    found = whole.with_mentions(kept)
    expected = incidence_of([[e for e in row if (n, e) not in gone] for n, row in enumerate(rows)])
    for name in ("start", "entity", "relevance", "frequency"):
        one, other = getattr(found, name), getattr(expected, name)
        assert one.dtype == other.dtype and one.tolist() == other.tolist(), name
