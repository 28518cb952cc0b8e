"""Why each value of a corpus was treated so, a row per value, and the sums of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from linkmask.policy.demands import UNDECIDED, Demands
from linkmask.policy.justify import Justification, Rank, Write, justify
from linkmask.records import Incidence, Plan

Reasons = Mapping[int, Justification]
"""Why each entity that a policy decided on was treated so, by its number; holds no value."""


def reasons(
    found: Demands, incidence: Incidence, write: Write | None = None, rank: Rank | None = None
) -> Reasons:
    """Say of each entity that a policy decided on why.

    A model may word it (`write`) and find the worked example (`rank`).
    """
    every: dict[int, Justification] = {}
    first = np.full(incidence.n_entities, incidence.n_documents, dtype=np.int64)
    document = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
    np.minimum.at(first, incidence.entity, document)
    known: dict[tuple[str, str, int], Justification] = {}
    for entity in np.flatnonzero(found.code < UNDECIDED).tolist():
        decision = found.of(entity)
        if decision is None:
            continue
        route = int(found.route[first[entity]])
        key = decision.type, f"{decision.policy} {decision.technique}", route
        if key not in known:
            known[key] = justify(decision, found.routes[route].types, rank=rank, write=write)
        every[entity] = known[key]
    return every


def decisions(
    why: Reasons, incidence: Incidence, plan: Plan, values: Mapping[str, str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield a row per entity that a policy decided on: what was done with it, and why.

    `values`: a spelling of each entity, for who asked to see them.
    """
    stage = dict(zip(plan.masked.tolist(), plan.stage, strict=True))
    for entity, reason in why.items():
        name = incidence.entities[entity]
        yield {
            "entity": name,
            **({"value": values.get(name, "")} if values else {}),
            **msgspec.to_builtins(reason),
            "documents": int(incidence.frequency[entity]),
            "masked": stage.get(entity, ""),
        }


def account(found: Demands, why: Reasons, plan: Plan | None, tries: int) -> dict[str, Any]:
    """Sum up what the policies demanded, what the limits added, what was kept, and why.

    `leading` and `applying` count documents, `entities` what a rule decided on, `limits` those of
    them that it keeps and the limits masked.
    """
    masked = set() if plan is None else set(plan.masked.tolist())
    rows: dict[str, dict[tuple[str, str], dict[str, Any]]] = {}
    for entity, reason in why.items():
        row = rows.setdefault(reason.policy, {}).setdefault(
            (reason.type, reason.technique),
            {**msgspec.to_builtins(reason), "entities": 0, "limits": 0},
        )
        row["entities"] += 1
        row["limits"] += int(reason.technique == "keep" and entity in masked)
    documents = Counter(found.route.tolist())
    routes = [(found.routes[route], n) for route, n in sorted(documents.items())]
    return {
        "policies": [
            {
                "name": each.name,
                "title": each.title,
                "claim": each.claim,
                "leading": sum(n for one, n in routes if one.primary == each.name),
                "applying": sum(n for one, n in routes if each.name in one.applying),
                "decisions": [row for _, row in sorted(rows.get(each.name, {}).items())],
            }
            for each in found.policies
        ],
        "ungoverned": sum(n for one, n in routes if not one.primary),
        "escalated": sum(n for one, n in routes if one.unknown),
        "strengthened": len(found.strengthened),
        "tries": tries,
    }
