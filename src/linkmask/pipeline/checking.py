"""Checks masked documents: searches for masked values, and detects what is left.

Detection takes most of the time of a check. It is asked about many documents at once. In a document
without a mask, its first pass finds what it found before, so it goes over the others only. A check
that finds more leads to another plan and another check, at most five times (`masking.TRIES`): then
detection reads only the documents that are masked otherwise than before. The search is for more
values, which may stand anywhere; so it goes over all documents again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from linkmask import graph
from linkmask.config import Settings
from linkmask.corpus import record_digest
from linkmask.pipeline.checked_documents import CheckedDocument, CheckedDocuments, CheckedRow
from linkmask.pipeline.checked_texts import in_original, typed
from linkmask.pipeline.detection import TOGETHER, Detector, FloorDetector, detector_of_masked, size
from linkmask.pipeline.keys import Keys, keys_of
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.reading import NOT_MASKED, ByDocument, with_mentions, worked
from linkmask.pipeline.redaction import Redaction
from linkmask.pipeline.regulation import styles
from linkmask.records import Document, Finding, Masked, Mention, SetAside, entity_id
from linkmask.runs import MaskedFile, MaskedRow
from linkmask.runs.mentions import mentions_in
from linkmask.verify import (
    Inspected,
    Inspector,
    as_released,
    blocking,
    lost_identifiers,
    residual_findings,
)
from linkmask.workers import Batched, Failure, ordered

Item = tuple[Document, list[Mention], MaskedRow, CheckedDocument | None, bytes | None]
"""A document, its mentions, what masking made of it; what a look saw when it was masked alike; what
the first pass finds in it now, as lines of a run's log, where that is known."""


@dataclass(frozen=True)
class ReadBackCheck:
    """Checks documents as they are read back; it is sent to the workers.

    Without `detect` only what was masked is looked for, and `keys` are searched.
    """

    inspector: Inspector
    detect: Detector | FloorDetector | None
    keys: Keys

    def __call__(self, document: Document) -> Inspected:
        """Look at one document."""
        return self.many([document])[0]

    def many(self, documents: Sequence[Document]) -> list[Inspected]:
        """Check some documents."""
        found = self.found(documents)
        return [self.inspect(one, (), seen) for one, seen in zip(documents, found, strict=True)]

    def inspect(
        self,
        masked: Masked | Document,
        due: Sequence[tuple[str, Mention]],
        found: Sequence[Mention],
        shown: Masked | None = None,
    ) -> Inspected:
        """Inspect a document and its keys; see `verify.Inspector`."""
        seen = self.inspector(masked, due, found, shown)
        findings = [*seen.findings, *self.keys.findings(as_released(masked))]
        return replace(seen, findings=findings)

    def found(
        self, documents: Sequence[Document], first: Sequence[bytes | None] = ()
    ) -> Sequence[Sequence[Mention]]:
        """Return what detection sees in each document; `first`: what its first pass does."""
        if not isinstance(self.detect, Detector) or not any(one is not None for one in first):
            return self.detect.many(documents) if self.detect else [()] * len(documents)
        unknown = [document for document, one in zip(documents, first, strict=True) if one is None]
        found = iter(self.detect.many(unknown))
        both = zip(documents, first, strict=True)
        return [
            next(found) if one is None else self.detect.corpus_pass((document, mentions_in(one)))
            for document, one in both
        ]


