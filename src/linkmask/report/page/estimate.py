"""Writes the section on what attackers find in the release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkmask.report.linker_wording import attacker_lines, mean_and_interval, shared_terms
from linkmask.report.page.cells import CellTable, PageData, cut_note, path_cell


def estimate(data: PageData) -> dict[str, Any]:
    """Say how often each finds another document of a person, and which; {} if none was asked."""
    found = data.audit.linkage
    if "attackers" not in found:
        return {}
    head = ["attacker", "before", "after", "95 % interval"]
    rows = [
        [one["attacker"], mean_and_interval(one["before"])[0], *mean_and_interval(one)]
        for one in found["attackers"]
    ]
    if found["limit"] < 1:
        head.append("documents above the limit")
        rows = [[*row, one["over"]] for row, one in zip(rows, found["attackers"], strict=True)]
    if "attackers" in found.get("public", {}):
        head.append("public text of the original")
        public = {one["attacker"]: one["found"] for one in found["public"]["attackers"]}
        rows = [[*row, f"{public[row[0]]:.2f}"] for row in rows]
    numbers = frozenset(range(1, len(head)))
    title = "Mean probability of finding another document of the person"
    return {
        "words": " ".join(attacker_lines(found)),
        "table": CellTable(title, head, rows, numbers),
        "pairs": _pairs(found),
    }


def _pairs(found: Mapping[str, Any]) -> CellTable | None:
    """List the likeliest pairs."""
    if not found["likeliest"]:
        return None
    rows = [
        [path_cell(one["documents"]), f"{one['probability']:.2f}", shared_terms(one["shared"])]
        for one in found["likeliest"]
    ]
    head = ["a document and its nearest", "probability", "these say that it is one person"]
    note = (
        "What both still say and few other documents do. linkmask bench certify OUT --pairs 10 "
        f"shows such terms. {cut_note(len(rows), found['likely'], 'pairs')}"
    )
    return CellTable("Pairs that attackers find", head, rows, frozenset({1}), note)
