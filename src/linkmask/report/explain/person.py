"""What the corpus still says about one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from linkmask.report.explain.answer import (
    MOST,
    Answer,
    both,
    change,
    listed,
    record,
    standing,
    valued,
    weakened,
)
from linkmask.report.explain.known import Known
from linkmask.report.wording import count, risk


def explain_person(known: Known, value: str) -> Answer:
    """Say what the corpus still tells about one person, found by a value that names them."""
    named = known.written(value) or [known.entity(value)]
    everywhere = sorted({d for e in named for d, _ in known.holders(e)})
    own = everywhere[:MOST]
    inside, linked = set(own), {d: known.linked(d) for d in own}
    near = sorted({other for others in linked.values() for other in others} - inside)
    pairs = [
        (a, b, known.strength(a, b)) for a in own for b in linked[a] if b not in inside or a < b
    ]
    pairs.sort(key=lambda pair: (-round(pair[2][1], 12), -round(pair[2][0], 12), pair[:2]))
    left = [pair for pair in pairs if known.holds(pair[2][1])]
    readable = [e for e in named if not known.masked[e]]
    which = "\n".join(f"  {known.name(e)}: {standing(known, e)}" for e in named)
    parts = [
        f"The value given is {count(len(named), 'entity', 'entities')} of the run, "
        f"in {count(len(everywhere), 'document')}:\n{which}",
        "What these documents still say:\n"
        + listed([_says(known, d) for d in own], len(everywhere)),
    ]
    if near:
        lines = [_says(known, d) for d in near[:MOST]]
        parts.append(f"What documents linked to them still say:\n{listed(lines, len(near))}")
    if pairs:
        lines = [
            f"{known.called(a)} – {known.called(b)}: "
            f"strength {change(known, s)}{weakened(known, s)}"
            for a, b, s in pairs
        ]
        parts.append(
            f"Links of these documents, {len(left):,} of {len(pairs):,} left:\n"
            + listed(lines, len(pairs))
        )
    parts.append(_sum(known, own, readable, pairs, left))
    data = {
        "entities": [
            {
                "entity": known.incidence.entities[e],
                "type": known.type(e),
                **valued(known, e),
                "state": known.state(e),
            }
            for e in named
        ],
        "documents": [
            {
                "document": known.incidence.documents[d],
                **both(known, "risk", known.risk(d)),
                "kept": dict(_kept(known, d)),
                "entities": [
                    record(known, row) for row in known.entities_of(d) if not known.masked[row[0]]
                ],
            }
            for d in own
        ],
        "linked": [known.incidence.documents[d] for d in near[:MOST]],
        "links": [
            {
                "documents": [known.incidence.documents[a], known.incidence.documents[b]],
                **both(known, "strength", s),
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
    return f"{known.called(d)}: risk {change(known, known.risk(d))}; {said}"


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
        f"; links left: {len(left):,} of {len(pairs):,}, the strongest {risk(left[0][2][1])}."
    )
