"""`risk.json` and `plan.json` of a run (docs/files.md): entities by id, never by value."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.formulas import LEVELS, level, reaches, riskiest_first
from linkmask.records import Floats, Incidence, Ints, Plan, Risk
from linkmask.report.audit import contributions, plan_digest, size_table
from linkmask.report.parquet_columns import (
    coded_column,
    names_column,
    path_columns,
    taken,
    write_tables,
)
from linkmask.runs import Run

STAGES = ("floor", "document", "chain")

LISTED = 100_000
"""Documents, entities, links or chains up to which tables are JSON; larger ones are Parquet."""


def keep_risk(run: Run, incidence: Incidence, risk: Risk, settings: Settings) -> None:
    """Write the risks into the run: risk.json, or Parquet files of the same columns if large."""
    chains = risk.chains
    parquet = _is_parquet(run, "risk-entities")
    if fits_json(incidence, max(len(risk.links), len(chains))) and not parquet:
        run.write_json("risk.json", risk_table(incidence, risk, settings))
        return
    import pyarrow as pa

    ids = pa.array(incidence.documents, pa.string())
    left, right = (coded_column(column, ids) for column in (risk.links.left, risk.links.right))
    strength = risk.links.strength.astype(np.float32)  # half the file; levels are decided before
    paths = {}
    if settings.chain_length > 2:  # of two documents they are the links
        risks: Any = chains.risk
        levels: Any = 2 - sum(reaches(risks, bound) for bound in (settings.high, settings.medium))
        paths["risk-chains"] = {
            **path_columns(chains.documents, ids),
            "risk": chains.risk,
            "category": coded_column(levels.astype(np.int32), LEVELS),
        }
    write_tables(
        run,
        {
            **paths,
            "risk-links": {"left": left, "right": right, "strength": strength},
            "risk-documents": {"document": ids, "risk": risk.documents},
            "risk-entities": {
                "entity": names_column(incidence.entities),
                "type": coded_column(incidence.type, incidence.types),
                "uniqueness": incidence.uniqueness,
                "contribution": contributions(incidence),
                "documents": incidence.frequency,
            },
        },
    )


def keep_plan(run: Run, incidence: Incidence, plan: Plan, settings: Settings) -> None:
    """Write the plan into the run: plan.json, or Parquet files of the same columns if large."""
    given = msgspec.to_builtins(settings)
    if fits_json(incidence, len(plan.chains)) and not _is_parquet(run, "plan-masked"):
        run.write_json("plan.json", plan_table(incidence, plan, given))
        return
    import pyarrow as pa

    stages = {stage: code for code, stage in enumerate(STAGES)}
    stage = np.fromiter(map(stages.__getitem__, plan.stage), np.int32, len(plan.stage))
    ids, chains = pa.array(incidence.documents, pa.string()), plan.chains
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
                "entity": names_column(taken(incidence.entities, plan.masked)),
                "type": coded_column(incidence.type[plan.masked], incidence.types),
                "stage": coded_column(stage, STAGES),
                "gain": plan.gain,
                "served": plan.served,
            },
            "plan-documents": {"document": ids, "before": plan.before, "after": plan.after},
        },
    )
    size = size_table(plan.size)
    run.write_json("plan.json", {"settings": given, "masked": "plan-masked.parquet", "size": size})


def _is_parquet(run: Run, name: str) -> bool:
    """Tell whether a run keeps a table as Parquet: it stays so, that no older one stands beside."""
    return run.find(f"{name}.parquet").exists()


def plan_of(run: Run) -> Mapping[str, Any]:
    """Read the plan of a run back, its masked set as rows."""
    if not run.find("plan.json").exists():
        raise RunError(f"{run.path} holds no plan: make one with linkmask plan {run.path}")
    table = run.read_json("plan.json")
    if isinstance(table, dict) and isinstance(table.get("masked"), str):
        import pyarrow.parquet as pq

        rows = pq.read_table(run.find("plan-masked.parquet")).to_pylist()
        return {**table, "masked": rows}
    return table if isinstance(table, dict) else {}


@dataclass(slots=True)
class Released:
    """What was released: document ids by file, in order, digests of the masked records by file
    alike, and where masks stand that look like values, as (field, start, end) in the masked texts
    by document; the fields that settings excluded, as they spell them; digests of the original
    records by document; and by entity what a mask that varies was drawn by: its language, and the
    try at which a surrogate was drawn, −1 for none. For an update also: digests of the bytes of
    each input file that was released whole (`inputs`), and of each file as it was written
    (`outputs`); by document, how many spans and characters were masked in it, and whether a mask
    stands at a letter or digit (`amounts`); and ids of the entities that were written coarser by
    rule (`coarse`)."""

    documents: dict[str, list[str]] = field(default_factory=dict)
    records: dict[str, list[str]] = field(default_factory=dict)
    masks: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    excluded: set[str] = field(default_factory=set)
    originals: dict[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    amounts: dict[str, tuple[int, int, bool]] = field(default_factory=dict)
    drawn: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    coarse: Container[str] = frozenset()

    def count_named(self, files: Iterable[str], ids: Container[str]) -> int:
        """Count the documents in these files or with these ids, each once."""
        named = set(files)
        return sum(
            file in named or id_ in ids for file, held in self.documents.items() for id_ in held
        )

    def facts_of(self, entity: str) -> dict[str, Any]:
        """Return how an entity's mask was made, as members of its row.

        `coarse` if it was written coarser; what it was drawn by, if anything.
        """
        found = self.drawn.get(entity)
        drawn = {} if found is None else dict(zip(("language", "attempt"), found, strict=True))
        return {**({"coarse": True} if entity in self.coarse else {}), **drawn}


def keep_released(
    run: Run,
    incidence: Incidence,
    plan: Plan,
    settings: Settings,
    released: Released,
) -> None:
    """Write down what was released, and the masked set and settings it was by.

    Planning again changes plan.json; what lies in OUT is checked against this. What an earlier
    plan released is kept beside, with its vault: its OUT may still be there, and is checked
    against that, and restored from it.
    """
    masked = [
        {"entity": (name := incidence.entities[entity]), "stage": stage, **released.facts_of(name)}
        for entity, stage in zip(plan.masked.tolist(), plan.stage, strict=True)
    ]
    given = msgspec.to_builtins(settings)
    columns = {name: getattr(released, name) for name in COLUMNS}
    digest = plan_digest(incidence, plan, settings)
    if (run.path / RELEASED).exists():
        last = run.read_json(RELEASED)
        if (before := last.get("plan", digest)) != digest:
            run.write_json(_released_by(before), last)
            run.keep_vault(before)
    run.write_json(RELEASED, {**columns, "masked": masked, "settings": given, "plan": digest})


RELEASED = "released.json"
COLUMNS = ("documents", "records", "masks", "originals", "inputs", "outputs", "amounts")
"""Members of `Released` that are kept."""


def _released_by(digest: str) -> str:
    return f"released-{digest}.json"


def released_by(run: Run, digest: str) -> Mapping[str, Any]:
    """Read what was released by the plan of this digest, or by the last one that released.

    Raises:
        RunError: the run has released nothing.
    """
    earlier = {path.name for path in run.path.glob(_released_by("*"))}
    table = run.read_json(name if (name := _released_by(digest)) in earlier else RELEASED)
    return table if isinstance(table, dict) else {}


def without_unknown(table: Mapping[str, Any], incidence: Incidence) -> dict[str, Any]:
    """Return a kept plan or release without the entities that the corpus no longer holds."""
    known = set(incidence.entities)
    return {**table, "masked": [row for row in table["masked"] if row["entity"] in known]}


def forget_released(
    run: Run,
    incidence: Incidence,
    documents: Container[str],
    forgotten: Callable[[Mapping[str, Any]], Mapping[str, Any]],
) -> None:
    """Write down again what was released, without the entities that the corpus no longer holds.

    `forgotten` returns its settings without them.

    Nor are digests kept of the original records of the documents that are forgotten.
    """
    for path in run.path.glob("released*.json"):
        table = without_unknown(run.read_json(path.name), incidence)
        digests = table.get("originals", {}).items()
        left = {name: digest for name, digest in digests if name not in documents}
        held = table.get("documents", {}).items()
        whole = {file for file, names in held if not any(name in documents for name in names)}
        inputs = {f: d for f, d in table.get("inputs", {}).items() if f in whole}
        left_over = {"originals": left, "inputs": inputs, "settings": forgotten(table["settings"])}
        run.write_json(path.name, {**table, **left_over})


def settings_of(run: Run, table: Mapping[str, Any]) -> Settings:
    """Return the settings that a kept plan or release was made with.

    Raises:
        RunError: they are missing or of another version.
    """
    try:
        return run.with_copies(msgspec.convert(table["settings"], Settings))
    except (KeyError, TypeError, msgspec.ValidationError):
        raise RunError("the run holds no settings of this version: plan it again") from None


def fits_json(incidence: Incidence, pairs: int) -> bool:
    """Tell whether tables of a corpus are JSON, for people, and not Parquet."""
    return pairs <= LISTED and max(incidence.n_documents, incidence.n_entities) <= LISTED


def shared(incidence: Incidence, left: int, right: int) -> Ints:
    """Return the numbers of the entities that two documents share, ascending."""
    rows = [incidence.entity[incidence.start[d] : incidence.start[d + 1]] for d in (left, right)]
    return np.intersect1d(rows[0], rows[1], assume_unique=True)


def risk_table(incidence: Incidence, risk: Risk, settings: Settings) -> dict[str, Any]:
    """Return the content of risk.json."""
    ids, names = incidence.documents, list(incidence.entities)
    contribution = contributions(incidence)
    links, chains = risk.links, risk.chains
    order = riskiest_first(chains.risk)
    held = [incidence.entity[a:b].tolist() for a, b in pairwise(incidence.start.tolist())]
    sets = list(map(frozenset, held))
    return {
        "documents": [
            {"document": ids[d], "risk": _rounded(value)}
            for d, value in enumerate(risk.documents.tolist())
        ],
        "links": [
            {
                "documents": [ids[a], ids[b]],
                "strength": _rounded(strength),
                "via": [names[e] for e in held[a] if e in sets[b]],
            }
            for a, b, strength in zip(
                links.left.tolist(), links.right.tolist(), links.strength.tolist(), strict=True
            )
        ],
        "chains": [
            {
                "documents": [ids[d] for d in path if d >= 0],
                "risk": _rounded(value),
                "category": LEVELS[level(value, settings.high, settings.medium)],
            }
            for path, value in zip(
                chains.documents[order].tolist(), chains.risk[order].tolist(), strict=True
            )
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
        "size": size_table(plan.size),
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


def coarse_ids(released: Mapping[str, Any]) -> list[str]:
    """Return the ids of the entities that a release wrote coarser by rule."""
    return [row["entity"] for row in released["masked"] if row.get("coarse")]


def _rounded(value: Any) -> float:
    """Six decimals: far finer than any limit, and the same text on every machine."""
    return round(float(value), 6)
