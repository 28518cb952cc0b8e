"""Lists what is left and why: kept entities, unmet limits, documents set aside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup

from linkmask.formulas import noisy_or
from linkmask.records import Flags, Floats, Incidence
from linkmask.report.audit import kept_entities
from linkmask.report.page.cells import (
    LISTED,
    CellTable,
    PageData,
    cut_note,
    document_cell,
    entity_cells,
    entity_headings,
    path_cell,
    type_cell,
)
from linkmask.report.wording import count, harmless_text, risk

DRIVERS = 3
"""Types that a document's risk is traced to."""
RISKIEST = 10
"""Documents listed by what they still give away."""


def remaining(data: PageData) -> dict[str, Any]:
    """What is still readable and why: kept entities, unmet chains, documents, set-aside ones."""
    audit = data.audit
    kept = sum(audit.left["by_type"].values())
    n = count(kept, "entity", "entities")
    if data.plan is None:
        title, verb = "What the corpus gives away", "stand"
        why = ""
    else:
        title, verb = "What is left, and why", "are left readable"
        why = (
            " A kept entity was not on the floor, and the documents and chains it stands in meet "
            "their limits with it in place; the columns on the right say by how much."
            if data.plan.met
            else " A kept entity was not on the floor, and masking it was not needed or did not "
            "help to meet a limit."
        )
    if decided := len(audit.settings["never_mask"]):
        stay = f"{count(decided, 'entity', 'entities')} {'stays' if decided == 1 else 'stay'}"
        why += f" {stay} because somebody decided so (plan --keep)."
    risks = _risks_left(data)
    tables = [_lost(data, rows)] if (rows := audit.changed.get("readable")) else []
    tables += [_kept(data, *risks)] if kept else []
    if data.incidence.n_documents:
        tables.append(_riskiest(data, *risks))
    tables += [*_unmet(data), *_aside(data), *_formats(data)]
    return {"title": title, "words": f"{n} {verb}.{why}", "tables": tables}


def _lost(data: PageData, changed: Sequence[Mapping[str, Any]]) -> CellTable:
    rows = [
        [*entity_cells(data, row["entity"]), type_cell(row["type"]), f"{row['documents']:,}"]
        for row in changed[:LISTED]
    ]
    head = [*entity_headings(data), "type", "documents"]
    title = f"Readable now, masked in the last {data.audit.changed['since']}"
    note = cut_note(LISTED, len(changed), "entities")
    return CellTable(title, head, rows, frozenset({len(head) - 1}), note)


def _kept(data: PageData, documents: Floats, chains: Floats) -> CellTable:
    incidence, top = data.incidence, data.audit.left["top"]
    limit = data.audit.settings["theta_doc"]
    rows = []
    numbers, _ = kept_entities(incidence, data.plan)
    for row, number in zip(top, numbers.tolist(), strict=False):
        where = np.flatnonzero(incidence.entity == number)
        held = np.searchsorted(incidence.start, where, side="right") - 1
        rows.append(
            [
                *entity_cells(data, row["entity"]),
                type_cell(row["type"]),
                risk(row["contribution"]),
                f"{row['documents']:,}",
                risk(float(documents[held].max(initial=0.0)), limit),
                _chain(float(chains[held].max(initial=-1.0))),
            ]
        )
    head = [
        *entity_headings(data), "type", "contribution", "documents",
        "its riskiest document", "its riskiest chain",
    ]  # fmt: skip
    right = frozenset(range(len(head) - 4, len(head)))
    whole = sum(data.audit.left["by_type"].values())
    what = "entities" if data.plan is None else "kept entities"
    title = f"{what.capitalize()} with the largest contribution"
    note = f"“Ask further” says how to ask why one is readable. {cut_note(len(top), whole, what)}"
    return CellTable(title, head, rows, right, note, wide=True)


def _risks_left(data: PageData) -> tuple[Floats, Floats]:
    """Risk of each document now, and of the riskiest listed chain through it (−1: none)."""
    state = data.after or data.before
    documents = data.plan.after if data.plan is not None else state.documents
    chains = np.full(data.incidence.n_documents, -1.0)
    if data.after is None and data.plan is not None:
        return documents, chains
    for column in state.chains.documents.T:
        there = column >= 0
        np.maximum.at(chains, column[there], state.chains.risk[there])
    return documents, chains


def _chain(value: float) -> str:
    return "–" if value < 0 else risk(value)


