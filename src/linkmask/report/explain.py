"""Why an entity was masked or kept, what links two documents, what is left of one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.formulas import SLACK
from linkmask.records import Incidence, Mention, Plan, Risk
from linkmask.report.known import Known, Now
from linkmask.report.wording import count, risk

ROWS = 15
"""Rows of a list in words; the data hold up to `MOST`."""
MOST = 1000


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in plain words, and the same as data."""

    text: str
    data: dict[str, Any]


def explain(
    question: Mapping[str, Any],
    incidence: Incidence,
    before: Risk,
    plan: Plan | None,
    mentions: Callable[[], Iterable[Mention]],
    settings: Settings,
    *,
    show_values: bool = False,
) -> Answer:
    """Answer one question about a run.

    Args:
        question: one of `{"entity": id or value}`, `{"document": id}`, `{"pair": (id, id)}`,
            `{"person": a value that names the person}`.
        mentions: gives the run's mentions, each time anew (`run.mentions`).
        show_values: name values beside ids; else the answer holds none.

    Raises:
        UsageError: what was asked for is unknown, or not the only one.
    """
    asked = {name: value for name, value in question.items() if value}
    if len(asked) != 1 or not set(asked) <= set(QUESTIONS):
        raise UsageError("ask about one thing: an entity, a document, a pair or a person")
    ((name, value),) = asked.items()
    return QUESTIONS[name](Known(incidence, before, plan, mentions, settings, show_values), value)


# ── entity ──────────────────────────────────────────────────────────────────────────────────────


def explain_entity(known: Known, text: str) -> Answer:
    """Say why an entity is masked or kept, with its numbers and where they come from."""
    e = known.entity(text)
    n, held = known.incidence.n_documents, known.documents_of(e)
    u, weight = float(known.incidence.uniqueness[e]), float(known.incidence.weight[e])
    place, state = known.place(e), known.state(e)
    rows = []
    for d in held[:MOST]:
        relevance = next(r for other, r, _ in known.entities_of(d) if other == e)
        rows.append((d, relevance, relevance * u * weight, known.risk(d)))
    rows.sort(key=lambda row: (-round(row[2], 12), row[0]))
    said = "no plan yet: nothing is masked"
    if known.plan is not None:
        said = "kept" if place is None else f"masked at the {state} stage"
    text = (
        f"{known.name(e)} stands in {len(held):,} of {count(n, 'document')}. It is {said}.\n\n"
        f"uniqueness u = log((N + 1) / documents) / log(N + 1) "
        f"= log({n + 1} / {len(held)}) / log({n + 1}) = {risk(u)}\n"
        f"weight of {known.type(e)} = {weight:g}\n"
        "contribution = relevance × u × weight:\n"
    ) + _listed(
        [
            f"{known.called(d)}: {relevance:.3f} × {risk(u)} × {weight:g} = {risk(c)}"
            f"   document risk {_now(known, r)}"
            for d, relevance, c, r in rows
        ],
        len(held),
    )
    why, reasons = _why(known, e, held)
    data = {
        "entity": known.incidence.entities[e],
        "type": known.type(e),
        **_value(known, e),
        "documents": len(held),
        "uniqueness": u,
        "weight": weight,
        "state": state,
        "mentions": [
            {
                "document": known.incidence.documents[d],
                "relevance": relevance,
                "contribution": c,
                **_both(known, "risk", r),
            }
            for d, relevance, c, r in rows
        ],
        **reasons,
    }
    if known.plan is not None and place is not None:
        data["gain"] = float(known.plan.gain[place])
        data["served"] = int(known.plan.served[place])
    return Answer(f"{text}\n\n{why}".rstrip(), data)


def _why(known: Known, e: int, held: Sequence[int]) -> tuple[str, dict[str, Any]]:
    """Say what would be over a limit were the entity readable: that is why it is masked."""
    if known.plan is None:
        return "", {}
    state, limit = known.state(e), known.settings.theta_doc
    over = [(d, known.alone(d, e)) for d in held[:MOST]]
    over = [(d, r) for d, r in over if r >= limit - SLACK]
    chains = known.plan.chains
    above = []
    for c in known.treated(held):
        now = known.chain(known.path(c), readable=e)[1]
        if now > chains.target[c] + SLACK:
            above.append((c, now))
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
            for c, r in above[:MOST]
        ],
    }
    lines = [
        f"document {known.called(d)} would have risk {risk(r)}, its limit is below {limit:g}"
        for d, r in over
    ] + [
        f"chain {_path(known, c)} would have risk {risk(r)}, "
        f"its target is {risk(float(chains.target[c]))}"
        for c, r in above
    ]
    return _because(known, e, state, lines), data


