"""Explains why an entity was masked or kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linkmask.choices import TECHNIQUES
from linkmask.formulas import SLACK
from linkmask.report.explain.answer import (
    MOST,
    ExplainAnswer,
    before_and_after,
    chain_name,
    change,
    lines_shown,
    value_shown,
)
from linkmask.report.explain.corrections import corrected_line
from linkmask.report.explain.lookup import RunLookup
from linkmask.report.wording import count, risk
from linkmask.schema import RARE_TERM


def explain_entity(known: RunLookup, text: str) -> ExplainAnswer:
    """Say why an entity is masked or kept, with its numbers and where they come from."""
    e = known.entity(text)
    n, held = known.incidence.n_documents, known.holders(e)
    u, weight = float(known.incidence.uniqueness[e]), float(known.incidence.weight[e])
    place, state = known.place(e), known.state(e)
    rows = [(d, relevance, relevance * u * weight, known.risk(d)) for d, relevance in held[:MOST]]
    said = "no plan yet: nothing is masked"
    if known.plan is not None:
        said = "kept, still readable" if place is None else "masked"
    corrected = known.corrections(e)
    change_head = "" if known.plan is None else "; document risk before masking → now"
    text = (
        f"{known.name(e)} stands in {len(held):,} of {count(n, 'document')}. It is {said}.\n"
        + "".join(f"{corrected_line(row)}\n" for row in corrected)
        + "\n"
        f"uniqueness u = log((N + 1) / documents) / log(N + 1) "
        f"= log({n + 1} / {len(held)}) / log({n + 1}) = {risk(u)}\n"
        f"weight of {known.type(e)} = {weight:g}\n"
        f"contribution = relevance × u × weight{change_head}:\n"
    ) + lines_shown(
        [
            f"{known.document_name(d)}: {relevance:.3f} × {risk(u)} × {weight:g} = {risk(c)}"
            f"   {change(known, r)}"
            for d, relevance, c, r in rows
        ],
        len(held),
    )
    why, reasons = _why(known, e, [d for d, _ in held])
    if known.rule(e) and known.rule(e) not in why:
        why = f"{known.rule(e)}\n{why}"
    data = {
        "entity": known.incidence.entities[e],
        "type": known.type(e),
        **value_shown(known, e),
        "documents": len(held),
        "uniqueness": u,
        "weight": weight,
        "state": state,
        "mentions": [
            {
                "document": known.incidence.documents[d],
                "relevance": relevance,
                "contribution": c,
                **before_and_after(known, "risk", r),
            }
            for d, relevance, c, r in rows
        ],
        **({"corrections": corrected} if corrected else {}),
        **({"rule": known.rule(e)} if known.rule(e) else {}),
        **reasons,
    }
    if known.plan is not None and place is not None:
        data["gain"] = float(known.plan.gain[place])
        data["served"] = int(known.plan.served[place])
    return ExplainAnswer(f"{text}\n\n{why}".rstrip(), data)


def _why(known: RunLookup, e: int, held: list[int]) -> tuple[str, dict[str, Any]]:
    """Say what would be over a limit were the entity readable: that is why it is masked."""
    if known.plan is None:
        return "", {}
    state, limit = known.state(e), known.settings.theta_doc
    chains, through = known.plan.chains, known.treated(held)
    risks = known.with_readable(e, held[:MOST], through[:MOST])
    over = [(d, r) for d, r in zip(held, risks[0], strict=False) if r >= limit - SLACK]
    above = [
        (c, r) for c, r in zip(through, risks[1], strict=False) if r > chains.target[c] + SLACK
    ]
    data = {
        "documents_over": [
            {"document": known.incidence.documents[d], "risk": r, "limit": limit} for d, r in over
        ],
        "chains_over": [
            {
                "documents": [known.incidence.documents[d] for d in known.path(c)],
                "risk": r,
                "target": float(chains.target[c]),
            }
            for c, r in above
        ],
    }
    has = "has" if state == "kept" else "would have"
    lines = [
        f"document {known.document_name(d)} {has} risk {risk(r)}; its limit is below {limit:g}"
        for d, r in over
    ] + [
        f"chain {chain_name(known, c)} {has} risk {risk(r)}, "
        f"over its target of {risk(float(chains.target[c]))}"
        for c, r in above
    ]
    if state != "kept" and not over and held:
        its = "its document" if len(held) == 1 else f"its {count(len(held), 'document')}"
        lines.insert(0, f"{its} would stay below {limit:g} (highest {risk(max(risks[0]), limit)})")
    said = _because(known, e, state, lines, bool(over or above))
    if len(held) > MOST or len(through) > MOST:
        said += (
            f"\nLooked at: {min(len(held), MOST):,} of {count(len(held), 'document')} and "
            f"{min(len(through), MOST):,} of {count(len(through), 'chain')}, the foremost first."
        )
    return said, data


def _because(known: RunLookup, e: int, state: str, lines: Sequence[str], needed: bool) -> str:
    """Say by whom or what the entity was chosen or left, and what holds without the mask today."""
    plan, entity = known.plan, known.incidence.entities[e]
    assert plan is not None
    place = known.place(e)
    if place is None:
        return _kept(known, e, lines)
    if entity in known.settings.always_mask:
        return (
            "Somebody decided that it goes (plan --mask), or an earlier run masked it "
            "(mask --keep-masked)."
        )
    if state == "floor" and known.rule(e):
        return known.rule(e)
    if state == "floor" and known.type(e) == RARE_TERM:
        return (
            "Few documents hold this word, and the linker takes one of them and this one for one "
            "person's (setting rare_terms), or it leads to a public text (setting background): it "
            "is masked here, whatever the risk."
        )
    if state == "floor" and known.type(e) not in known.settings.floor:
        exact = " that is so exact" * (known.settings.generalize.get(known.type(e)) in TECHNIQUES)
        return (
            f"A value of type {known.type(e)}{exact} is masked whatever the risk "
            "(setting generalize)."
        )
    if state == "floor":
        return f"Its type {known.type(e)} is on the floor: it is masked whatever the risk."
    served = count(int(plan.served[place]), state)
    chosen = f"Chosen at the {state} stage for {served} (gain {risk(float(plan.gain[place]))})."
    today = "Today, were it readable and all else masked as planned:"
    spare = "" if needed else "\nNo document and no chain needs it by itself any more."
    return f"{chosen}\n{today}\n{lines_shown(lines, len(lines))}{spare}"


def _kept(known: RunLookup, e: int, lines: Sequence[str]) -> str:
    """Say why an entity is readable, and which limits that leaves unmet."""
    entity, unmet = known.incidence.entities[e], f":\n{lines_shown(lines, len(lines))}"
    if entity in known.settings.never_mask:
        said = "Somebody decided that it stays (plan --keep)"
        return f"{said}, although a limit is not met{unmet}" if lines else f"{said}."
    if known.type(e) in known.settings.floor:
        return "It is kept although its type is on the floor: the plan was changed by hand."
    if lines:
        return f"It is kept although a limit is not met{unmet}"
    return (
        "It is kept because its type is not on the floor, every document it stands in lies "
        f"below {known.settings.theta_doc:g} with it readable, and every chain through them "
        "meets its target."
    )
