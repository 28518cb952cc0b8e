"""The incidence of a corpus that changed."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from linkmask.config import Settings
from linkmask.graph.grown import grown_incidence
from linkmask.graph.incidence import incidence
from linkmask.records import Incidence, MentionTable

SETTINGS = Settings()
TYPES = ("AGE", "EVENT_DATE", "LOCATION", "NAME")
WEIGHTS = SETTINGS.entity_types.weights
Rows = list[tuple[str, str, float]]


def found(random: Random) -> Rows:
    """Return the mentions of a document: value, type, relevance."""
    values = [f"v{random.randrange(12)}" for _ in range(random.randrange(6))]
    return [(value, random.choice(TYPES), random.random()) for value in values]


def made(corpus: dict[str, Rows]) -> Incidence:
    rows = [(name, *row) for name, each in corpus.items() for row in each]
    names, values = list(corpus), sorted({value for _, value, _, _ in rows})
    types = tuple(sorted({kind for _, _, kind, _ in rows}))
    columns = [
        np.array([names.index(name) for name, *_ in rows], np.int32),
        np.array([values.index(value) for _, value, _, _ in rows], np.int32),
        np.array([types.index(kind) for _, _, kind, _ in rows], np.int32),
        np.array([relevance for *_, relevance in rows], np.float64),
    ]
    return incidence(MentionTable(names, values, types, *columns), WEIGHTS, SETTINGS)


@pytest.mark.parametrize("seed", range(60))
def test_an_incidence_that_grew_is_that_of_all_mentions(seed: int) -> None:
    """Whatever documents came, went or changed, in whatever order they stand now."""
    random = Random(seed)
    then = {f"d{n}": found(random) for n in range(random.randrange(9))}
    now = {name: rows for name, rows in then.items() if random.random() < 0.8}
    anew = {name: found(random) for name in now if random.random() < 0.3}
    anew |= {f"n{n}": found(random) for n in range(random.randrange(4))}
    order = sorted({**now, **anew}, key=lambda _: random.random())
    whole = made({name: {**now, **anew}[name] for name in order})
    grown = grown_incidence(made(then), made(anew), order, WEIGHTS)
    assert grown.documents == whole.documents and grown.types == whole.types
    assert list(grown.entities) == list(whole.entities)
    for column in ("start", "entity", "relevance", "type", "frequency", "uniqueness", "weight"):
        assert getattr(grown, column).dtype == getattr(whole, column).dtype, column
        assert getattr(grown, column).tolist() == getattr(whole, column).tolist(), column
