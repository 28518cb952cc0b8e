"""Risks are recomputed from what is found in the masked texts, with the run's own numbers."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from incidences import WEIGHTS, random_table, settings
from linkmask import graph, plan, schema
from linkmask.config import Settings
from linkmask.records import Finding, Incidence, Mention, MentionTable, Plan, Why
from linkmask.verify import Inspected, blocking, residual_findings

LIMITS = settings(floor=("EMAIL",), weights=WEIGHTS)


def corpus(seed: int) -> tuple[MentionTable, Incidence, Plan]:
    table = random_table(seed)
    incidence = graph.incidence(table, WEIGHTS, LIMITS)
    types = schema.load("thesis").with_weights(WEIGHTS)
    return table, incidence, plan.choose(incidence, graph.assess(incidence, LIMITS), LIMITS, types)


def mention(document: str, kind: str, value: str, relevance: float) -> Mention:
    return Mention(document, "content", 0, 1, kind, "x", value, relevance, Why("test"))


def seen(table: MentionTable, incidence: Incidence, chosen: Plan) -> dict[str, list[Mention]]:
    """What a detector finds after masking: all mentions of the corpus but the masked ones."""
    masked = {incidence.entities[number] for number in chosen.masked.tolist()}
    found: dict[str, list[Mention]] = {name: [] for name in table.documents}
    rows = zip(table.document, table.value, table.type, table.relevance, strict=True)
    for document, value, kind, relevance in rows:
        name = table.documents[document]
        one = mention(name, table.types[kind], table.values[value], float(relevance))
        if one.entity not in masked:
            found[name].append(one)
    return found


def look(
    found: dict[str, list[Mention]], incidence: Incidence, chosen: Plan, limits: Settings = LIMITS
) -> list[Finding]:
    inspected = [Inspected(name, [], mentions) for name, mentions in found.items()]
    return residual_findings(inspected, incidence, chosen, limits, graph.assess)


@pytest.mark.parametrize("seed", range(6))
def test_what_the_plan_left_lies_under_its_limits(seed: int) -> None:
    """Also when the detector scores differently now: known pairs keep the run's relevance."""
    table, incidence, chosen = corpus(seed)
    found = seen(table, incidence, chosen)
    louder = {
        name: [msgspec.structs.replace(m, relevance=1.0) for m in each]
        for name, each in found.items()
    }
    for each in (found, louder):
        assert not blocking(look(each, incidence, chosen))


def test_a_masked_entity_that_is_found_again_blocks_its_document() -> None:
    table, incidence, chosen = corpus(1)
    found = seen(table, incidence, chosen)
    masked = {incidence.entities[number] for number in chosen.masked.tolist()}
    rows = zip(table.document, table.value, table.type, strict=True)
    again = next(
        one
        for d, v, t in rows
        if (one := mention(table.documents[d], table.types[t], table.values[v], 0.1)).entity
        in masked
    )
    found[again.document].append(again)
    failed = blocking(look(found, incidence, chosen))
    assert [f.kind for f in failed[again.document]] == ["leftover"] and len(failed) == 1


def test_new_values_are_listed_and_block_only_where_they_must() -> None:
    table, incidence, chosen = corpus(2)
    found = seen(table, incidence, chosen)
    found["d0"].append(mention("d0", "DEMOGRAPHIC", "new", 0.01))
    found["d1"].append(mention("d1", "EMAIL", "ann@b.org", 0.01))
    kinds = [(f.document, f.kind, f.blocking) for f in look(found, incidence, chosen)]
    assert ("d0", "new-value", False) in kinds and ("d1", "new-value", True) in kinds


def test_a_document_over_its_limit_through_something_new_is_found() -> None:
    table, incidence, chosen = corpus(3)
    found = seen(table, incidence, chosen)
    found["d0"].append(mention("d0", "NAME", "somebody new", 1.0))
    failed = blocking(look(found, incidence, chosen))
    assert list(failed) == ["d0"] and failed["d0"][0].kind == "risk"


def test_two_documents_that_share_something_new_are_a_chain_over_the_limit() -> None:
    """A link that was not there before masking is found through the graph of what is left."""
    table, incidence, chosen = corpus(4)
    empty = {name: [] for name in seen(table, incidence, chosen)}
    shared = [mention(name, "NAME", f"new {n}", 0.9) for name in ("d0", "d1") for n in range(3)]
    for one in shared:
        empty[one.document].append(one)
    lax = replace_settings(theta_doc=1.0)
    failed = blocking(look(empty, incidence, chosen, lax))
    assert sorted(failed) == ["d0", "d1"]
    assert all("chain" in f.detail for each in failed.values() for f in each)


def test_a_document_the_run_does_not_know_is_not_passed() -> None:
    _, incidence, chosen = corpus(5)
    findings = look({"stranger": []}, incidence, chosen)
    assert blocking(findings).keys() == {"stranger"}


def test_limits_the_plan_could_not_meet_are_reported_without_blocking() -> None:
    table, incidence, chosen = corpus(0)
    found = seen(table, incidence, chosen)
    found["d0"].append(mention("d0", "NAME", "somebody new", 1.0))
    unmet = replace(chosen, unmet_documents=np.array([0], np.int32))
    risks = [f for f in look(found, incidence, unmet) if f.kind == "risk" and f.document == "d0"]
    assert risks and not risks[0].blocking


def test_a_link_the_plan_left_above_target_is_known_among_longer_chains() -> None:
    """It does not block, though it is written without the places that longer chains fill."""
    table, incidence, _ = corpus(4)
    risk, none = graph.assess(incidence, LIMITS), np.zeros(0, np.int32)
    open_plan = plan.restore(incidence, risk, LIMITS, none, [], np.zeros(0), none)
    longer = replace_settings(chain_length=3, theta_doc=1.0)
    findings = look(seen(table, incidence, open_plan), incidence, open_plan, longer)
    pairs = [f for f in findings if f.detail.startswith("chain of 2")]
    assert len(pairs) > 5
    assert not any(f.blocking for f in pairs)


def replace_settings(**overrides: object) -> Settings:
    return settings(floor=("EMAIL",), weights=WEIGHTS, **overrides)
