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
MOST = 1000
"""Documents and chains of one entity or person that are looked at, the foremost first."""


@dataclass(frozen=True, slots=True)
class ExplainAnswer:
    """An answer in plain words, and the same as data."""

    text: str
    data: dict[str, Any]


def contribution(known: RunLookup, row: tuple[int, float, float]) -> str:
    """Say what an entity adds, factor by factor, and the stage that masked it."""
    e, relevance, c = row
    u, weight = float(known.incidence.uniqueness[e]), float(known.incidence.weight[e])
    stage = "" if known.plan is None else f"   {known.state(e)}"
    return f"{known.name(e)}: {relevance:.3f} × {risk(u)} × {weight:g} = {risk(c)}{stage}"


def change(known: RunLookup, pair: Now) -> str:
    """Say a risk or strength: before → after, or one number where there is no plan."""
    return risk(pair[0]) if known.plan is None else f"{risk(pair[0])} → {risk(pair[1])}"


def says_if_weakened(known: RunLookup, strength: Now) -> str:
    """Say whether masking took a link below the threshold: what is still shared stays readable."""
    if not known.holds(strength[0]) or known.holds(strength[1]):
        return ""
    if strength[1] <= 0:
        return ": nothing detected is shared any more"
    return f": weakened below {known.settings.edge_threshold:g}"


def target_line(known: RunLookup, c: int) -> str:
    """Say what one of the plan's chains was when the chain stage began, and its target."""
    assert known.plan is not None
    chains, settings = known.plan.chains, known.settings
    before, target, level = float(chains.before[c]), float(chains.target[c]), chains.level[c]
    if (rho := settings.rho[level]) < 1:
        said = f"min({settings.theta_chain:g}, {rho:g} × {risk(before)}) = {risk(target)}"
    else:
        said = f"{target:g}"
    return f"When the chain stage began: {risk(before)} ({LEVELS[level]}); target {said}."


def chain_name(known: RunLookup, c: int) -> str:
    """Name a chain of the plan by its documents."""
    return " – ".join(known.document_name(d) for d in known.path(c))


def lines_shown(lines: Sequence[str], whole: int) -> str:
    """Set lines under each other; what is beyond `ROWS` is counted."""
    more = [f"… and {whole - ROWS:,} more"] if whole > ROWS else []
    return "\n".join(f"  {line}" for line in [*lines[:ROWS], *more])


def value_shown(known: RunLookup, e: int) -> dict[str, Any]:
    """Return an entity's value as data, where values may be shown."""
    return {"value": known.value(e)} if known.show_values else {}


def record(known: RunLookup, row: tuple[int, float, float]) -> dict[str, Any]:
    """Return an entity in a document as data."""
    e, relevance, c = row
    return {
        "entity": known.incidence.entities[e],
        "type": known.type(e),
        **value_shown(known, e),
        "state": known.state(e),
        "relevance": relevance,
        "uniqueness": float(known.incidence.uniqueness[e]),
        "weight": float(known.incidence.weight[e]),
        "contribution": c,
    }


def before_and_after(known: RunLookup, name: str, pair: Now) -> dict[str, float]:
    """Return a number before and, with a plan, after as data."""
    after = {} if known.plan is None else {f"{name}_after": pair[1]}
    return {f"{name}_before": pair[0], **after}
