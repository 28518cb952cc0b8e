"""Explains what a document gives away, and what links two."""

from __future__ import annotations

from collections.abc import Sequence

from linkmask.errors import UsageError
from linkmask.formulas import LEVELS, noisyor
from linkmask.formulas.risks import HOP_IN_WORDS
from linkmask.report.explain.answer import (
    MOST,
    ExplainAnswer,
    before_and_after,
    chain_name,
    change,
    entity_lists,
    lines_shown,
    record,
    says_if_weakened,
    target_line,
)
from linkmask.report.explain.lookup import RunLookup
from linkmask.report.wording import STAGE_WORDS, count, risk

HIDDEN = "Kept by the plan, but masked with a rare word"


def explain_document(lookup: RunLookup, name: str) -> ExplainAnswer:
    """Say what a document gives away, what of it is masked, and what it is linked to."""
    d = lookup.document(name)
    now, limit = lookup.risk(d), lookup.settings.theta_doc
    held = lookup.entities_of(d)
    kept = [row for row in held if not lookup.masked[row[0]]]
    links = [(other, lookup.strength(d, other)) for other in lookup.linked(d)]
    links.sort(key=lambda link: (-round(link[1][0], 12), link[0]))
    parts = [
        f"Document {lookup.document_name(d)}: risk {change(lookup, now)}; "
        f"it must be below {limit:g}.",
        f"R = {noisyor.IN_WORDS.format('c')} over what is readable; "
        "c = relevance × uniqueness × weight.",
    ]
    parts += entity_lists(lookup, held, ("Readable", f"{HIDDEN}; R counts them", "Masked"), d)
    if len(kept) < len(held):
        parts.append(f"{STAGE_WORDS}.")
    if 0 < len(kept) <= 6:
        factors = " × ".join(f"(1 − {risk(c)})" for _, _, c in kept)
        parts.append(f"R now = 1 − {factors} = {risk(now[1])}")
    fit = lookup.fitting(d)
    parts.append(
        f"Of {lookup.settings.population:,} people, {_people(fit[0])} match what can be read "
        "before masking"
        + ("" if lookup.plan is None else f", and {_people(fit[1])} after it")
        + ", by an estimate (docs/formulas.md#5-documents)."
    )
    if rules := list(dict.fromkeys(filter(None, (lookup.rule(e) for e, *_ in held)))):
        parts.append(f"What the policies in use say of it:\n{lines_shown(rules, len(rules))}")
    if links:
        lines = [
            f"{lookup.document_name(other)}: strength {change(lookup, s)}"
            f"{says_if_weakened(lookup, s)}"
            for other, s in links
        ]
        parts.append(
            f"Linked to {count(len(links), 'document')}:\n{lines_shown(lines, len(links))}"
        )
    else:
        parts.append("It is linked to no other document.")
    unmet = [c for c in lookup.treated([d]) if lookup.plan and not lookup.plan.chains.met[c]]
    if unmet:
        lines = [chain_name(lookup, c) for c in unmet]
        parts.append(f"Chains through it above target:\n{lines_shown(lines, len(unmet))}")
    data = {
        "document": lookup.incidence.documents[d],
        **before_and_after(lookup, "risk", now),
        "limit": limit,
        "people": {
            "population": lookup.settings.population,
            **before_and_after(lookup, "fitting", fit),
        },
        "entities": [record(lookup, row) for row in held],
        "links": [
            {
                "document": lookup.incidence.documents[other],
                **before_and_after(lookup, "strength", s),
            }
            for other, s in links[:MOST]
        ],
        "unmet_chains": [
            [lookup.incidence.documents[one] for one in lookup.path(c)] for c in unmet[:MOST]
        ],
    }
    return ExplainAnswer("\n\n".join(parts), data)


def _people(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}"


# ── pair ────────────────────────────────────────────────────────────────────────────────────────


