"""Writes what the policies in use demanded, a table each, and what is not claimed."""

from __future__ import annotations

from typing import Any

from linkmask.report.page.cells import CellTable, PageData, type_cell
from linkmask.report.wording import count

HEAD = ("type", "sensitivity", "technique", "entities", "masked for the limits", "rule", "why")


def regulations(data: PageData) -> dict[str, Any] | None:
    """Return a part per policy, and what was asked of people; None where no policy is in use."""
    account = data.audit.policy
    if not account:
        return None
    documents = data.incidence.n_documents
    return {"words": _words(account, documents), "parts": [_part(p) for p in account["policies"]]}


def _words(account: Any, documents: int) -> str:
    sentence = (
        "Policies set floors that the optimizer may not go under, and the technique in which a "
        "value is written; where two apply to a value the stricter technique is carried out, and "
        "its rule is cited. What a policy keeps, the limits may still mask."
    )
    if account["ungoverned"]:
        sentence += f" No policy applies to {count(account['ungoverned'], 'document')}."
    if account["escalated"]:
        sentence += (
            f" {count(account['escalated'], 'document')} wait for a person's answer and are set "
            "aside; set-aside.jsonl has the question."
        )
    if account["tries"]:
        sentence += (
            f" The check led to {count(account['tries'], 'further try', 'further tries')}"
            f" and made {count(account['strengthened'], 'technique')} stricter."
        )
    return sentence


def _part(policy: Any) -> dict[str, Any]:
    rows = [
        [
            type_cell(row["type"]),
            row["sensitivity"],
            row["technique"],
            f"{row['entities']:,}",
            f"{row['limits']:,}" if row["limits"] else "",
            row["citation"],
            row["reason"],
        ]
        for row in policy["decisions"]
    ]
    words = (
        f"Applies to {count(policy['applying'], 'document')}, "
        f"leads in {policy['leading']:,}. {policy['claim']}"
    )
    table = CellTable(policy["title"], HEAD, rows, frozenset({3, 4}), wide=True) if rows else None
    return {"title": policy["title"], "words": words, "table": table}
