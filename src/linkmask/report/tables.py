"""`risk.json` and `plan.json` of a run (DESIGN §3): entities by id, never by value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np

from linkmask.errors import RunError
from linkmask.records import Floats, Incidence, Ints, Plan, Risk
from linkmask.report.audit import contributions

LEVELS = ("HIGH", "MEDIUM", "LOW")

LISTED = 20_000
"""Links, chains or entities up to which a table is JSON; larger ones are Parquet files."""


def shared(incidence: Incidence, left: int, right: int) -> Ints:
    """Return the numbers of the entities that two documents share, ascending."""
    rows = [incidence.entity[incidence.start[d] : incidence.start[d + 1]] for d in (left, right)]
    return np.intersect1d(rows[0], rows[1], assume_unique=True)


def risk_table(incidence: Incidence, risk: Risk, level: Callable[[float], str]) -> dict[str, Any]:
    """Return the content of risk.json; `level` gives a risk's category."""
    ids, names = incidence.documents, incidence.entities
    contribution = contributions(incidence)
    links, chains = risk.links, risk.chains
    return {
        "documents": [
            {"document": ids[d], "risk": _rounded(value)}
            for d, value in enumerate(risk.documents.tolist())
        ],
        "links": [
            {
                "documents": [ids[a], ids[b]],
                "strength": _rounded(strength),
                "via": [names[e] for e in shared(incidence, a, b).tolist()],
            }
            for a, b, strength in zip(
                links.left.tolist(), links.right.tolist(), links.strength.tolist(), strict=True
            )
        ],
        "chains": [
            {
                "documents": [ids[d] for d in path if d >= 0],
                "risk": _rounded(value),
                "category": level(value),
            }
            for path, value in zip(chains.documents.tolist(), chains.risk.tolist(), strict=True)
        ],
        "entities": [
            {
                "entity": names[e],
                "type": incidence.types[incidence.type[e]],
                "uniqueness": _rounded(incidence.uniqueness[e]),
                "contribution": _rounded(contribution[e]),
                "documents": int(incidence.frequency[e]),
            }
            for e in range(incidence.n_entities)
        ],
    }


def plan_table(incidence: Incidence, plan: Plan, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of plan.json."""
    ids = incidence.documents
    chains = plan.chains
    return {
        "settings": dict(settings),
        "masked": [
            {
                "entity": incidence.entities[entity],
                "type": incidence.types[incidence.type[entity]],
                "stage": stage,
                "gain": _rounded(gain),
                "served": served,
            }
            for entity, stage, gain, served in zip(
                plan.masked.tolist(),
                plan.stage,
                plan.gain.tolist(),
                plan.served.tolist(),
                strict=True,
            )
        ],
        "documents": [
            {"document": ids[d], "before": _rounded(before), "after": _rounded(after)}
            for d, (before, after) in enumerate(
                zip(plan.before.tolist(), plan.after.tolist(), strict=True)
            )
        ],
        "chains": [
            {
                "documents": [ids[d] for d in path if d >= 0],
                "category": LEVELS[chains.level[i]],
                "before": _rounded(chains.before[i]),
                "after": _rounded(chains.after[i]),
                "target": _rounded(chains.target[i]),
                "met": bool(chains.met[i]),
                **({} if chains.met[i] else {"reason": chains.reason.get(i, "")}),
            }
            for i, path in enumerate(chains.documents.tolist())
        ],
        "size": msgspec.to_builtins(plan.size),
    }


def masked_of(
    table: Mapping[str, Any], incidence: Incidence
) -> tuple[Ints, list[Any], Floats, Ints]:
    """Read the masked set of a plan.json back: entity numbers, stages, gains, chains served.

    Raises:
        RunError: the table names an entity that the corpus does not hold, or lacks a column.
    """
    number = {entity: n for n, entity in enumerate(incidence.entities)}
    try:
        rows = [
            (number[row["entity"]], row["stage"], row.get("gain", 0.0), row.get("served", 0))
            for row in table["masked"]
        ]
    except (KeyError, TypeError, AttributeError):
        raise RunError(
            "plan.json names an entity that this run does not hold, or lacks a stage: "
            "plan the run again"
        ) from None
    return (
        np.array([row[0] for row in rows], dtype=np.int32),
        [row[1] for row in rows],
        np.array([row[2] for row in rows], dtype=np.float64),
        np.array([row[3] for row in rows], dtype=np.int32),
    )


def _rounded(value: Any) -> float:
    """Six decimals: far finer than any limit, and the same text on every machine."""
    return round(float(value), 6)
