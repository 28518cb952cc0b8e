"""Policies over a corpus: what they demand of its entities, and in which style that is written.

What was decided later than by the tables, techniques that a failed check made stricter, is kept
in the run (`policy.json`), so that every command on it decides alike.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from linkmask import policy
from linkmask.config import Settings
from linkmask.formulas import none_masked
from linkmask.graph.entities import canonical
from linkmask.policy import Demands, Justification, Policy, strengthened
from linkmask.records import Incidence, Plan, entity_id
from linkmask.redact.techniques import TECHNIQUES
from linkmask.runs import Run

STYLES = {"removal": "redact", "tokenization": "token", "pseudonymization": "pseudonym"}
"""Style that carries a technique out, where it is not called as the technique is."""

KEPT = "policy.json"


def style_of(technique: str) -> str:
    """Return the style that carries a technique out."""
    return STYLES.get(technique, technique)


def policies(settings: Settings) -> list[Policy]:
    """Return the policies in use.

    Raises:
        SettingsError: one can't be read, or is wrong.
    """
    return [policy.load(name) for name in settings.policy]


def styles(settings: Settings) -> set[str]:
    """Return the names of all styles that may be written in."""
    techniques = {rule.technique for each in policies(settings) for rule in each.rules.values()}
    if techniques:
        techniques |= {strengthened(technique) for technique in techniques}
    demanded = {style_of(technique) for technique in techniques - {"keep"}}
    return {settings.style, *settings.styles.values(), *demanded}


def regulate(run: Run, incidence: Incidence, settings: Settings) -> Demands | None:
    """Return what the policies in use demand; None where none is in use.

    A value that stands in the text as its technique would leave it (an age of 47 where ages under
    90 may stay, a mere year) is as demanded already: whether it is masked is for the limits.
    """
    if not settings.policy:
        return None
    kept = run.read_json(KEPT) if (run.path / KEPT).exists() else {}
    numbers = {name: number for number, name in enumerate(incidence.entities)} if kept else {}
    stricter = {numbers[name]: technique for name, technique in kept.items() if name in numbers}
    found = policy.demands(incidence, policies(settings), strengthened=stricter)
    return found.without(_as_demanded(run, incidence, found, settings))


def strengthen(run: Run, incidence: Incidence, found: Demands, entities: Iterable[int]) -> None:
    """Make the techniques of some entities stricter from now on."""
    kept = run.read_json(KEPT) if (run.path / KEPT).exists() else {}
    for entity in entities:
        if decision := found.of(entity):
            kept[incidence.entities[entity]] = strengthened(decision.technique)
    run.write_json(KEPT, dict(sorted(kept.items())))


def _as_demanded(
    run: Run, incidence: Incidence, found: Demands, settings: Settings
) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the entities of which every spelling stays as it is under its technique."""
    changed: dict[int, bool] = {}
    techniques: dict[str, tuple[int, str]] = {}
    for entity in found.demanded.tolist():
        decision = found.of(entity)
        if decision and decision.technique in TECHNIQUES:
            techniques[incidence.entities[entity]] = entity, decision.technique
    seen = {(m.value, m.type, m.original) for m in run.mentions()} if techniques else set()
    for value, entity_type, original in sorted(seen):
        known = techniques.get(entity_id(value, entity_type, settings.id_separator))
        if known:
            written = TECHNIQUES[known[1]](original, value, settings.languages[0])
            same = written == original or _says(entity_type, written, value)
            changed[known[0]] = changed.get(known[0], False) or not same
    alike = [entity for entity, differs in changed.items() if not differs]
    return np.array(sorted(alike), dtype=np.int32)


def _says(entity_type: str, written: str | None, value: str) -> bool:
    """Tell whether what a technique writes is the same value: "Q2 2024" for 2024-Q2."""
    return written is not None and canonical(entity_type, written) == value


def styled(found: Demands | None, incidence: Incidence, masked: Iterable[int]) -> Mapping[str, str]:
    """Return the style of each masked entity that a policy demands in a style of its own."""
    if found is None:
        return {}
    decisions = ((entity, found.of(entity)) for entity in masked)
    return {
        incidence.entities[entity]: style_of(decision.technique)
        for entity, decision in decisions
        if decision and decision.technique != "keep"
    }


