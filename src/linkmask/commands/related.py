"""Lists values that may also belong to a person: they link the person's documents to others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

import msgspec
import numpy as np

from linkmask import schema
from linkmask.config import Settings
from linkmask.graph.links import find_links
from linkmask.pipeline.jobs.planner import Planner
from linkmask.records import Incidence
from linkmask.runs import Run

DIRECT = schema.types_of("direct")
"""Types whose values name a person, or a thing that is one person's."""


class Related(NamedTuple):
    """An entity that links documents of a person to others, and in how many of those it stands."""

    entity: str
    type: str
    documents: int


def related_entities(run: Run, settings: Settings, documents: Collection[str]) -> list[Related]:
    """Return the entities that documents share with linked ones, most widespread first.

    A name or number of a person is listed wherever else it stands, also where it makes no link.
    A person has to judge whether it belongs to the same person: a clinic links strangers, too.
    """
    job = Planner(run, settings)
    job.reopen()
    incidence = job.analysis.incidence
    # A document that only repeats what the person's own say is listed, too.
    links = find_links(incidence, msgspec.structs.replace(settings, link_contained=True))
    own = {number for number, name in enumerate(incidence.documents) if name in documents}
    outside = _direct_in_other_documents(incidence, own)
    for pair in zip(links.left.tolist(), links.right.tolist(), strict=True):
        theirs = own.intersection(pair)
        if len(theirs) == 1:
            (other,) = set(pair) - theirs
            for entity in incidence.shared(*pair).tolist():
                outside.setdefault(entity, set()).add(other)
    found = Counter({entity: len(others) for entity, others in outside.items()})
    return [
        Related(incidence.label(e), incidence.types[incidence.type[e]], n)
        for e, n in sorted(found.items(), key=lambda row: (-row[1], row[0]))
    ]


def _direct_in_other_documents(incidence: Incidence, own: set[int]) -> dict[int, set[int]]:
    """Return the other documents of each direct identifier that stands in the person's own."""
    direct = [number for number, name in enumerate(incidence.types) if name in DIRECT]
    document = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
    theirs = np.isin(document, sorted(own))
    held = np.isin(incidence.type[incidence.entity], direct)
    shared = np.isin(incidence.entity, incidence.entity[theirs & held]) & held & ~theirs
    outside: dict[int, set[int]] = {}
    for entity, other in zip(
        incidence.entity[shared].tolist(), document[shared].tolist(), strict=True
    ):
        outside.setdefault(entity, set()).add(other)
    return outside
