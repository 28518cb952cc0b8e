"""Lists values that may also belong to a person.

They link the person's documents to others, or contain one of the person's values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from linkmask import runs, schema
from linkmask.config import Settings
from linkmask.graph.links import find_links
from linkmask.pipeline.jobs.planner import Planner
from linkmask.records import Incidence, Mention, entity_id
from linkmask.runs import Run

DIRECT = schema.types_of("direct")
"""Types whose values name a person, or a thing that is one person's."""


SHORT = 4
"""Characters below which a value or a word is part of others by chance."""
WORD = re.compile(rf"[^\W\d_]{{{SHORT},}}")
PERSONS = schema.types_of("person")
"""Types whose values are names of persons."""


class Related(NamedTuple):
    """An entity that may also belong to a person, and in how many other documents it stands."""

    entity: str
    type: str
    documents: int


def related_entities(run: Run, settings: Settings, theirs: Sequence[Mention]) -> list[Related]:
    """Return the entities that may also belong to a person, most widespread first.

    They are the entities that the person's documents share with linked ones, the person's names and
    numbers wherever else they stand, and values of other documents that contain one of the person's
    or a word of the name. A person has to judge each: a clinic links strangers, too.
    """
    documents = {mention.document for mention in theirs}
    job = Planner(run, settings)
    job.reopen()
    incidence = job.analysis.incidence
    # A document that only repeats what the person's own say is listed, too.
    links = find_links(incidence, msgspec.structs.replace(settings, link_contained=True))
    own = {number for number, name in enumerate(incidence.documents) if name in documents}
    outside = _direct_in_other_documents(incidence, own)
    for pair in zip(links.left.tolist(), links.right.tolist(), strict=True):
        inside = own.intersection(pair)
        if len(inside) == 1:
            (other,) = set(pair) - inside
            for entity in incidence.shared(*pair).tolist():
                outside.setdefault(entity, set()).add(other)
    number_of = {name: number for number, name in enumerate(incidence.documents)}
    known = {name: number for number, name in enumerate(incidence.entities)}
    for mention in _containing(run, theirs, documents):
        entity = known.get(entity_id(mention.value, mention.type, settings.id_separator))
        if entity is not None and mention.document in number_of:
            outside.setdefault(entity, set()).add(number_of[mention.document])
    return [
        Related(incidence.label(e), incidence.types[incidence.type[e]], len(others))
        for e, others in sorted(outside.items(), key=lambda row: (-len(row[1]), row[0]))
    ]


def _containing(
    run: Run, theirs: Sequence[Mention], documents: Collection[str]
) -> Iterator[Mention]:
    """Yield mentions of other documents that contain a spelling of a person's value.

    A word of a person's name counts only in values that are no names: others have it, too.
    """
    spelled = {runs.lower_and_collapse("", one.original) for one in theirs}
    whole = {text for text in spelled if len(text) >= SHORT}
    names = (one.original for one in theirs if one.type in PERSONS)
    words = {word.lower() for name in names for word in WORD.findall(name)}
    for mention in run.mentions():
        if mention.document not in documents:
            text = runs.lower_and_collapse("", mention.original)
            sought = whole if mention.type in PERSONS else whole | words
            if any(one in text for one in sought):
                yield mention


def _direct_in_other_documents(incidence: Incidence, own: set[int]) -> dict[int, set[int]]:
    """Return the other documents of each direct identifier that stands in the person's own."""
    direct = [number for number, name in enumerate(incidence.types) if name in DIRECT]
    document = incidence.document
    theirs = np.isin(document, sorted(own))
    held = np.isin(incidence.type[incidence.entity], direct)
    shared = np.isin(incidence.entity, incidence.entity[theirs & held]) & held & ~theirs
    outside: dict[int, set[int]] = {}
    for entity, other in zip(
        incidence.entity[shared].tolist(), document[shared].tolist(), strict=True
    ):
        outside.setdefault(entity, set()).add(other)
    return outside
