"""Explains the corrections that reviewers made to an entity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkmask.choices import ANOTHER, APART, HERE, NOBODY
from linkmask.report.explain.answer import ExplainAnswer
from linkmask.report.wording import count, harmless_text

WORDS_OF_CORRECTION = {
    NOBODY: "nobody’s, no identifier",
    APART: "a value by itself",
    HERE: "masked where it was marked and nowhere else",
}


def explain_nobodys(label: str, rows: Sequence[Mapping[str, Any]]) -> ExplainAnswer:
    """Explain an entity, by its label, that a reviewer declared to identify nobody."""
    kind = rows[-1]["types"][0]
    head = f"{kind} {label} is readable and counts for no risk: a person said that it is nobody’s."
    text = "\n".join([head, *map(corrected_line, rows)])
    return ExplainAnswer(text, {"type": kind, "state": "nobody", "corrections": list(rows)})


def corrected_line(row: Mapping[str, Any]) -> str:
    """Describe a correction: what was said, of which part of the entity, by whom and why.

    Args:
        row: `said` as in the setting `corrections`; `part`: what of the entity is meant,
            `spelling`, `documents` or nothing; `was` and `is`: type and label before and after;
            `types`: those of both; `documents`; `by`, `time` and `reason` as far as known.
    """
    where = {
        "spelling": ", where it is written in one way",
        "documents": f" in {count(row['documents'], 'document')}",
    }.get(row["part"], "")
    by = (
        f"by {harmless_text(row['by'], 60)} on {row['time'][:10]}"
        if row["by"]
        else "by the settings"
    )
    why = f": {harmless_text(row['reason'], 200)}" if row["reason"] else ""
    return f"corrected{where}: {_what(row)}, {by}{why}"


def _what(row: Mapping[str, Any]) -> str:
    if row["said"] in WORDS_OF_CORRECTION:
        return WORDS_OF_CORRECTION[row["said"]]
    if another := ANOTHER.fullmatch(row["said"]):
        return f"another person of this name, number {another[1]} (was {row['was']})"
    before, after = row["types"]
    if row["said"] == after:
        return f"type {before} → {after}"
    return f"{row['was']} is one with {row['is']}"
