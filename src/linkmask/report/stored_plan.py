"""Writes the plan of a run into its folder, and reads it back.

It is `plan.json`; the rows of a large one are Parquet files (docs/files.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.formulas import LEVELS
from linkmask.records import STAGES, Floats, Incidence, Ints, Plan
from linkmask.records.ids import texts_at
from linkmask.report.audit import size_table
from linkmask.report.run_tables import (
    coded_column,
    fits_json,
    is_parquet,
    names_column,
    path_columns,
    rounded,
    write_tables,
)
from linkmask.runs import Run
from linkmask.runs.file_names import PLAN


def store_plan(run: Run, incidence: Incidence, plan: Plan, settings: Settings) -> None:
    """Write the plan into the run: plan.json, or Parquet files of the same columns if large."""
    given = msgspec.to_builtins(settings)
    if fits_json(incidence, len(plan.chains)) and not is_parquet(run, "plan-masked"):
        run.write_json(PLAN, plan_table(incidence, plan, given))
        return
    stages = {stage: code for code, stage in enumerate(STAGES)}
    stage = np.fromiter(map(stages.__getitem__, plan.stage), np.int32, len(plan.stage))
    ids, chains = names_column(incidence.documents), plan.chains
    write_tables(
        run,
        {
            "plan-chains": {
                **path_columns(chains.documents, ids),
                "category": coded_column(chains.level.astype(np.int32), LEVELS),
                "before": chains.before,
                "after": chains.after,
                "target": chains.target,
                "met": chains.met,
            },
            "plan-masked": {
                "entity": names_column(texts_at(incidence.entities, plan.masked)),
                "type": coded_column(incidence.type[plan.masked], incidence.types),
                "stage": coded_column(stage, STAGES),
                "gain": plan.gain,
                "served": plan.served,
            },
            "plan-documents": {"document": ids, "before": plan.before, "after": plan.after},
        },
    )
    size = size_table(plan.size)
    run.write_json(PLAN, {"settings": given, "masked": "plan-masked.parquet", "size": size})


def plan_table(incidence: Incidence, plan: Plan, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of plan.json."""
    ids = incidence.documents
    chains = plan.chains
    return {
        "settings": dict(settings),
        "masked": [
            {
                "entity": entity,
                "type": incidence.types[kind],
                "stage": stage,
                "gain": rounded(gain),
                "served": served,
            }
            for entity, kind, stage, gain, served in zip(
                texts_at(incidence.entities, plan.masked),
                incidence.type[plan.masked].tolist(),
                plan.stage,
                plan.gain.tolist(),
                plan.served.tolist(),
                strict=True,
            )
        ],
        "documents": [
            {"document": ids[d], "before": rounded(before), "after": rounded(after)}
            for d, (before, after) in enumerate(
                zip(plan.before.tolist(), plan.after.tolist(), strict=True)
            )
        ],
        "chains": [
            {
                "documents": [ids[d] for d in path if d >= 0],
                "category": LEVELS[chains.level[i]],
                "before": rounded(chains.before[i]),
                "after": rounded(chains.after[i]),
                "target": rounded(chains.target[i]),
                "met": bool(chains.met[i]),
                **({} if chains.met[i] else {"reason": chains.reason.get(i, "")}),
            }
            for i, path in enumerate(chains.documents.tolist())
        ],
        "size": size_table(plan.size),
    }


def plan_of(run: Run) -> Mapping[str, Any]:
    """Read the plan of a run back, its masked set as rows.

    Raises:
        RunError: the run holds no plan.
    """
    if not run.find(PLAN).exists():
        raise RunError(f"{run.path} holds no plan: make one with linkmask plan {run.path}")
    table = run.read_json(PLAN)
    if isinstance(table, dict) and isinstance(table.get("masked"), str):
        import pyarrow.parquet as pq

        rows = pq.read_table(run.find("plan-masked.parquet")).to_pylist()
        return {**table, "masked": rows}
    return table if isinstance(table, dict) else {}


def settings_of(run: Run, table: Mapping[str, Any]) -> Settings:
    """Return the settings that a kept plan or release was made with.

    Raises:
        RunError: they are missing or of another version.
    """
    try:
        return run.settings_from(table["settings"])
    except (KeyError, TypeError, AttributeError, msgspec.ValidationError):
        raise RunError("the run holds no settings of this version: plan it again") from None


def masked_of(
    table: Mapping[str, Any], incidence: Incidence
) -> tuple[Ints, list[Any], Floats, Ints]:
    """Read the masked set of a plan.json back: entity numbers, stages, gains, chains served.

    Raises:
        RunError: the table names an entity that the corpus does not hold, or lacks a column.
    """
    number = {entity: n for n, entity in enumerate(incidence.entities)}
    try:
        found = {
            number[row["entity"]]: (row["stage"], row.get("gain", 0.0), row.get("served", 0))
            for row in table["masked"]
        }
    except (KeyError, TypeError, AttributeError):
        found = {-1: ("", 0.0, 0)}
    if not {stage for stage, _, _ in found.values()} <= set(STAGES):
        raise RunError(
            "plan.json names an entity that this run does not hold, or a stage other than "
            f"{', '.join(STAGES)}: plan the run again"
        )
    rows = [(entity, *rest) for entity, rest in found.items()]
    return (
        np.array([row[0] for row in rows], dtype=np.int32),
        [row[1] for row in rows],
        np.array([row[2] for row in rows], dtype=np.float64),
        np.array([row[3] for row in rows], dtype=np.int32),
    )


def masked_ids(table: Mapping[str, Any]) -> list[str]:
    """Return the ids of the entities that a kept plan or release masks; odd rows are left out."""
    rows = table.get("masked", ())
    return [row["entity"] for row in rows if isinstance(row, dict) and "entity" in row]


def without_unknown(table: Mapping[str, Any], incidence: Incidence) -> dict[str, Any]:
    """Return a kept plan or release without the entities that the corpus no longer holds."""
    entities = set(incidence.entities)
    return {**table, "masked": [row for row in table["masked"] if row["entity"] in entities]}