def explain_pair(lookup: RunLookup, names: Sequence[str]) -> ExplainAnswer:
    """Say what links two documents, how strongly, and what of it masking leaves.

    Raises:
        UsageError: it is not two different documents of the run.
    """
    if len(names) != 2:
        raise UsageError("a pair is two document ids")
    a, b = (lookup.document(name) for name in names)
    if a == b:
        raise UsageError("a pair is two different documents")
    rows = lookup.shared(a, b)
    strength, hop = lookup.strength(a, b), lookup.chain([a, b])
    risks = lookup.risk(a), lookup.risk(b)
    c, linked = lookup.treated_pair(a, b), b in lookup.linked(a)
    data = {
        "documents": [lookup.incidence.documents[a], lookup.incidence.documents[b]],
        **before_and_after(lookup, "strength", strength),
        "threshold": lookup.settings.edge_threshold,
        **before_and_after(lookup, "chain_risk", hop),
        "linked": linked,
        "chain_stage": None if c is None else _at_stage(lookup, c),
        "shared": [record(lookup, row) for row in rows],
    }
    head = f"{lookup.document_name(a)} and {lookup.document_name(b)}"
    if not rows:
        text = f"{head} share no entity: nothing detected links them"
        return ExplainAnswer(f"{text} (words that were not detected may link them).", data)
    if linked:
        so = "are linked"
    elif lookup.holds(strength[0]):
        so = "are not linked: one of them says nothing beyond what the other one says"
    else:
        so = "are not linked: that is too weak"
    parts = [
        f"{head} share {count(len(rows), 'entity', 'entities')} and {so}.",
        "s = larger relevance × u × weight.",
        *_shared(lookup, rows, a, b),
        f"strength = {noisyor.IN_WORDS.format('s')} over what is readable: "
        f"{change(lookup, strength)}; a link counts from {lookup.settings.edge_threshold:g}"
        f"{says_if_weakened(lookup, strength)}.",
        f"chain risk = {_hop('strength', 'R₁', 'R₂')}:\n"
        + "\n".join(
            f"  {when}: {_hop(*(f'{one[k]:.3f}' for one in (strength, *risks)))}"
            f" = {risk(hop[k])} ({lookup.level(hop[k])})"
            for k, when in enumerate(
                ["before masking", "after masking"][: 1 + (lookup.plan is not None)]
            )
        ),
    ]
    if c is not None and lookup.plan is not None:
        met = "met" if lookup.plan.chains.met[c] else "not met"
        parts.append(f"{target_line(lookup, c)} Now {risk(hop[1])}: {met}.")
    elif lookup.plan and lookup.before.chains.complete and linked:
        parts.append(
            "When the chain stage began it was LOW and within "
            f"{lookup.settings.theta_chain:g}: it had no target of its own."
        )
    return ExplainAnswer("\n\n".join(parts), data)


def _hop(strength: str, left: str, right: str) -> str:
    return HOP_IN_WORDS.format(strength=strength, left=left, right=right)


def _shared(
    lookup: RunLookup, rows: Sequence[tuple[int, float, float]], *documents: int
) -> list[str]:
    """List what two documents share: what still is readable in both, then what is masked."""
    still = "Shared" if lookup.plan is None else "Still shared"
    titles = still, f"{HIDDEN}; the strength counts them", "Shared, now masked"
    parts = entity_lists(lookup, rows, titles, *documents)
    return (
        parts
        if not all(lookup.masked[e] for e, *_ in rows)
        else ["Nothing detected is shared any more.", *parts]
    )


def _at_stage(lookup: RunLookup, c: int) -> dict[str, object]:
    """Return one of the plan's chains as the chain stage met it, as data."""
    assert lookup.plan is not None
    chains = lookup.plan.chains
    return {
        "before": float(chains.before[c]),
        "category": LEVELS[chains.level[c]],
        "target": float(chains.target[c]),
        "after": float(chains.after[c]),
        "met": bool(chains.met[c]),
    }
