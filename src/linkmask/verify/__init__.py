"""Masked documents → findings: checks that masked values are gone and that the rest is safe.

Four questions are answered, each by methods other than the redactor's: does a masked value still
stand somewhere, and are the masks whole (`rescan`); what risk remains when detection reads the
masked texts (`residual_findings`); does the result of detection have everything that its first pass
found (`lost_identifiers`). What cannot be checked is a finding, never a pass.
"""

from __future__ import annotations

from collections.abc import Iterable

from linkmask.records import Finding
from linkmask.verify.comparison import fold_for_comparison
from linkmask.verify.lost import lost_identifiers
from linkmask.verify.rescan import (
    Inspected,
    Inspector,
    Spans,
    as_released,
    spans_of,
    texts_of,
)
from linkmask.verify.residual import residual_findings

__all__ = [
    "Inspected",
    "Inspector",
    "Spans",
    "as_released",
    "blocking",
    "fold_for_comparison",
    "lost_identifiers",
    "residual_findings",
    "spans_of",
    "texts_of",
]


def blocking(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Return the findings for which a document must not be released, by document."""
    failed: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.blocking:
            failed.setdefault(finding.document, []).append(finding)
    return failed
