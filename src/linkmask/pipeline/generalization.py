"""Generalization by rule: which values are written coarser, whatever else the corpus holds.

Who may add a document learns nothing from such a mask: it depends on the value alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linkmask.config import Settings
from linkmask.graph.entities import canonical
from linkmask.policy import Demands
from linkmask.records import Incidence, Ints, Mention, Plan, entity_id
from linkmask.redact.techniques import DATED, TECHNIQUES
from linkmask.runs import Run


def entities(run: Run, incidence: Incidence, settings: Settings) -> Ints:
    """Return the numbers of the entities that are written coarser by rule, ascending.

    An entity that a person decided on by id is not among them.
    """
    if settings.generalize.keys().isdisjoint(incidence.types):
        return np.zeros(0, dtype=np.int32)
    seen = {(m.type, m.value, m.original): m for m in run.mentions()}
    coarser = {
        entity_id(mention.value, mention.type, settings.id_separator)
        for mention in seen.values()
        if is_exact(mention, settings)
    }
    coarser -= {*settings.always_mask, *settings.never_mask}
    numbers = [n for n, name in enumerate(incidence.entities) if name in coarser]
    return np.array(numbers, dtype=np.int32)


def is_exact(mention: Mention, settings: Settings) -> bool:
    """Tell whether a mention's type is generalized, and it says more than its technique leaves."""
    technique = settings.generalize.get(mention.type)
    if technique is None:
        return False
    written = TECHNIQUES[technique](mention.original, mention.value, settings.languages[0])
    if written is None:
        return technique not in DATED
    return not stays(mention.type, mention.value, mention.original, written)


def stays(entity_type: str, value: str, original: str, written: str | None) -> bool:
    """Tell whether what a technique writes is the same value: "Q2 2024" for 2024-Q2."""
    same = written is not None and canonical(entity_type, written) == value
    return same or written == original


def styles(
    run: Run, incidence: Incidence, settings: Settings, plan: Plan, demands: Demands | None
) -> Mapping[str, str]:
    """Return the technique by id of each entity that a plan masks by rule alone.

    What a policy demands in its own technique, or a limit or a person wants masked whole, is not
    written coarser.
    """
    by_rule = frozenset(entities(run, incidence, settings).tolist())
    both = zip(plan.masked.tolist(), plan.stage, strict=True)
    floor = [e for e, stage in both if stage == "floor" and e in by_rule]
    types = {e: incidence.types[incidence.type[e]] for e in floor}
    return {
        incidence.entities[e]: settings.generalized[name]
        for e, name in types.items()
        if name in settings.generalized and not (demands and demands.of(e))
    }