def _because(known: Known, e: int, state: str, lines: Sequence[str]) -> str:
    plan = known.plan
    assert plan is not None
    if state == "kept":
        if lines:
            head = "It is kept although a limit is not met, because masking it does not help enough"
            return f"{head}:\n{_listed(lines, len(lines))}"
        return (
            f"It is kept because its type is not on the floor, every document it stands in lies "
            f"below {known.settings.theta_doc:g} with it readable, and every chain through them "
            f"meets its target."
        )
    place = known.place(e)
    assert place is not None
    gain = f"gain {risk(float(plan.gain[place]))} over {_served(state, int(plan.served[place]))}"
    if state == "floor":
        return (
            f"It is masked because {known.type(e)} is on the floor: its type is masked whatever "
            "the risk."
        )
    if not lines:
        return (
            f"It was chosen for what was over its limit then ({gain}). With all else masked as "
            "planned, no document and no chain needs it by itself any more."
        )
    return (
        f"It is masked because, with it readable and all else as planned ({gain}):\n"
        f"{_listed(lines, len(lines))}"
    )


def _served(state: str, n: int) -> str:
    return count(n, "chain" if state == "chain" else "document")


# ── document ────────────────────────────────────────────────────────────────────────────────────


def explain_document(known: Known, name: str) -> Answer:
    """Say what a document gives away, what of it is masked, and what it is linked to."""
    d = known.document(name)
    now, limit = known.risk(d), known.settings.theta_doc
    held = known.entities_of(d)
    kept = [row for row in held if not known.masked[row[0]]]
    gone = [row for row in held if known.masked[row[0]]]
    links = [(other, known.strength(d, other)) for other in known.linked(d)]
    links.sort(key=lambda link: (-round(link[1][0], 12), link[0]))
    parts = [
        f"Document {known.called(d)}: risk {_now(known, now)}; the limit is below {limit:g}.",
        "R = 1 − Π (1 − c) over what is readable, c = relevance × u × weight.",
    ]
    for title, rows in (("Readable", kept), ("Masked", gone)):
        if rows:
            lines = [_contribution(known, row) for row in rows]
            parts.append(f"{title} ({len(rows):,}):\n{_listed(lines, len(rows))}")
    if 0 < len(kept) <= 6:
        factors = " × ".join(f"(1 − {risk(c)})" for _, _, c in kept)
        parts.append(f"R now = 1 − {factors} = {risk(now[1])}")
    if links:
        lines = [
            f"{known.called(other)}: strength {_now(known, s)}{_cut(known, s)}"
            for other, s in links
        ]
        parts.append(f"Linked to {count(len(links), 'document')}:\n{_listed(lines, len(links))}")
    else:
        parts.append("It is linked to no other document.")
    unmet = [c for c in known.treated([d]) if known.plan and not known.plan.chains.met[c]]
    if unmet:
        lines = [_path(known, c) for c in unmet]
        parts.append(f"Chains through it above target:\n{_listed(lines, len(unmet))}")
    data = {
        "document": known.incidence.documents[d],
        **_both(known, "risk", now),
        "limit": limit,
        "entities": [_row(known, row) for row in held],
        "links": [
            {"document": known.incidence.documents[other], **_both(known, "strength", s)}
            for other, s in links[:MOST]
        ],
        "unmet_chains": [
            [known.incidence.documents[one] for one in known.path(c)] for c in unmet[:MOST]
        ],
    }
    return Answer("\n\n".join(parts), data)


def _contribution(known: Known, row: tuple[int, float, float]) -> str:
    e, relevance, c = row
    u, weight = float(known.incidence.uniqueness[e]), float(known.incidence.weight[e])
    state = known.state(e)
    stage = "" if state == "kept" else f"   {state}"
    return f"{known.name(e)}: {relevance:.3f} × {risk(u)} × {weight:g} = {risk(c)}{stage}"


