"""The later sections of the report page: what was masked, what is left, checks and settings."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import Any

import msgspec
import numpy as np
from markupsafe import Markup

from linkmask.config import load
from linkmask.errors import SettingsError
from linkmask.records import Floats, Plan
from linkmask.report.cells import (
    LISTED,
    STAGES,
    Facts,
    Table,
    cut,
    document_cell,
    entity_head,
    named,
    path_cell,
    type_cell,
)
from linkmask.report.pictures import bar
from linkmask.report.wording import count, risk, shown

RISKIEST = 10
"""Documents listed by what they still give away."""

FINDINGS = {
    "leftover": "a masked value, in a known form, still stands in the text or the metadata",
    "placeholder": "what stands for a masked value is malformed",
    "risk": "the risk recomputed from the masked text differs from the plan, or is over its limit",
    "unreadable": "the document could not be checked, or differs outside its masks",
    "new-value": "detection of the masked text found a value that the run did not know",
}


# ── masked ──────────────────────────────────────────────────────────────────────────────────────


def masked(facts: Facts) -> dict[str, Any] | None:
    """Masked entities by type and stage, one by one, and what is proven about their number."""
    if facts.plan is None:
        return None
    settings = facts.audit.settings
    scope = (
        "wherever they stand in the corpus"
        if settings["scope"] == "corpus"
        else "in the documents where they were found"
    )
    words = (
        f"Entities are masked {scope}, in style “{settings['style']}”"
        f"{' (some types have their own style)' if settings['styles'] else ''}. "
        "The floor comes first, then what documents need, then what chains need; the rest is kept."
    )
    legend = [
        ("floor", "floor: always masked"),
        ("document", "for a document"),
        ("chain", "for a chain"),
        ("kept", "kept"),
    ]
    return {
        "words": words,
        "legend": legend,
        "types": _types(facts),
        "entities": _entities(facts, facts.plan),
        "proof": proof(facts.audit.masked["size"]),
    }


def _types(facts: Facts) -> Table:
    by_type, kept = facts.audit.masked["by_type"], facts.audit.left["by_type"]
    names = [*by_type, *(name for name in kept if name not in by_type)]
    table = {
        name: [*(by_type.get(name, {}).get(stage, 0) for stage in STAGES), kept.get(name, 0)]
        for name in names
    }
    names.sort(key=lambda name: (-sum(table[name]), name))
    most = max([1, *(sum(cells) for cells in table.values())])
    rows: list[list[Any]] = [
        [
            type_cell(name),
            Markup(bar(zip((*STAGES, "kept"), table[name], strict=True), most)),  # noqa: S704
            *(f"{n:,}" if n else "" for n in table[name]),
        ]
        for name in names
    ]
    total = [sum(cells[k] for cells in table.values()) for k in range(4)]
    rows.append(["all types", "", *(f"{n:,}" for n in total)])
    head = ["type", "", *STAGES, "kept"]
    return Table(
        "Entities by type and stage", head, rows, frozenset({2, 3, 4, 5}), picture=1, wide=True
    )


def _entities(facts: Facts, plan: Plan) -> Table:
    incidence = facts.incidence
    stage = np.array([STAGES.index(name) for name in plan.stage], dtype=np.int8)
    order = np.lexsort((plan.masked, -np.round(plan.gain, 9), -stage))[:LISTED]
    rows = []
    for i in order.tolist():
        entity = int(plan.masked[i])
        rows.append(
            [
                *named(facts, incidence.entities[entity]),
                type_cell(incidence.types[incidence.type[entity]]),
                plan.stage[i],
                risk(float(plan.gain[i])),
                f"{plan.served[i]:,}",
                f"{incidence.frequency[entity]:,}",
            ]
        )
    head = [*entity_head(facts), "type", "stage", "gain", "served", "documents"]
    numbers = frozenset(range(len(head) - 3, len(head)))
    note = cut(LISTED, len(plan.masked), "masked entities, chain stage first, largest gain first")
    return Table("Masked entities one by one", head, rows, numbers, note, closed=True)


def proof(size: Any) -> str:
    """Say what is known about how small the masked set could be."""
    masked, bound, solver = size["masked"], size["lower_bound"], size["solver"]
    if not masked:
        return "No chain was above its target after the document stage: none had to be masked."
    said = f"The chain stage masked {count(masked, 'entity', 'entities')} (solver “{solver}”). "
    if size["proven"]:
        return said + (
            "That is proven minimal: given the floor and the document stage, no smaller set "
            "meets every chain's target."
        )
    if bound:
        spare = masked - bound
        return said + (
            f"Given the floor and the document stage, it is proven that at least {bound:,} are "
            f"needed, so at most {spare:,} ({spare / masked:.1%}) could have been spared."
        )
    return (
        said + "How far that is from the smallest set was not computed; solver “exact” proves it."
    )


# ── left ────────────────────────────────────────────────────────────────────────────────────────


def left(facts: Facts) -> dict[str, Any]:
    """What is still readable and why: kept entities, unmet chains, documents, set-aside ones."""
    audit = facts.audit
    kept = sum(audit.left["by_type"].values())
    n = count(kept, "entity", "entities")
    if facts.plan is None:
        title, verb = "What the corpus gives away", "stand"
        why = ""
    else:
        title, verb = "What is left, and why", "are left readable"
        why = (
            " A kept entity was not on the floor, and the documents and chains it stands in meet "
            "their limits with it in place; the columns on the right say by how much."
            if facts.plan.met
            else " A kept entity was not on the floor, and masking it was not needed or did not "
            "help to meet a limit."
        )
    risks = _risks_left(facts)
    tables = [_kept(facts, *risks)] if kept else []
    if facts.incidence.n_documents:
        tables.append(_riskiest(facts, *risks))
    tables += [*_unmet(facts), *_aside(facts)]
    return {"title": title, "words": f"{n} {verb}.{why}", "tables": tables}


def _kept(facts: Facts, documents: Floats, chains: Floats) -> Table:
    incidence, top = facts.incidence, facts.audit.left["top"]
    limit = facts.audit.settings["theta_doc"]
    rows = []
    for row in top:
        where = np.flatnonzero(incidence.entity == bisect_left(incidence.entities, row["entity"]))
        held = np.searchsorted(incidence.start, where, side="right") - 1
        rows.append(
            [
                *named(facts, row["entity"]),
                type_cell(row["type"]),
                risk(row["contribution"]),
                f"{row['documents']:,}",
                risk(float(documents[held].max(initial=0.0)), limit),
                _chain(float(chains[held].max(initial=-1.0))),
            ]
        )
    head = [
        *entity_head(facts), "type", "contribution", "documents",
        "its riskiest document", "its riskiest chain",
    ]  # fmt: skip
    numbers = frozenset(range(len(head) - 4, len(head)))
    whole = sum(facts.audit.left["by_type"].values())
    what = "entities" if facts.plan is None else "kept entities"
    title = f"{what.capitalize()} with the largest contribution"
    return Table(title, head, rows, numbers, cut(len(top), whole, what), wide=True)


def _risks_left(facts: Facts) -> tuple[Floats, Floats]:
    """Risk of each document now, and of the riskiest listed chain through it (−1: none)."""
    state = facts.after or facts.before
    documents = facts.plan.after if facts.plan is not None else state.documents
    chains = np.full(facts.incidence.n_documents, -1.0)
    if facts.after is None and facts.plan is not None:
        return documents, chains
    # Chains descend by risk, and of repeated places the last one written stays: go backwards.
    for column in state.chains.documents.T:
        there = np.flatnonzero(column >= 0)[::-1]
        best = np.full(len(chains), -1.0)
        best[column[there]] = state.chains.risk[there]
        chains = np.maximum(chains, best)
    return documents, chains


def _chain(value: float) -> str:
    return "–" if value < 0 else risk(value)


def _riskiest(facts: Facts, documents: Floats, chains: Floats) -> Table:
    order = np.argsort(-np.round(documents, 9), kind="stable")[:RISKIEST].tolist()
    before = facts.before.documents
    planned = facts.plan is not None
    rows = [
        [
            document_cell(facts.incidence.documents[d]),
            *([risk(float(before[d]))] if planned else []),
            risk(float(documents[d]), facts.audit.settings["theta_doc"]),
            _chain(float(chains[d])),
        ]
        for d in order
    ]
    risks = ["risk before", "risk after"] if planned else ["risk"]
    head = ["document", *risks, "riskiest chain"]
    title = "Riskiest documents" + (" after masking" if planned else "")
    note = cut(RISKIEST, facts.incidence.n_documents, "documents")
    return Table(title, head, rows, frozenset(range(1, len(head))), note)


def _unmet(facts: Facts) -> list[Table]:
    plan, audit = facts.plan, facts.audit
    if plan is None:
        return []
    tables = []
    if unmet := audit.left["unmet"]:
        rows = [
            [
                path_cell(row["documents"]),
                risk(row["before"]),
                risk(row["after"]),
                risk(row["target"]),
                shown(row["reason"], 200),
            ]
            for row in unmet
        ]
        head = ["chain", "before the stage", "after", "target", "why"]
        note = cut(len(rows), audit.risk["unmet_chains"], "chains above target")
        tables.append(
            Table("Chains above target", head, rows, frozenset({1, 2, 3}), note, wide=True)
        )
    over = plan.unmet_documents
    if len(over):
        order = over[np.argsort(-np.round(plan.after[over], 9), kind="stable")][:20].tolist()
        rows = [
            [
                document_cell(facts.incidence.documents[d]),
                risk(float(plan.before[d])),
                risk(float(plan.after[d])),
            ]
            for d in order
        ]
        note = cut(20, len(over), "documents at or over the limit")
        tables.append(
            Table(
                "Documents at or over the limit",
                ["document", "before", "after"],
                rows,
                frozenset({1, 2}),
                note,
            )
        )
    return tables


def _aside(facts: Facts) -> list[Table]:
    """Set-aside documents by step and reason, with the first ids."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for item in facts.audit.set_aside:
        groups[item["step"], item["reason"]].append(item["document"])
    if not groups:
        return []
    order = sorted(groups, key=lambda key: (-len(groups[key]), key))
    rows: list[list[Any]] = []
    for step, reason in order[:50]:
        ids = groups[step, reason]
        first = Markup(", ").join(document_cell(name) for name in ids[:5])
        more = f" and {len(ids) - 5:,} more" if len(ids) > 5 else ""
        rows.append([step, shown(reason, 200), f"{len(ids):,}", first + more])
    head = ["step", "reason", "documents", "which"]
    note = cut(50, len(order), "reasons") or "All of them are in set-aside.jsonl."
    return [Table("Set aside, not released", head, rows, frozenset({2}), note, wide=True)]


