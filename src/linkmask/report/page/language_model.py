"""Writes the section about a language model: what was asked, dropped and doubted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linkmask.report.page.cells import LISTED, CellTable, PageData, document_cell
from linkmask.report.wording import count, harmless_text

LISTS = (
    (
        "review",
        "To be reviewed: the model found far less than patterns see",
        "It may have been talked out of it by the document, or have lost its way. Read these.",
    ),
    (
        "embedded_only",
        "On the embedded detector's result alone",
        "The model gave no whole answer on these.",
    ),
    (
        "left_in_value",
        "Not rewritten: left in style value",
        "No rewriting passed the check: a masked value, a placeholder or something new stood in "
        "it, or a kept value did not.",
    ),
)
"""Documents listed one by one: key of the audit, caption, what it means."""


def language_model(data: PageData) -> dict[str, Any]:
    """What a language model was asked and what came of it; empty where none was."""
    m = data.audit.model
    if not m:
        return {}
    per, times = m["tokens_per_document"], m["seconds_per_document"]
    words = [
        f"The model {harmless_text(str(data.audit.settings.get('llm_model', '')), 60)} was asked "
        f"{count(m['requests'], 'time')} about {count(m['documents'], 'document')}; "
        f"{m['cached']:,} answers came from the cache. It read {count(m['tokens_in'], 'token')} "
        f"and wrote {m['tokens_out']:,}: {per['median']:,} a document (median), "
        f"{per['most']:,} at most; {times['median']:g} s (median), {times['most']:g} s at "
        "most.",
        "What it answered was checked against the text; what is no value of it was dropped.",
    ]
    if m["rewritten"] or m["left_in_value"]:
        words.append(f"It rewrote {count(m['rewritten'], 'document')}.")
    if m["known_values_cut"]:
        words.append(
            f"{count(m['known_values_cut'], 'time')} a known value had no room in a prompt: raise "
            "llm_context, filter_strength, or set top_k."
        )
    tables = [
        _reasons("Rows of its answers that were not used", m["dropped"]),
        _reasons("What was wrong with rewritten texts", m["rewriting_faults"]),
        *(_listed(caption, note, m[key]) for key, caption, note in LISTS),
        _dearest(m["dearest"]),
    ]
    return {"words": " ".join(words), "tables": [table for table in tables if table.rows]}


def _reasons(caption: str, reasons: dict[str, int]) -> CellTable:
    rows = [[harmless_text(reason, 80), f"{n:,}"] for reason, n in sorted(reasons.items())]
    return CellTable(caption, ["reason", "count"], rows, frozenset({1}))


def _listed(caption: str, note: str, names: Sequence[str]) -> CellTable:
    more = f" {len(names) - LISTED:,} more are in the run." if len(names) > LISTED else ""
    rows = [[document_cell(name)] for name in names[:LISTED]]
    return CellTable(caption, ["document"], rows, note=note + more)


def _dearest(rows: Sequence[dict[str, Any]]) -> CellTable:
    cells = [
        [document_cell(row["document"]), f"{row['tokens']:,}", f"{row['seconds']:g}"]
        for row in rows
    ]
    head = ["document", "tokens", "seconds"]
    note = "Each document's tokens and seconds are in the run's llm.jsonl."
    return CellTable("Documents that cost most", head, cells, frozenset({1, 2}), note, closed=True)
