"""Masked documents → findings: checks that masked values are gone and that the rest is safe.

Four questions are answered, each by methods other than the redactor's: does a masked value still
stand somewhere, and are the masks whole (`rescan`); what risk remains when detection reads the
masked texts (`residual_findings`); does the result of detection have everything that its first pass
found (`lost_identifiers`). What cannot be checked is a finding, never a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from linkmask.config import Settings
from linkmask.records import Document, Finding, Incidence, Masked, Mention, Plan, Risk
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
    "check",
    "fold_for_comparison",
    "lost_identifiers",
    "residual_findings",
    "spans_of",
    "texts_of",
]


def check(
    documents: Iterable[Masked | Document],
    values: Mapping[str, Sequence[str]],
    settings: Settings,
    *,
    detect: Callable[[Document], Sequence[Mention]] | None = None,
    written: Iterable[str] = (),
    incidence: Incidence | None = None,
    plan: Plan | None = None,
    assess: Callable[[Incidence, Settings], Risk] | None = None,
) -> list[Finding]:
    """Check masked documents against the run that made them.

    Args:
        documents: as masked, or as read back from where they were written.
        values: for each masked entity, the spellings that must be gone.
        settings: of the run.
        detect: finds mentions in a masked document; without it no risk is recomputed.
        written: texts that stand for masked values and look like values (surrogates).
        incidence, plan, assess: of the run; with `detect`, risks are recomputed and compared.

    Returns:
        Findings in the order of the documents, those about risks last; none if all is well.
    """
    inspector = Inspector(values, settings, written=written)
    inspected = [
        inspector(document, found=detect(as_released(document)) if detect else ())
        for document in documents
    ]
    findings = [finding for one in inspected for finding in one.findings]
    if detect and incidence is not None and plan is not None:
        findings += residual_findings(inspected, incidence, plan, settings, assess)
    return findings


def blocking(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Return the findings for which a document must not be released, by document."""
    failed: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.blocking:
            failed.setdefault(finding.document, []).append(finding)
    return failed
