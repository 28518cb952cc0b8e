"""Explains what the corpus still says about one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from linkmask.report.explain.answer import (
    MOST,
    ExplainAnswer,
    before_and_after,
    change,
    entity_named,
    lines_shown,
    record,
    says_if_weakened,
)
from linkmask.report.explain.lookup import RunLookup
from linkmask.report.wording import count, risk

Part = tuple[int, range]
"""An entity, and which words of what was given it covers."""


def explain_person(lookup: RunLookup, value: str) -> ExplainAnswer:
    """Say what the corpus still tells about one person, found by a value that names them."""
    named = lookup.written(value)
    parts = [part for part in lookup.overlapping_entities(value) if part[0] not in named]
    if not (named or parts):
        named = [lookup.entity(value)]
    asked = named or [e for e, _ in parts]
    everywhere = sorted({d for e in asked for d, _ in lookup.holders(e)})
    own = everywhere[:MOST]
    inside, linked = set(own), {d: lookup.linked(d) for d in own}
    near = sorted({other for others in linked.values() for other in others} - inside)
    pairs = [
        (a, b, lookup.strength(a, b)) for a in own for b in linked[a] if b not in inside or a < b
    ]
    pairs.sort(key=lambda pair: (-round(pair[2][1], 12), -round(pair[2][0], 12), pair[:2]))
    links = [pair for pair in pairs if lookup.holds(pair[2][1])]
    which = "\n".join(f"  {lookup.name(e)}: {lookup.standing(e)}" for e in named)
    sentence = "is no entity of the run as it is typed, but parts of it are, or it is part of them"
    if named:
        sentence = f"is {count(len(named), 'entity', 'entities')} of the run"
    lines = [f"The value given {sentence}, in {count(len(everywhere), 'document')}:"]
    paragraphs = [
        "\n".join([*lines, which] if named else [*lines, _rows_of_parts(lookup, value, parts)]),
        "What these documents still say:\n"
        + lines_shown([_says(lookup, d) for d in own], len(everywhere)),
    ]
    if named and parts:
        head = "Words of it are entities of their own, or it is part of others:"
        paragraphs.insert(1, f"{head}\n{_rows_of_parts(lookup, value, parts)}")
    if near:
        lines = [_says(lookup, d) for d in near[:MOST]]
        paragraphs.append(
            f"What documents linked to them still say:\n{lines_shown(lines, len(near))}"
        )
    if pairs:
        lines = [
            f"{lookup.document_name(a)} – {lookup.document_name(b)}: "
            f"strength {change(lookup, s)}{says_if_weakened(lookup, s)}"
            for a, b, s in pairs
        ]
        paragraphs.append(
            f"Links of these documents, {len(links):,} of {len(pairs):,} left:\n"
            + lines_shown(lines, len(pairs))
        )
    paragraphs.append(_sum(lookup, _value(lookup, named, parts), own, pairs, links))
    data = {
        "entities": [_entity(lookup, e) for e in named],
        "parts": [{**_entity(lookup, e), "words": [words.start, words.stop]} for e, words in parts],
        "documents": [
            {
                "document": lookup.incidence.documents[d],
                **before_and_after(lookup, "risk", lookup.risk(d)),
                "kept": dict(_kept(lookup, d)),
                "entities": [
                    record(lookup, row)
                    for row in lookup.entities_of(d)
                    if not lookup.masked[row[0]]
                ],
            }
            for d in own
        ],
        "linked": [lookup.incidence.documents[d] for d in near[:MOST]],
        "links": [
            {
                "documents": [lookup.incidence.documents[a], lookup.incidence.documents[b]],
                **before_and_after(lookup, "strength", s),
            }
            for a, b, s in pairs[:MOST]
        ],
    }
    return ExplainAnswer("\n\n".join(paragraphs), data)


def _entity(lookup: RunLookup, e: int) -> dict[str, Any]:
    return {
        **entity_named(lookup, e),
        "state": lookup.state(e),
    }


def _rows_of_parts(lookup: RunLookup, value: str, parts: Sequence[Part]) -> str:
    """Say which words of the value are entities by themselves, where each stands, and the rest."""
    covered = {n for _, words in parts for n in words}
    rest = [str(n + 1) for n in range(lookup.words(value)) if n not in covered]
    lines = [
        f"{_place(words)}: {lookup.name(e)}, {count(len(lookup.holders(e)), 'document')}: "
        f"{lookup.standing(e)}"
        for e, words in parts
    ]
    missed = (
        f"\n  word {', '.join(rest)}: not detected by itself; where it stands so, most likely it "
        "is readable"
        if rest
        else ""
    )
    return lines_shown(lines, len(lines)) + missed


def _place(words: range) -> str:
    if len(words) == 1:
        return f"word {words.start + 1}"
    return f"words {words.start + 1} to {words.stop}"


def _value(lookup: RunLookup, named: Sequence[int], parts: Sequence[Part]) -> str:
    """Say whether the value and its parts are masked."""
    sentences = []
    if named:
        readable = any(not lookup.masked[e] for e in named)
        sentences.append(f"The value itself is {'still readable' if readable else 'masked'}.")
    if parts:
        left = sum(not lookup.masked[e] for e, _ in parts)
        which = f"{left:,} of {count(len(parts), 'entity', 'entities')}"
        verb = "is" if left == 1 else "are"
        some = f"Of what shares words with it {which} {verb} still readable."
        sentences.append(some if left else "Every entity that shares words with it is masked.")
    return " ".join(sentences)


def _kept(lookup: RunLookup, d: int) -> Counter[str]:
    return Counter(lookup.type(e) for e, _, _ in lookup.entities_of(d) if not lookup.masked[e])


def _says(lookup: RunLookup, d: int) -> str:
    """Say what is readable in a document: counts by type, or the entities with their values."""
    if lookup.show_values:
        kept = [lookup.name(e) for e, _, _ in lookup.entities_of(d) if not lookup.masked[e]]
    else:
        kept = [f"{n} {name}" for name, n in sorted(_kept(lookup, d).items())]
    listing = ", ".join(kept) or "nothing that was detected"
    return f"{lookup.document_name(d)}: risk {change(lookup, lookup.risk(d))}; {listing}"


def _sum(
    lookup: RunLookup,
    value: str,
    own: Sequence[int],
    pairs: Sequence[Any],
    left: Sequence[Any],
) -> str:
    worst = max((lookup.risk(d)[1] for d in own), default=0.0)
    if lookup.plan is None:
        return f"Nothing is masked yet. The riskiest of these documents has risk {risk(worst)}."
    sentence = (
        f"{value} The riskiest of these documents has risk {risk(worst)} "
        f"(limit: below {lookup.settings.theta_doc:g})"
    )
    if not pairs:
        return sentence + "; nothing linked them to each other or to others."
    if not left:
        return sentence + "; no link between them, or from them, is left."
    return sentence + (
        f"; links left: {len(left):,} of {len(pairs):,}, the strongest {risk(left[0][2][1])}."
    )
