"""Writes the section on what the linker finds in the release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkmask.report.linker_wording import linker_lines, mean_and_interval, shared_terms
from linkmask.report.page.cells import CellTable, PageData, cut_note, path_cell


def estimate(data: PageData) -> dict[str, Any]:
    """Say how often it finds another document of a person, and which; {} if it was not asked."""
    found = data.audit.linkage
    if "expected" not in found:
        return {}
    cells = zip(*map(mean_and_interval, (found["before"], found)), strict=True)
    labels = "finds another document of the person, mean probability", "95 % interval"
    rows = [[label, *row] for label, row in zip(labels, cells, strict=True)]
    rows.append(["pairs found, of one person with probability 0.5 or more", "", found["likely"]])
    numbers = frozenset({1, 2})
    return {
        "words": " ".join(linker_lines(found)),
        "table": CellTable("By the linker", ["", "before", "after"], rows, numbers),
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
    return CellTable("Pairs that the linker finds", head, rows, frozenset({1}), note)