# ── checks and settings ─────────────────────────────────────────────────────────────────────────


def verification(facts: Facts) -> dict[str, Any]:
    """What the check of the masked documents found, by kind."""
    found = facts.audit.verify
    if not found["checked"]:
        return {"words": "The masked documents were not checked.", "tables": []}
    words = (
        "The masked documents were read again: every masked value in all its known forms was "
        "looked for, placeholders were checked, and risks were recomputed from a fresh detection. "
    )
    if not found["findings"]:
        return {"words": words + "Nothing was found.", "tables": []}
    blocking = found["blocking"]
    words += (
        f"{count(blocking, 'finding')} kept a document from being released."
        if blocking
        else "No finding kept a document from being released."
    )
    rows = [
        [kind, f"{n:,}", FINDINGS.get(kind, "")] for kind, n in sorted(found["findings"].items())
    ]
    table = Table("Findings by kind", ["finding", "count", "meaning"], rows, frozenset({1}))
    return {"words": words, "tables": [table]}


def settings(facts: Facts) -> dict[str, Any]:
    """The settings as resolved; what differs from the preset comes first."""
    resolved = facts.audit.settings
    preset = resolved["preset"]
    try:
        given = msgspec.to_builtins(load(preset=preset, environment={}))
    except SettingsError:
        given = {}
    changed = [name for name in resolved if given and resolved[name] != given[name]]
    if not given:
        words = f"Preset “{shown(preset, 40)}” is not known here; all settings as they were used:"
    elif changed:
        words = f"Preset “{preset}” with {count(len(changed), 'setting')} changed."
    else:
        words = f"Preset “{preset}”, unchanged."
    rows = [[_name(name), _plain(resolved[name]), _plain(given[name])] for name in changed]
    return {
        "words": words,
        "changed": Table("Changed from the preset", ["setting", "value", "preset"], rows),
        "all": Table(
            "All settings",
            ["setting", "value"],
            [[_name(name), _plain(value)] for name, value in resolved.items()],
            closed=True,
        ),
    }


def _name(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(inner)}" for key, inner in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value)) or "none"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return shown(text, 200) if text else "–"


def private(facts: Facts) -> str:
    """Say whether the page may be passed on."""
    if facts.values is None:
        return "This report holds no value of a document; document ids are the input's own."
    return "This report shows values: keep it as private as the originals."


def timing(facts: Facts) -> str:
    """Seconds by step."""
    spent = {step: seconds for step, seconds in facts.audit.seconds.items() if seconds >= 0.05}
    return "Time: " + ", ".join(f"{k} {v:.1f} s" for k, v in spent.items()) + "." if spent else ""
