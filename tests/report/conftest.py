"""A corpus small enough to reckon by hand: four documents, four entities, one link, one chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from linkmask.config import Settings, load
from linkmask.formulas import chain_risk, document_risks, edge_strength, none_masked, rows_of
from linkmask.records import (
    Audit,
    Chains,
    Finding,
    Incidence,
    Links,
    Mention,
    Plan,
    PlanSize,
    Risk,
    SetAside,
    TreatedChains,
    Why,
    entity_id,
)
from linkmask.report.audit import RunFigures, audit

VALUES = {"NAME": "ada quill", "EVENT_DATE": "2024-03-12", "AGE": "52", "LOCATION": "harbour town"}
SPELLINGS = {
    "NAME": "Ada Quill", "EVENT_DATE": "12 March 2024", "AGE": "52", "LOCATION": "Harbour Town",
}  # fmt: skip
WEIGHTS = {"NAME": 1.0, "EVENT_DATE": 0.6, "AGE": 0.55, "LOCATION": 0.55}
HELD = [
    {"NAME": 1.0, "EVENT_DATE": 1.0, "LOCATION": 1.0},
    {"NAME": 0.5, "EVENT_DATE": 1.0, "AGE": 0.8, "LOCATION": 0.5},
    {"LOCATION": 1.0},
    {},
]
"""Per document: type of the entity → relevance. Each type has one entity here."""


@dataclass(frozen=True)
class Small:
    """The corpus with its risks, a plan that masks the name (floor) and the date (chain)."""

    incidence: Incidence
    settings: Settings
    before: Risk
    plan: Plan
    after: Risk
    mentions: list[Mention]
    number: dict[str, int]
    values: dict[str, str] = field(default_factory=dict)

    def audit(self, planned: bool = True, **given: Any) -> Audit:
        released = self.incidence.n_documents if planned else 0
        facts = RunFigures(name="letters", characters=1234, released=released, masked_mentions=5)
        if planned:
            given = {"plan": self.plan, "after": self.after, "findings": [], **given}
        return audit(self.incidence, self.before, self.settings, facts, **given)

    def unmet(self) -> Small:
        """The same, but the date is kept: the chain stays above its target."""
        masked = self.plan.masked[:1]
        flags = none_masked(4)
        flags[masked] = True
        chain = np.array([chain_risk(rows_of(self.incidence), flags, [0, 1])])
        chains = replace(
            self.plan.chains,
            after=chain,
            met=np.array([False]),
            reason={0: "no entity left that lowers its risk"},
        )
        plan = replace(
            self.plan,
            masked=masked,
            stage=["floor"],
            gain=self.plan.gain[:1],
            served=self.plan.served[:1],
            chains=chains,
            after=document_risks(rows_of(self.incidence), flags),
        )
        return replace(self, plan=plan, after=_risk(self.incidence, flags))


def build(ids: Sequence[str] = ("a1", "b2", "c3", "d4")) -> Small:
    """Make the corpus with these document ids."""
    types = tuple(VALUES)
    entities = sorted(entity_id(VALUES[name], name) for name in types)
    number = {name: entities.index(entity_id(VALUES[name], name)) for name in types}
    of = {e: name for name, e in number.items()}
    rows = [sorted((number[name], r) for name, r in held.items()) for held in HELD]
    frequency = np.array([sum(of[e] in held for held in HELD) for e in range(4)], dtype=np.int32)
    incidence = Incidence(
        documents=list(ids),
        entities=entities,
        types=types,
        start=np.cumsum([0] + [len(row) for row in rows]).astype(np.int64),
        entity=np.array([e for row in rows for e, _ in row], dtype=np.int32),
        relevance=np.array([r for row in rows for _, r in row]),
        type=np.array([types.index(of[e]) for e in range(4)], dtype=np.int32),
        frequency=frequency,
        uniqueness=np.log(5 / frequency) / np.log(5),
        weight=np.array([WEIGHTS[of[e]] for e in range(4)]),
    )
    settings = load(overrides={"theta_chain": 0.2, "edge_threshold": 0.3}, environment={})
    floor, whole = none_masked(4), none_masked(4)
    floor[number["NAME"]] = True
    whole[[number["NAME"], number["EVENT_DATE"]]] = True
    before, after = _risk(incidence, none_masked(4)), _risk(incidence, whole)
    chains = [chain_risk(rows_of(incidence), flags, [0, 1]) for flags in (floor, whole)]
    plan = Plan(
        masked=np.array([number["NAME"], number["EVENT_DATE"]], dtype=np.int32),
        stage=["floor", "chain"],
        gain=np.array([0.569323, chains[0] - chains[1]]),
        served=np.array([2, 1], dtype=np.int32),
        before=before.documents,
        after=after.documents,
        chains=TreatedChains(
            documents=np.array([[0, 1]], dtype=np.int32),
            before=np.array(chains[:1]),
            after=np.array(chains[1:]),
            target=np.array([0.2]),
            level=np.array([2], dtype=np.int8),
            met=np.array([True]),
        ),
        size=PlanSize(masked=1, lower_bound=1, proven=True, solver="cover"),
        unmet_documents=np.zeros(0, dtype=np.int32),
    )
    mentions = [
        Mention(
            ids[d], "content", 0, len(SPELLINGS[name]), name, SPELLINGS[name], VALUES[name], r,
            Why("hand"),
        )
        for d, held in enumerate(HELD)
        for name, r in held.items()
    ]  # fmt: skip
    values = {mention.entity: mention.original for mention in mentions}
    return Small(incidence, settings, before, plan, after, mentions, number, values)


def _risk(incidence: Incidence, masked: Any) -> Risk:
    rows = rows_of(incidence)
    pair = (np.array([0], dtype=np.int32), np.array([1], dtype=np.int32))
    strength = np.array([edge_strength(rows, masked, 0, 1)])
    risk = np.array([chain_risk(rows, masked, [0, 1])])
    level = "HIGH" if risk[0] >= 0.75 else "MEDIUM" if risk[0] >= 0.5 else "LOW"
    chains = Chains(np.array([[0, 1]], dtype=np.int32), risk, {level: 1})
    return Risk(document_risks(rows, masked), Links(*pair, strength), chains)


@pytest.fixture
def small() -> Small:
    return build()


@pytest.fixture
def small_with() -> Callable[..., Small]:
    return build


@pytest.fixture
def aside() -> list[SetAside]:
    return [SetAside("e5", "read", "not valid JSON"), SetAside("f6", "verify", "leftover")]


@pytest.fixture
def findings() -> list[Finding]:
    return [Finding("f6", "leftover", "1 NAME"), Finding("b2", "risk", "0.4 for 0.3", False)]