# ── pair ────────────────────────────────────────────────────────────────────────────────────────


def explain_pair(known: Known, names: Sequence[str]) -> Answer:
    """Say what links two documents, how strongly, and what of it masking leaves."""
    if len(names) != 2:
        raise UsageError("a pair is two document ids")
    a, b = (known.document(name) for name in names)
    if a == b:
        raise UsageError("a pair is two different documents")
    rows = known.shared(a, b)
    strength, hop = known.strength(a, b), known.chain([a, b])
    risks = known.risk(a), known.risk(b)
    target = known.target(a, b)
    data = {
        "documents": [known.incidence.documents[a], known.incidence.documents[b]],
        **_both(known, "strength", strength),
        "threshold": known.settings.edge_threshold,
        **_both(known, "chain_risk", hop),
        "linked": known.holds(strength[0]),
        "target": None if target is None else target[0],
        "met": None if target is None else target[1],
        "shared": [_row(known, row) for row in rows],
    }
    head = f"{known.called(a)} and {known.called(b)}"
    if not rows:
        return Answer(f"{head} share no entity: nothing detected links them.", data)
    linked = "are linked" if known.holds(strength[0]) else "are not linked: that is too weak"
    parts = [
        f"{head} share {count(len(rows), 'entity', 'entities')} and {linked}.",
        "s = larger relevance × u × weight:\n"
        + _listed([_contribution(known, row) for row in rows], len(rows)),
        f"strength = 1 − Π (1 − s) over what is readable: {_now(known, strength)}; "
        f"a link counts from {known.settings.edge_threshold:g}{_cut(known, strength)}.",
        "chain risk = strength × (1 + (R₁ + R₂) / 2) / 2:\n"
        + "\n".join(
            f"  {when}: {risk(strength[k])} × (1 + ({risk(risks[0][k])} + {risk(risks[1][k])})"
            f" / 2) / 2 = {risk(hop[k])} ({known.level(hop[k])})"
            for k, when in enumerate(["before", "after"][: 1 + (known.plan is not None)])
        ),
    ]
    if target is not None:
        met = "met" if target[1] else "not met"
        parts.append(f"Its target was at most {risk(target[0])}: {met}.")
    elif known.plan is not None and known.holds(strength[0]):
        parts.append(
            "When the chain stage began it was LOW and within "
            f"{known.settings.theta_chain:g}: it had no target of its own."
        )
    return Answer("\n\n".join(parts), data)


# ── person ──────────────────────────────────────────────────────────────────────────────────────


def explain_person(known: Known, value: str) -> Answer:
    """Say what the corpus still tells about one person, found by a value that names them."""
    named = known.written(value) or [known.entity(value)]
    own = sorted({d for e in named for d in known.documents_of(e)})[:MOST]
    near = sorted({other for d in own for other in known.linked(d)} - set(own))
    pairs = [
        (a, b, known.strength(a, b)) for a in own for b in known.linked(a) if b not in own or a < b
    ]
    pairs.sort(key=lambda pair: (-round(pair[2][1], 12), -round(pair[2][0], 12), pair[:2]))
    left = [pair for pair in pairs if known.holds(pair[2][1])]
    readable = [e for e in named if not known.masked[e]]
    which = "\n".join(f"  {known.name(e)}: {_state(known, e)}" for e in named)
    parts = [
        f"The value given is {count(len(named), 'entity', 'entities')} of the run, "
        f"in {count(len(own), 'document')}:\n{which}",
        "What these documents still say:\n" + _listed([_says(known, d) for d in own], len(own)),
    ]
    if near:
        lines = [_says(known, d) for d in near[:MOST]]
        parts.append(f"What documents linked to them still say:\n{_listed(lines, len(near))}")
    if pairs:
        lines = [
            f"{known.called(a)} – {known.called(b)}: strength {_now(known, s)}{_cut(known, s)}"
            for a, b, s in pairs
        ]
        parts.append(
            f"Links of these documents, {len(left):,} of {len(pairs):,} left:\n"
            + _listed(lines, len(pairs))
        )
    parts.append(_sum(known, own, readable, pairs, left))
    data = {
        "entities": [
            {
                "entity": known.incidence.entities[e],
                "type": known.type(e),
                **_value(known, e),
                "state": known.state(e),
            }
            for e in named
        ],
        "documents": [
            {
                "document": known.incidence.documents[d],
                **_both(known, "risk", known.risk(d)),
                "kept": dict(_kept(known, d)),
                "entities": [
                    _row(known, row) for row in known.entities_of(d) if not known.masked[row[0]]
                ],
            }
            for d in own
        ],
        "linked": [known.incidence.documents[d] for d in near[:MOST]],
        "links": [
            {
                "documents": [known.incidence.documents[a], known.incidence.documents[b]],
                **_both(known, "strength", s),
            }
            for a, b, s in pairs[:MOST]
        ],
    }
    return Answer("\n\n".join(parts), data)


