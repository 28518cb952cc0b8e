"""Lists why each entity of a corpus was treated as it was, and counts this for a report."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from linkmask.policy.demands import Demands
from linkmask.policy.justify import Justification, Rank, Write, justify
from linkmask.records import Incidence, Masked, Mention, Plan, Replacement, entity_id
from linkmask.schema import RARE_TERM

Reasons = Mapping[int, Justification]
"""Justification by the number of an entity that a policy decided on; it holds no value."""


def reasons(
    found: Demands, incidence: Incidence, write: Write | None = None, rank: Rank | None = None
) -> Reasons:
    """Return the reason for each entity that a policy decided on.

    A model may word it (`write`) and find the worked example (`rank`).
    """
    every: dict[int, Justification] = {}
    first = np.full(incidence.n_entities, incidence.n_documents, dtype=np.int64)
    document = incidence.document
    np.minimum.at(first, incidence.entity, document)
    by_key: dict[tuple[str, str, int], Justification] = {}
    for entity in found.decided.tolist():
        decision = found.of(entity)
        if decision is None:
            continue
        route = int(found.route[first[entity]])
        key = decision.type, f"{decision.policy} {decision.technique}", route
        if key not in by_key:
            by_key[key] = justify(decision, found.routes[route].types, rank=rank, write=write)
        every[entity] = by_key[key]
    return every


class MaskPlacement:
    """What stands for each entity in the documents that are released, by the entity's id.

    `own` counts the places where its own mask stands, `covered` those of its mentions over which
    the mask of another entity stands, by that one's type: where two masked values overlap, as in
    "Jane Roe, jane.roe@example.org", one mask stands for both. `rare` lists where each rare word is
    masked, as document, field, start and end: it stays readable in other documents.
    """

    def __init__(self, id_separator: str) -> None:
        self._separator = id_separator
        self.own: Counter[str] = Counter()
        self.covered: dict[str, Counter[str]] = {}
        self.rare: dict[str, list[tuple[str, str, int, int]]] = {}

    def note(self, masked: Masked, mentions: Sequence[Mention]) -> None:
        """Count the masks in a masked document, given its mentions."""
        by_field: dict[str, list[Replacement]] = {}
        for one in masked.replacements:
            self.own[one.entity] += 1
            if one.type == RARE_TERM:
                place = masked.id, one.field, one.start, one.end
                self.rare.setdefault(one.entity, []).append(place)
            by_field.setdefault(one.field, []).append(one)
        for mention in mentions:
            written = by_field.get(mention.field, [])
            at = bisect_right(written, mention.start, key=lambda one: one.end)
            if at == len(written) or mention.end <= written[at].start:
                continue
            entity = entity_id(mention.value, mention.type, self._separator)
            if entity != written[at].entity:
                self.covered.setdefault(entity, Counter())[written[at].type] += 1


def decisions(
    why: Reasons,
    incidence: Incidence,
    plan: Plan,
    placed: MaskPlacement,
    values: Mapping[str, str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a row per entity that a policy decided on: what was done with it, and why.

    `placed`: what stands for the entities in what is released; the sentence says so. `values`: a
    spelling of each entity by label, for who asked to see them.
    """
    stage = dict(zip(plan.masked.tolist(), plan.stage, strict=True))
    for entity, reason in why.items():
        yield _row(entity, reason, incidence, stage.get(entity, ""), placed, values)


def rare_word_decisions(
    reason: str,
    incidence: Incidence,
    plan: Plan,
    placed: MaskPlacement,
    named: Mapping[str, str],
    values: Mapping[str, str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield a row per masked rare word, of which no policy speaks, with the places of its mask.

    Args:
        reason: why rare words are masked.
        named: what reports call documents whose ids hold a value.
    """
    why = Justification(RARE_TERM, "", "", "removal", "setting rare_terms", reason, "", reason)
    for entity, stage in zip(plan.masked.tolist(), plan.stage, strict=True):
        if incidence.types[incidence.type[entity]] == RARE_TERM:
            places = [
                {"document": named.get(document, document), "field": f, "start": a, "end": b}
                for document, f, a, b in placed.rare.get(incidence.entities[entity], ())
            ]
            yield {**_row(entity, why, incidence, stage, placed, values), "places": places}


def _row(
    entity: int,
    reason: Justification,
    incidence: Incidence,
    stage: str,
    placed: MaskPlacement,
    values: Mapping[str, str] | None,
) -> dict[str, Any]:
    """Return the row of an entity: what was done with it, and why."""
    label, name = incidence.label(entity), incidence.entities[entity]
    own, covered = placed.own[name], dict(sorted(placed.covered.get(name, {}).items()))
    stated = reason if reason.type == RARE_TERM else reason.by_plan(stage)
    return {
        "entity": label,
        **({"value": values.get(label, "")} if values else {}),
        **msgspec.to_builtins(stated.where(own, covered)),
        "documents": int(incidence.frequency[entity]),
        "masked": stage,
        "written": own,
        "covered": covered,
    }


def account(found: Demands, why: Reasons, plan: Plan | None, tries: int) -> dict[str, Any]:
    """Count, for the report, what policies demanded, limits added and plans kept, with reasons.

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
