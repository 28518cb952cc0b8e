"""Checks masked documents: searches for masked values, and detects what is left.

Detection takes most of the time of a check. It is asked about many documents at once. In a document
without a mask, its first pass finds what it found before, so it goes over the others only. A check
that finds more leads to another plan and another check, at most five times (`masking_job.TRIES`):
then detection reads only the documents whose masks changed (`document_check`). The others are
searched for the values whose masks changed, because these may stand anywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from linkmask import graph
from linkmask.detect.structured.fields import type_of
from linkmask.pipeline.checking.checked_documents import CheckedDocuments
from linkmask.pipeline.checking.document_check import EarlierCheck, Item, MaskedCheck, ReadBackCheck
from linkmask.pipeline.detection.detector import (
    TOGETHER,
    Detector,
    FloorDetector,
    detector_of_masked,
    size,
)
from linkmask.pipeline.fixed_names.keys import Keys, keys_of
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import NOT_MASKED, ByDocument, with_mentions, worked
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.records import Document, Finding, Incidence, Mention, SetAside
from linkmask.report.wording import FINDINGS
from linkmask.runs import MaskedFile
from linkmask.verify import (
    Inspected,
    blocking,
    lost_identifiers,
    residual_findings,
)
from linkmask.workers import Batched, Failure, ordered

MANY = 4
"""If more than one in so many documents is checked whole, other processes help: to send them a
document takes longer than to search it for the values that are masked otherwise."""
MOST_PLACES = 5
"""Types and fields that a reason names, at most."""


@dataclass(frozen=True, slots=True)
class PreviousCheck:
    """What a check starts from: the corpus's detector, and the results of an earlier check, if any.

    `first`: what the first pass of this very detector found in each document.
    """

    detect: Detector | FloorDetector | None
    keys: Keys
    seen: CheckedDocuments | None = None
    first: Mapping[str, bytes] = field(default_factory=dict)


def check(
    redaction: Redaction,
    masked: MaskedFile,
    source: Source,
    counted: CorpusCounts,
    progress: Progress = silent,
    before: PreviousCheck | None = None,
    unchanged: Collection[str] = (),
) -> tuple[list[Finding], dict[str, Sequence[Mention]], PreviousCheck]:
    """Check every masked document, before anything is written.

    The texts are searched for masked values. Detection is run on them, and risks are computed from
    what it finds; it is not run if mentions were given, or on a document that is masked as in the
    check `before`. Documents named `unchanged` are not in `masked`: an earlier edition checked
    them.

    Returns:
        The findings; for each document that must not be released, the mentions that were found only
        now, in the offsets of the original (a value may be found only when its neighbour is
        masked); and what the next check starts from.
    """
    checks = masked_check(redaction, before)
    reread = checks.reread
    previous = before or PreviousCheck(None, reread.keys)
    items = _items(redaction, masked, source, counted, previous)
    seen = CheckedDocuments(redaction.run.path)
    work = Batched(checks, checks.many, size, TOGETHER)
    due = len(masked.documents) - len(masked.untouched)
    workers = redaction.settings.workers if MANY * due > len(masked.documents) else 1
    for document, result in worked(work, items, workers):
        if isinstance(result, Failure):
            counted.set_aside(document, "verify", result.message_or("the check failed"))
        else:
            seen.add(document.id, result)
        progress("verify", len(seen.digests), counted.documents or None)
    after = PreviousCheck(reread.detect, reread.keys, seen, previous.first)
    return *concluded(redaction, seen, unchanged), after


def concluded(
    redaction: Redaction, seen: CheckedDocuments, unchanged: Collection[str] = ()
) -> tuple[list[Finding], dict[str, Sequence[Mention]]]:
    """Return the findings of the checks of all documents; see `check`."""
    findings = _findings(redaction, (one.inspected for _, one in seen.rows()), unchanged)
    failed = blocking(findings)
    return findings, {name: found for name, found in seen.fresh.items() if name in failed}


def masked_check(redaction: Redaction, before: PreviousCheck | None) -> MaskedCheck:
    """Make the check of what a redaction masks."""
    parts = _reread(redaction, before), frozenset(redaction.targets), redaction.settings
    if redaction.changes is None or redaction.changes.everywhere:
        return MaskedCheck(*parts)
    changed = redaction.changes.entities
    return MaskedCheck(*parts, changed, redaction.inspector_of(changed & redaction.targets.keys()))


def _items(
    redaction: Redaction,
    masked: MaskedFile,
    source: Source,
    counted: CorpusCounts,
    before: PreviousCheck,
) -> Iterator[Item]:
    """Yield the documents to check, with what is known of each."""
    seen, first = before.seen, before.first
    rows = ByDocument(masked.rows(), masked.documents)
    earlier = ByDocument(seen.rows(), seen.digests) if seen else ByDocument(iter(()), ())
    for item in with_mentions(source, redaction.run, "mentions", counted):
        if isinstance(item, SetAside):
            continue
        document, mentions = item
        if document.id in rows:
            name, row = document.id, rows.take(document.id)
            checked = earlier.take(name) if name in earlier else None
            if checked and name in masked.copied:
                untouched = name in masked.untouched
                yield document, mentions, row, EarlierCheck(checked, untouched=untouched)
            elif row.fields or row.replacements:
                yield document, mentions, row, EarlierCheck()
            else:
                yield document, mentions, row, EarlierCheck(first=first.get(name))
        else:
            counted.set_aside(document, "redact", NOT_MASKED)


def inspect(
    redaction: Redaction, documents: Iterable[Document], progress: Progress = silent
) -> list[Finding]:
    """Check masked documents that were written, as they are read back."""
    reread = _reread(redaction)
    seen: list[Inspected] = []
    for result in ordered(Batched(reread, reread.many), documents, redaction.settings.workers):
        if isinstance(result, Failure):
            name = result.item.id
            finding = Finding(name, "unreadable", result.message_or("the check failed"))
            seen.append(Inspected(name, [finding]))
        else:
            seen.append(result)
        progress("verify", len(seen), None)
    return _findings(redaction, seen)


def weak(redaction: Redaction, findings: Sequence[Finding]) -> list[int]:
    """Return the numbers of entities whose technique leaves readable what another mask hides.

    "Denver, Colorado" is what is left of an address, and Denver is masked.
    """
    leftovers = {one.entity for one in findings if one.kind == "leftover" and one.blocking}
    if not leftovers:
        return []
    look, redactor = redaction.inspector(), redaction.redactor
    return [
        number
        for number in redaction.plan.masked.tolist()
        if leftovers & look.readable(redactor.written(redaction.incidence.entities[number]))
    ]


def set_aside_unsafe(
    findings: Sequence[Finding], counted: CorpusCounts, incidence: Incidence
) -> None:
    """Set aside the documents that the findings forbid to release.

    A reason names type and field of what can still be read, and never a value.
    """
    unsafe = blocking(findings)
    left = {one.entity for failed in unsafe.values() for one in failed if one.fields}
    types = {
        incidence.entities[number]: incidence.types[incidence.type[number]]
        for number in incidence.numbers_of(left)
    }
    for name, failed in unsafe.items():
        kinds = "; ".join(f"{kind} ({FINDINGS[kind]})" for kind in sorted({f.kind for f in failed}))
        places = {
            (types[f.entity], _shown(at), f" {f.hidden}" if f.hidden else "")
            for f in failed
            if f.entity in types
            for at in f.fields
        }
        where = ", ".join(f"{of} in {at}{how}" for of, at, how in sorted(places)[:MOST_PLACES])
        reason = f"not safe to release: {kinds}" + (f": {where}" if where else "")
        counted.aside.setdefault(name, SetAside(name, "verify", reason))


def _shown(field: str) -> str:
    """Return a field's path with the keys that are known labels; others may be names of persons."""
    first, *keys = field.split("/")
    return "/".join([first, *(key if key.isdecimal() or type_of(key) else "…" for key in keys)])


def _findings(
    redaction: Redaction, seen: Iterable[Inspected], unchanged: Collection[str] = ()
) -> list[Finding]:
    """Gather the findings of each document, and those about the risks of all together."""
    run, settings = redaction.run, redaction.settings
    findings: list[Finding] = []

    def noted() -> Iterator[Inspected]:
        for one in seen:
            findings.extend(one.findings)
            yield one

    if not run.has("stage1"):
        deque(noted(), maxlen=0)
        return findings
    arguments = redaction.incidence, redaction.plan, settings, graph.assess
    residual = residual_findings(noted(), *arguments, unchanged)
    return [*findings, *lost_identifiers(run, settings, unchanged), *residual]


def _reread(redaction: Redaction, before: PreviousCheck | None = None) -> ReadBackCheck:
    """Ready the second look, with detection where it was run."""
    run, settings = redaction.run, redaction.settings
    if before is not None:
        return ReadBackCheck(redaction.inspector(), before.detect, before.keys)
    detect = detector_of_masked(run, settings) if run.has("stage1") else None
    return ReadBackCheck(redaction.inspector(), detect, keys_of(settings))