def _kept(known: Known, d: int) -> Counter[str]:
    return Counter(known.type(e) for e, _, _ in known.entities_of(d) if not known.masked[e])


def _says(known: Known, d: int) -> str:
    """Say what is readable in a document: counts by type, or the entities with their values."""
    if known.show_values:
        kept = [known.name(e) for e, _, _ in known.entities_of(d) if not known.masked[e]]
    else:
        kept = [f"{n} {name}" for name, n in sorted(_kept(known, d).items())]
    said = ", ".join(kept) or "nothing that was detected"
    return f"{known.called(d)}: risk {_now(known, known.risk(d))}; {said}"


def _sum(
    known: Known,
    own: Sequence[int],
    readable: Sequence[int],
    pairs: Sequence[Any],
    left: Sequence[Any],
) -> str:
    worst = max((known.risk(d)[1] for d in own), default=0.0)
    if known.plan is None:
        return f"Nothing is masked yet. The riskiest of these documents has risk {risk(worst)}."
    said = "The value itself is still readable. " if readable else "The value itself is masked. "
    said += (
        f"The riskiest of these documents has risk {risk(worst)} "
        f"(limit: below {known.settings.theta_doc:g})"
    )
    if not pairs:
        return said + "; nothing linked them to each other or to others."
    if not left:
        return said + "; no link between them, or from them, is left."
    return said + (
        f"; {len(left):,} of {count(len(pairs), 'link')} are left, the strongest "
        f"{risk(left[0][2][1])}."
    )


# ── words and data ──────────────────────────────────────────────────────────────────────────────


def _now(known: Known, pair: Now) -> str:
    return risk(pair[0]) if known.plan is None else f"{risk(pair[0])} → {risk(pair[1])}"


def _cut(known: Known, strength: Now) -> str:
    cut = known.holds(strength[0]) and not known.holds(strength[1])
    return ": cut by masking" if cut else ""


def _state(known: Known, e: int) -> str:
    if known.plan is None:
        return "nothing is masked yet"
    state = known.state(e)
    return "kept, still readable" if state == "kept" else f"masked at the {state} stage"


def _path(known: Known, c: int) -> str:
    return " – ".join(known.called(d) for d in known.path(c))


def _listed(lines: Sequence[str], whole: int) -> str:
    more = [f"… and {whole - ROWS:,} more"] if whole > ROWS else []
    return "\n".join(f"  {line}" for line in [*lines[:ROWS], *more])


def _value(known: Known, e: int) -> dict[str, Any]:
    return {"value": known.value(e)} if known.show_values else {}


def _row(known: Known, row: tuple[int, float, float]) -> dict[str, Any]:
    e, relevance, c = row
    return {
        "entity": known.incidence.entities[e],
        "type": known.type(e),
        **_value(known, e),
        "state": known.state(e),
        "relevance": relevance,
        "uniqueness": float(known.incidence.uniqueness[e]),
        "weight": float(known.incidence.weight[e]),
        "contribution": c,
    }


def _both(known: Known, name: str, pair: Now) -> dict[str, float]:
    after = {} if known.plan is None else {f"{name}_after": pair[1]}
    return {f"{name}_before": pair[0], **after}


QUESTIONS: dict[str, Callable[[Known, Any], Answer]] = {
    "entity": explain_entity,
    "document": explain_document,
    "pair": explain_pair,
    "person": explain_person,
}
"""Question by name: who answers it."""