def justified(found: Demands, incidence: Incidence) -> Iterator[tuple[int, Justification]]:
    """Yield each entity that a policy decided on, with why; holds no value."""
    first = np.full(incidence.n_entities, incidence.n_documents, dtype=np.int64)
    document = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
    np.minimum.at(first, incidence.entity, document)
    known: dict[tuple[str, str, int], Justification] = {}
    for entity in np.flatnonzero(found.code < policy.UNDECIDED).tolist():
        decision = found.of(entity)
        if decision is None:
            continue
        route = int(found.route[first[entity]])
        key = decision.type, f"{decision.policy} {decision.technique}", route
        if key not in known:
            known[key] = policy.justify(decision, found.routes[route].types)
        yield entity, known[key]


def ruling(found: Demands | None, incidence: Incidence) -> Callable[[int], str]:
    """Return what the policies decided on an entity and why, in a sentence; "" where nothing."""
    if found is None:
        return lambda entity: ""
    known = dict(justified(found, incidence))
    return lambda entity: known[entity].sentence if entity in known else ""


def decisions(found: Demands, incidence: Incidence, plan: Plan) -> Iterator[dict[str, Any]]:
    """Yield a row per entity that a policy decided on: what was done with it, and why."""
    stage = dict(zip(plan.masked.tolist(), plan.stage, strict=True))
    for entity, why in justified(found, incidence):
        yield {
            "entity": incidence.entities[entity],
            **msgspec.to_builtins(why),
            "documents": int(incidence.frequency[entity]),
            "masked": stage.get(entity, ""),
        }


def account(found: Demands, incidence: Incidence, plan: Plan | None, tries: int) -> dict[str, Any]:
    """Sum up what the policies demanded, what the limits added, what was kept, and why.

    `leading` and `applying` count documents, `entities` what a rule decided on, `limits` those of
    them that it keeps and the limits masked.
    """
    masked = none_masked(incidence.n_entities)
    if plan is not None:
        masked[plan.masked] = True
    rows: dict[str, dict[tuple[str, str], dict[str, Any]]] = {}
    for entity, why in justified(found, incidence):
        row = rows.setdefault(why.policy, {}).setdefault(
            (why.type, why.technique),
            {**msgspec.to_builtins(why), "entities": 0, "limits": 0},
        )
        row["entities"] += 1
        row["limits"] += int(why.technique == "keep" and masked[entity])
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


PERSONAL = ("NAME", "PATIENT_ID", "NATIONAL_ID")
"""Types whose values tell who a document is about, where they are relevant enough."""
RELEVANT = 0.5
MOST_DAYS = 365


def days_by_person(incidence: Incidence, dates: Iterable[str], key: bytes) -> dict[str, int]:
    """Return by how many days each date is moved: ±1 to 365, the same for all of one person.

    Documents that share a name or number which is about their person are about one person; the
    days come from the key and the person's first such entity. A date that stands in documents of
    several persons is left out.
    """
    person = _persons(incidence)
    numbers = {name: number for number, name in enumerate(incidence.entities)}
    wanted = {numbers[name]: name for name in dates if name in numbers}
    owners: dict[int, set[int]] = {}
    document = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
    held = np.isin(incidence.entity, np.array(sorted(wanted), dtype=np.int32))
    for entity, where in zip(incidence.entity[held].tolist(), document[held].tolist(), strict=True):
        owners.setdefault(entity, set()).add(person[where])
    return {
        wanted[entity]: _days_of(incidence.entities[owner] if owner >= 0 else "", key)
        for entity, (owner, *others) in sorted(owners.items())
        if not others
    }


def _days_of(person: str, key: bytes) -> int:
    drawn = int.from_bytes(hmac.digest(key, b"linkmask days " + person.encode(), "sha256")[:8])
    days = drawn // 2 % MOST_DAYS + 1
    return days if drawn % 2 else -days


def _persons(incidence: Incidence) -> list[int]:
    """Return, for each document, the smallest entity that names its person, −1 where none does."""
    telling = [number for number, name in enumerate(incidence.types) if name in PERSONAL]
    parent = list(range(incidence.n_entities))

    def root(entity: int) -> int:
        while parent[entity] != entity:
            parent[entity] = entity = parent[parent[entity]]
        return entity

    strong = np.isin(incidence.type[incidence.entity], telling) & (incidence.relevance >= RELEVANT)
    first: list[int] = []
    for begin, end in pairwise(incidence.start.tolist()):
        names = incidence.entity[begin:end][strong[begin:end]].tolist()
        roots = sorted(root(name) for name in names)
        for other in roots[1:]:
            parent[other] = roots[0]
        first.append(roots[0] if roots else -1)
    return [entity if entity < 0 else root(entity) for entity in first]