@dataclass(frozen=True, slots=True)
class PreviousCheck:
    """What a check goes on from: the corpus's detector, and what an earlier one saw, if any.

    `first`: what the first pass of this very detector found in each document.
    """

    detect: Detector | FloorDetector | None
    keys: Keys
    seen: CheckedDocuments | None = None
    first: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class MaskedCheck:
    """The look at masked documents; `masked` are the ids of the entities that are written over."""

    reread: ReadBackCheck
    masked: frozenset[str]
    settings: Settings

    def __call__(self, item: Item) -> CheckedRow:
        """Look at one document."""
        return self.many([item])[0]

    def many(self, items: Sequence[Item]) -> list[CheckedRow]:
        """Check some documents."""
        masked = [row.over(document) for document, _, row, *_ in items]
        shown = masked if styles(self.settings) == {"value"} else list(map(typed, masked))
        known = [before.inspected.mentions if before else None for *_, before, _ in items]
        anew = [as_released(one) for one, seen in zip(shown, known, strict=True) if seen is None]
        first = [item[-1] for item, seen in zip(items, known, strict=True) if seen is None]
        found = iter(self.reread.found(anew, first))
        seen = [next(found) if one is None else one for one in known]
        return list(map(CheckedRow.of, map(self._seen, items, masked, shown, seen)))

    def _seen(
        self, item: Item, masked: Masked, shown: Masked, found: Sequence[Mention]
    ) -> CheckedDocument:
        mentions = item[1]
        due = [(entity, m) for m in mentions if (entity := self._entity(m)) in self.masked]
        inspected = self.reread.inspect(masked, due, found, shown)
        known = {self._entity(mention) for mention in mentions} - self.masked
        new = [m for m in inspected.mentions if self._entity(m) not in known]
        return CheckedDocument(inspected, in_original(new, shown), record_digest(masked.written))

    def _entity(self, mention: Mention) -> str:
        return entity_id(mention.value, mention.type, self.settings.id_separator)


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

    Leftovers are looked for in the text; risks are recomputed from what detection, run anew, finds
    in the masked texts. Where mentions were given, there is no detection to run; nor is it where a
    document is masked as it was `before`, in an earlier check of the same run. Documents named
    `unchanged` are not in `masked`: they are as an earlier edition's check saw them.

    Returns:
        The findings; for the documents that must not be released as they are what was found there
        only now, in the offsets of the originals: a value may come to light when its neighbour is
        masked; and what another check can go on from.
    """
    checks = masked_check(redaction, before)
    reread = checks.reread
    items = _items(redaction, masked, source, counted, before or PreviousCheck(None, reread.keys))
    seen = CheckedDocuments(redaction.run.path)
    work = Batched(checks, checks.many, size, TOGETHER)
    for document, result in worked(work, items, redaction.settings.workers):
        if isinstance(result, Failure):
            counted.set_aside(document, "verify", result.says("the check failed"))
        else:
            seen.add(document.id, result)
        progress("verify", len(seen.digests), counted.documents or None)
    first = before.first if before else {}
    after = PreviousCheck(reread.detect, reread.keys, seen, first)
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
    reread = _reread(redaction, before)
    return MaskedCheck(reread, frozenset(redaction.targets), redaction.settings)


def _items(
    redaction: Redaction,
    masked: MaskedFile,
    source: Source,
    counted: CorpusCounts,
    before: PreviousCheck,
) -> Iterator[Item]:
    """Yield what is to be looked at; of documents masked as before also what was seen then."""
    seen, first = before.seen, before.first
    rows = ByDocument(masked.rows(), masked.documents)
    earlier = ByDocument(seen.rows(), seen.digests) if seen else ByDocument(iter(()), ())
    for item in with_mentions(source, redaction.run, "mentions", counted):
        if isinstance(item, SetAside):
            continue
        document, mentions = item
        if document.id in rows:
            name, row = document.id, rows.take(document.id)
            known = earlier.take(name) if name in earlier else None
            alike = known if name in masked.copied else None
            found = None if row.fields or row.replacements or alike else first.get(name)
            yield document, mentions, row, alike, found
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
            finding = Finding(name, "unreadable", result.says("the check failed"))
            seen.append(Inspected(name, [finding]))
        else:
            seen.append(result)
        progress("verify", len(seen), None)
    return _findings(redaction, seen)


def weak(redaction: Redaction, findings: Sequence[Finding]) -> list[int]:
    """Return the numbers of the entities whose technique leaves what another's mask hides.

    "Denver, Colorado" is what is left of an address, and Denver is masked.
    """
    left = {one.entity for one in findings if one.kind == "leftover" and one.blocking}
    if not left:
        return []
    look, redactor = redaction.inspector(), redaction.redactor
    return [
        number
        for number in redaction.plan.masked.tolist()
        if left & look.readable(redactor.written(redaction.incidence.entities[number]))
    ]


def set_aside_unsafe(findings: Sequence[Finding], counted: CorpusCounts) -> None:
    """Set aside the documents that the findings forbid to release."""
    for name, failed in blocking(findings).items():
        kinds = ", ".join(sorted({finding.kind for finding in failed}))
        counted.aside.setdefault(name, SetAside(name, "verify", f"not safe to release: {kinds}"))


def _findings(
    redaction: Redaction, seen: Iterable[Inspected], unchanged: Collection[str] = ()
) -> list[Finding]:
    """Gather what the look at each document found, and what all of them give away together."""
    run, settings = redaction.run, redaction.settings
    findings: list[Finding] = []

    def noted() -> Iterator[Inspected]:
        for one in seen:
            findings.extend(one.findings)
            yield one

    if not run.has("stage1"):
        deque(noted(), maxlen=0)
        return findings
    known = redaction.incidence, redaction.plan, settings, graph.assess
    left = residual_findings(noted(), *known, unchanged)
    return [*findings, *lost_identifiers(run, settings, unchanged), *left]


def _reread(redaction: Redaction, before: PreviousCheck | None = None) -> ReadBackCheck:
    """Ready the second look, with detection where it was run."""
    run, settings = redaction.run, redaction.settings
    if before is not None:
        return ReadBackCheck(redaction.inspector(), before.detect, before.keys)
    detect = detector_of_masked(run, settings) if run.has("stage1") else None
    return ReadBackCheck(redaction.inspector(), detect, keys_of(settings))
