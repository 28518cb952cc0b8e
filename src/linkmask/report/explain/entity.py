"""Explains why an entity was masked or kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from linkmask.choices import TECHNIQUES
from linkmask.formulas import SLACK
from linkmask.report.explain.answer import (
    MOST,
    ExplainAnswer,
    before_and_after,
    chain_name,
    change,
    entity_named,
    lines_shown,
)
from linkmask.report.explain.corrections import corrected_line
from linkmask.report.explain.lookup import RunLookup
from linkmask.report.wording import count, risk, why_rare
from linkmask.schema import RARE_TERM


def explain_entity(lookup: RunLookup, text: str) -> ExplainAnswer:
    """Say why an entity is masked or kept, with its numbers and where they come from."""
    e = lookup.entity(text)
    n, held = lookup.incidence.n_documents, lookup.holders(e)
    u, weight = float(lookup.incidence.uniqueness[e]), float(lookup.incidence.weight[e])
    place, state, hidden = lookup.place(e), lookup.state(e), lookup.under_rare_words(e)
    rows = [(d, relevance, relevance * u * weight, lookup.risk(d)) for d, relevance in held[:MOST]]
    sentence = "no plan yet: nothing is masked"
    if lookup.plan is not None:
        sentence = lookup.standing(e) if place is None else "masked"
    corrected = lookup.corrections(e)
    change_head = "" if lookup.plan is None else "; document risk before masking → now"
    text = (
        f"{lookup.name(e)} stands in {len(held):,} of {count(n, 'document')}. It is {sentence}.\n"
        + "".join(f"{corrected_line(row)}\n" for row in corrected)
        + "\n"
        f"uniqueness u = log((N + 1) / documents) / log(N + 1) "
        f"= log({n + 1} / {len(held)}) / log({n + 1}) = {risk(u)}\n"
        f"weight of {lookup.type(e)} = {weight:g}\n"
        f"contribution = relevance × u × weight{change_head}:\n"
    ) + lines_shown(
        [
            f"{lookup.document_name(d)}: {relevance:.3f} × {risk(u)} × {weight:g} = {risk(c)}"
            f"   {change(lookup, r)}"
            for d, relevance, c, r in rows
        ],
        len(held),
    )
    why, reasons = _why(lookup, e, [d for d, _ in held])
    if lookup.rule(e) and lookup.rule(e) not in why:
        why = f"{lookup.rule(e)}\n{why}"
    data = {
        **entity_named(lookup, e),
        "documents": len(held),
        "uniqueness": u,
        "weight": weight,
        "state": state,
        **({"rare_words_in": [lookup.incidence.documents[d] for d in hidden]} if hidden else {}),
        "mentions": [
            {
                "document": lookup.incidence.documents[d],
                "relevance": relevance,
                "contribution": c,
                **before_and_after(lookup, "risk", r),
            }
            for d, relevance, c, r in rows
        ],
        **({"corrections": corrected} if corrected else {}),
        **({"rule": lookup.rule(e)} if lookup.rule(e) else {}),
        **reasons,
    }
    if lookup.plan is not None and place is not None:
        data["gain"] = float(lookup.plan.gain[place])
        data["served"] = int(lookup.plan.served[place])
    return ExplainAnswer(f"{text}\n\n{why}".rstrip(), data)


def _why(lookup: RunLookup, e: int, held: list[int]) -> tuple[str, dict[str, Any]]:
    """Say what would be over a limit were the entity readable: that is why it is masked."""
    if lookup.plan is None:
        return "", {}
    state, limit = lookup.state(e), lookup.settings.theta_doc
    chains, through = lookup.plan.chains, lookup.treated(held)
    risks = lookup.with_readable(e, held[:MOST], through[:MOST])
    over = [(d, r) for d, r in zip(held, risks[0], strict=False) if r >= limit - SLACK]
    above = [
        (c, r) for c, r in zip(through, risks[1], strict=False) if r > chains.target[c] + SLACK
    ]
    data = {
        "documents_over": [
            {"document": lookup.incidence.documents[d], "risk": r, "limit": limit} for d, r in over
        ],
        "chains_over": [
            {
                "documents": [lookup.incidence.documents[d] for d in lookup.path(c)],
                "risk": r,
                "target": float(chains.target[c]),
            }
            for c, r in above
        ],
    }
    has = "has" if state == "kept" else "would have"
    lines = [
        f"document {lookup.document_name(d)} {has} risk {risk(r)}; its limit is below {limit:g}"
        for d, r in over
    ] + [
        f"chain {chain_name(lookup, c)} {has} risk {risk(r)}, "
        f"over its target of {risk(float(chains.target[c]))}"
        for c, r in above
    ]
    if state != "kept" and not over and held:
        its = "its document" if len(held) == 1 else f"its {count(len(held), 'document')}"
        lines.insert(0, f"{its} would stay below {limit:g} (highest {risk(max(risks[0]), limit)})")
    sentence = _because(lookup, e, state, lines, bool(over or above))
    if len(held) > MOST or len(through) > MOST:
        sentence += (
            f"\nLooked at: {min(len(held), MOST):,} of {count(len(held), 'document')} and "
            f"{min(len(through), MOST):,} of {count(len(through), 'chain')}, the foremost first."
        )
    return sentence, data


def _because(lookup: RunLookup, e: int, state: str, lines: Sequence[str], needed: bool) -> str:
    """Say by whom or what the entity was chosen or left, and what holds without the mask today."""
    plan, entity = lookup.plan, lookup.incidence.entities[e]
    assert plan is not None
    place = lookup.place(e)
    if place is None:
        return _kept(lookup, e, lines)
    if entity in lookup.settings.always_mask:
        return (
            "Somebody decided that it goes (plan --mask), or an earlier run masked it "
            "(mask --keep-masked)."
        )
    if state == "floor" and lookup.rule(e):
        return lookup.rule(e)
    if state == "floor" and lookup.type(e) == RARE_TERM:
        sentence = why_rare(msgspec.structs.asdict(lookup.settings))
        return f"{sentence} So it is masked here, whatever the risk."
    if state == "floor" and lookup.type(e) not in lookup.settings.floor:
        technique = lookup.settings.generalize.get(lookup.type(e))
        which = " that is so exact" if technique in TECHNIQUES else ""
        if technique == "generalization:common":
            which = " that few people have"
        return (
            f"A value of type {lookup.type(e)}{which} is masked whatever the risk "
            "(setting generalize)."
        )
    if state == "floor":
        return f"Its type {lookup.type(e)} is on the floor: it is masked whatever the risk."
    served = count(int(plan.served[place]), state)
    gain = risk(float(plan.gain[place]))
    chosen = f"Chosen at the {state} stage for {served}; the mask lowers the risk by {gain}."
    today = "Today, were it readable and all else masked as planned:"
    spare = "" if needed else "\nNo document and no chain needs it by itself any more."
    return f"{chosen}\n{today}\n{lines_shown(lines, len(lines))}{spare}"


def _kept(lookup: RunLookup, e: int, lines: Sequence[str]) -> str:
    """Say why an entity is readable, and which limits that leaves unmet."""
    entity, unmet = lookup.incidence.entities[e], f":\n{lines_shown(lines, len(lines))}"
    if entity in lookup.settings.never_mask:
        sentence = "Somebody decided that it stays (plan --keep)"
        return f"{sentence}, although a limit is not met{unmet}" if lines else f"{sentence}."
    if lookup.type(e) in lookup.settings.floor:
        return "It is kept although its type is on the floor: the plan was changed by hand."
    if lines:
        return f"It is kept although a limit is not met{unmet}"
    return (
        "It is kept because its type is not on the floor, every document it stands in lies "
        f"below {lookup.settings.theta_doc:g} with it readable, and every chain through them "
        "meets its target."
    )
