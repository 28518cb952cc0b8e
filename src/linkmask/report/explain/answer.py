"""Puts an answer together: plain words, and the same as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from linkmask.formulas import LEVELS
from linkmask.report.explain.lookup import RunLookup
from linkmask.report.explain.planned_risks import Now
from linkmask.report.wording import risk

ROWS = 15
"""Rows of a list in words; the data hold up to `MOST`."""
ENTITY_ROWS = 200
"""Entities of a document or a pair in words."""
MOST = 1000
"""Documents and chains of one entity or person that are looked at, the foremost first."""


@dataclass(frozen=True, slots=True)
class ExplainAnswer:
    """An answer in plain words, and the same as data."""

    text: str
    data: dict[str, Any]


def contribution(lookup: RunLookup, row: tuple[int, float, float], *documents: int) -> str:
    """Say what an entity adds, factor by factor, and the stage that masked it.

    `documents`: those that are asked about, in which rare words may mask it.
    """
    e, relevance, c = row
    u, weight = float(lookup.incidence.uniqueness[e]), float(lookup.incidence.weight[e])
    stage = "" if lookup.plan is None else f"   {lookup.state(e)}"
    hidden = set(documents) & set(lookup.under_rare_words(e))
    if hidden:
        stage += f", masked in {', '.join(map(lookup.document_name, sorted(hidden)))}"
    return f"{lookup.name(e)}: {relevance:.3f} × {risk(u)} × {weight:g} = {risk(c)}{stage}"


def entity_lists(
    lookup: RunLookup,
    rows: Sequence[tuple[int, float, float]],
    titles: Sequence[str],
    *documents: int,
) -> list[str]:
    """List what documents say: what is readable, what rare words mask though it is kept, the rest.

    Args:
        titles: of these three.
        documents: those that are asked about.
    """
    asked = set(documents)
    kept = [row for row in rows if not lookup.masked[row[0]]]
    hidden = [row for row in kept if asked & set(lookup.under_rare_words(row[0]))]
    readable = [row for row in kept if row not in hidden]
    gone = [row for row in rows if lookup.masked[row[0]]]
    return [
        f"{title} ({len(some):,}):\n{lines_shown(lines, len(some), ENTITY_ROWS)}"
        for title, some in zip(titles, (readable, hidden, gone), strict=True)
        if (lines := [contribution(lookup, row, *documents) for row in some])
    ]


def change(lookup: RunLookup, pair: Now) -> str:
    """Say a risk or strength: before → after, or one number where there is no plan."""
    return risk(pair[0]) if lookup.plan is None else f"{risk(pair[0])} → {risk(pair[1])}"


def says_if_weakened(lookup: RunLookup, strength: Now) -> str:
    """Say that masking took a link below the threshold, and that shared values stay readable."""
    if not lookup.holds(strength[0]) or lookup.holds(strength[1]):
        return ""
    if strength[1] <= 0:
        return ": nothing detected is shared any more"
    return f": weakened below {lookup.settings.edge_threshold:g}"


def target_line(lookup: RunLookup, c: int) -> str:
    """Say what one of the plan's chains was when the chain stage began, and its target."""
    assert lookup.plan is not None
    chains, settings = lookup.plan.chains, lookup.settings
    before, target, level = float(chains.before[c]), float(chains.target[c]), chains.level[c]
    if (rho := settings.rho[level]) < 1:
        formula = f"min({settings.theta_chain:g}, {rho:g} × {risk(before)}) = {risk(target)}"
    else:
        formula = f"{target:g}"
    return f"When the chain stage began: {risk(before)} ({LEVELS[level]}); target {formula}."


def chain_name(lookup: RunLookup, c: int) -> str:
    """Name a chain of the plan by its documents."""
    return " – ".join(lookup.document_name(d) for d in lookup.path(c))


def lines_shown(lines: Sequence[str], whole: int, most: int = ROWS) -> str:
    """Set at most `most` lines under each other; what is beyond, of `whole`, is counted."""
    more = [f"… and {whole - most:,} more"] if whole > most else []
    return "\n".join(f"  {line}" for line in [*lines[:most], *more])


def entity_named(lookup: RunLookup, e: int) -> dict[str, Any]:
    """Name an entity as data: its label and type, or its id, type and value if values may be shown.

    An id is a hash without a key, by which guesses can be tested.
    """
    if lookup.show_values:
        known = {"entity": lookup.incidence.entities[e], "type": lookup.type(e)}
        return {**known, "value": lookup.value(e)}
    return {"entity": lookup.labels[e], "type": lookup.type(e)}


def record(lookup: RunLookup, row: tuple[int, float, float]) -> dict[str, Any]:
    """Return an entity in a document as data."""
    e, relevance, c = row
    return {
        **entity_named(lookup, e),
        "state": lookup.state(e),
        "relevance": relevance,
        "uniqueness": float(lookup.incidence.uniqueness[e]),
        "weight": float(lookup.incidence.weight[e]),
        "contribution": c,
    }


def before_and_after(lookup: RunLookup, name: str, pair: Now) -> dict[str, float]:
    """Return a number before and, with a plan, after as data."""
    after = {} if lookup.plan is None else {f"{name}_after": pair[1]}
    return {f"{name}_before": pair[0], **after}
