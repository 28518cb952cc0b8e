"""What else may be a person's: what links the documents that name them to others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from linkmask.config import Settings
from linkmask.pipeline.planning import Planner
from linkmask.report.tables import shared
from linkmask.runs import Run


class Related(NamedTuple):
    """An entity that links documents of a person to others, and in how many of those it stands."""

    entity: str
    type: str
    documents: int


def related(run: Run, settings: Settings, documents: Collection[str]) -> list[Related]:
    """Return what the documents share with those linked to them, most widespread first.

    Whether it is the same person's is for somebody to judge: a clinic links strangers, too.
    """
    job = Planner(run, settings)
    job.reopen()
    incidence, links = job.analysis.incidence, job.analysis.risk.links
    own = {number for number, name in enumerate(incidence.documents) if name in documents}
    outside: dict[int, set[int]] = {}
    for pair in zip(links.left.tolist(), links.right.tolist(), strict=True):
        theirs = own.intersection(pair)
        if len(theirs) == 1:
            (other,) = set(pair) - theirs
            for entity in shared(incidence, *pair).tolist():
                outside.setdefault(entity, set()).add(other)
    found = Counter({entity: len(others) for entity, others in outside.items()})
    return [
        Related(incidence.label(e), incidence.types[incidence.type[e]], n)
        for e, n in sorted(found.items(), key=lambda row: (-row[1], row[0]))
    ]