def _riskiest(data: PageData, documents: Floats, chains: Floats) -> CellTable:
    order = np.argsort(-np.round(documents, 9), kind="stable")[:RISKIEST].tolist()
    before = data.before.documents
    planned = data.plan is not None
    masked = data.masked
    rows = [
        [
            document_cell(data.incidence.documents[d]),
            *([risk(float(before[d]))] if planned else []),
            risk(float(documents[d]), data.audit.settings["theta_doc"]),
            _chain(float(chains[d])),
            _drivers(data.incidence, masked, d),
        ]
        for d in order
    ]
    risks = ["risk before masking", "risk now"] if planned else ["risk"]
    head = ["document", *risks, "riskiest chain", "driven by"]
    title = "Riskiest documents" + (" after masking" if planned else "")
    note = (
        "Driven by: the risk that the readable entities of one type alone would make, "
        f"largest first. {cut_note(RISKIEST, data.incidence.n_documents, 'documents')}"
    )
    return CellTable(title, head, rows, frozenset(range(1, len(head) - 1)), note, wide=True)


def _drivers(incidence: Incidence, masked: Flags, d: int) -> Markup:
    """Name the types that a document's risk comes from, each with the risk it makes alone."""
    at = slice(incidence.start[d], incidence.start[d + 1])
    entity = incidence.entity[at]
    share = incidence.relevance[at] * incidence.uniqueness[entity] * incidence.weight[entity]
    by_type: dict[int, list[float]] = defaultdict(list)
    for e, c in zip(entity.tolist(), share.tolist(), strict=True):
        if not masked[e]:
            by_type[int(incidence.type[e])].append(c)
    alone = {kind: noisy_or(shares) for kind, shares in by_type.items()}
    order = sorted(alone, key=lambda kind: (-round(alone[kind], 9), kind))
    parts = []
    for kind in order[:DRIVERS]:
        n = f"{len(by_type[kind])} × " if len(by_type[kind]) > 1 else ""
        name = type_cell(incidence.types[kind])
        parts.append(Markup("{}{} {}").format(n, name, risk(alone[kind])))
    more = [Markup("{:,} more").format(len(order) - DRIVERS)] if len(order) > DRIVERS else []
    return Markup(", ").join([*parts, *more]) or Markup("–")


def _unmet(data: PageData) -> list[CellTable]:
    plan, audit = data.plan, data.audit
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
                harmless_text(row["reason"], 200),
            ]
            for row in unmet
        ]
        head = ["chain", "when the chain stage began", "now", "target", "why"]
        note = cut_note(len(rows), audit.risk["unmet_chains"], "chains above target")
        tables.append(
            CellTable("Chains above target", head, rows, frozenset({1, 2, 3}), note, wide=True)
        )
    over = plan.unmet_documents
    if len(over):
        order = over[np.argsort(-np.round(plan.after[over], 9), kind="stable")][:20].tolist()
        rows = [
            [
                document_cell(data.incidence.documents[d]),
                risk(float(plan.before[d])),
                risk(float(plan.after[d])),
            ]
            for d in order
        ]
        note = cut_note(20, len(over), "documents at or over the limit")
        tables.append(
            CellTable(
                "Documents at or over the limit",
                ["document", "risk before masking", "risk now"],
                rows,
                frozenset({1, 2}),
                note,
            )
        )
    return tables


def _aside(data: PageData) -> list[CellTable]:
    """Set-aside documents and parts by step and reason, with the first ids of documents."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for item in data.audit.set_aside:
        groups[item["step"], item["reason"]].append(item["document"])
    if not groups:
        return []
    order = sorted(groups, key=lambda key: (-len(groups[key]), key))
    rows: list[list[Any]] = []
    for step, reason in order[:50]:
        ids = groups[step, reason]
        first = Markup(", ").join(document_cell(name) for name in ids[:5])
        more = f" and {len(ids) - 5:,} more" if len(ids) > 5 else ""
        rows.append([step, harmless_text(reason, 200), f"{len(ids):,}", first + more])
    head = ["step", "reason", "documents or parts", "which"]
    note = cut_note(50, len(order), "reasons") or "All of them are in set-aside.jsonl."
    return [CellTable("Set aside, not released", head, rows, frozenset({2}), note, wide=True)]


def _formats(data: PageData) -> list[CellTable]:
    """What became of the documents by the ending of their files, where there are several."""
    formats = data.audit.counts.get("formats", {})
    rows: list[list[Any]] = [
        [kind, f"{told['released']:,}", f"{told['set_aside']:,}"] for kind, told in formats.items()
    ]
    head = ["files", "released", "set aside"]
    return [CellTable("By format", head, rows, frozenset({1, 2}))] if len(rows) > 1 else []
