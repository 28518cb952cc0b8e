"""One command at work on one run: the steps of the method, and what they hand to one another."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from linkmask import corpus, detect, llm, policy
from linkmask.config import Settings
from linkmask.corpus import Corpus, StagedOutput, Written
from linkmask.detect import Vocabulary
from linkmask.pipeline import checking, detection, extraction, regulation
from linkmask.pipeline.checking import PreviousCheck
from linkmask.pipeline.detection import Detector
from linkmask.pipeline.earlier import Earlier, found_again
from linkmask.pipeline.keys import keys_of
from linkmask.pipeline.known import keep_known, known_of
from linkmask.pipeline.model_check import check_with_model
from linkmask.pipeline.planning import Planner
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.rare_terms import add_rare_terms
from linkmask.pipeline.reading import ByDocument
from linkmask.pipeline.redaction import Redacted, Redaction, add_mentions
from linkmask.pipeline.release import (
    Outgoing,
    as_checked,
    by_format,
    spellings,
    write_report,
    write_rows,
)
from linkmask.pipeline.rewriting import rewrite_masked
from linkmask.pipeline.word_index import WordIndex
from linkmask.records import Audit, Finding, Masked, Mention, Plan, SetAside
from linkmask.redact import REVERSIBLE, VARIES
from linkmask.report import tables
from linkmask.runs import MaskedFile, Run
from linkmask.text.letters import spaced_words


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found: findings, values that came to light late, techniques too weak."""

    findings: list[Finding]
    fresh: Mapping[str, Sequence[Mention]]
    weak: Sequence[int]

    @property
    def repairable(self) -> bool:
        """Whether another try could do better."""
        return bool(self.fresh or self.weak)


class Job(Planner):
    """One command at work on one run and its corpus.

    Args:
        source: the corpus, where the work needs its texts.
        earlier: what the release masked that this one replaces, or is to go on from.
    """

    def __init__(
        self,
        run: Run,
        settings: Settings,
        source: Source | None,
        progress: Progress = silent,
        earlier: Earlier | None = None,
    ) -> None:
        super().__init__(run, settings, progress)
        self.earlier = earlier
        self.source = source
        self.overwrite = False
        """Whether an earlier release may be replaced."""
        self._redaction: Redaction | None = None
        self._masked: MaskedFile | None = None
        self._rewritten: MaskedFile | None = None
        self._fresh: Collection[str] = ()
        self._seen: PreviousCheck | None = None
        self._checked: dict[str, str] | None = None
        self._words: Vocabulary | None = None
        self._languages: Mapping[str, str] | None = None
        self.index = WordIndex()
        self._carried: corpus.Carried | None = None
        """Files that stay as the last edition wrote them."""
        self.unchanged: Collection[str] = ()
        """Ids of the documents in these files."""

    def detect(self, mentions: Path | None = None) -> None:
        """Detect in every document, or take the mentions given; what is found is in the run."""
        assert self.source is not None
        with self.step("detect"):
            if mentions is None:
                self.counted = self._find(self.source)
            else:
                given, dropped = detection.read_given(mentions, self.settings)
                self.counted = detection.locate(
                    self.source, self.run, self.settings, given, self.progress
                )
                self.counted.dropped |= dropped
            if self.earlier and self.earlier.keep:
                self._find_again(self.source, self.earlier)
            if self.settings.rare_terms:
                add_rare_terms(self.source, self.run, self.settings, self.counted)

    def _find_again(self, source: Source, earlier: Earlier) -> None:
        """Look for what was masked earlier and is detected no more."""
        if lost := earlier.undetected(self.run):
            add_mentions(self.run, dict(found_again(source, self.run, lost)))

    def plan(self) -> None:
        """Choose what to mask, what an earlier run masked first where that is kept."""
        if self.earlier is None:
            return super().plan()
        before = self.earlier.alike(self.run.mentions(), self.settings)
        if self.earlier.keep:
            always = before.union(self.settings.always_mask).difference(self.settings.never_mask)
            self.settings = msgspec.structs.replace(
                self.settings, always_mask=tuple(sorted(always))
            )
        super().plan()
        self.compare(before, "release")

    def _find(self, source: Source) -> CorpusCounts:
        """Detect, with a language model where the detector is one."""
        known = self.run, self.settings
        if self.settings.detector not in detect.PROMPTED:
            counted, detector = detection.find(source, *known, self.progress)
            self._seen = PreviousCheck(detector, keys_of(self.settings), {})
            return counted
        with llm.connect(self.settings) as model:
            return extraction.find(source, *known, model, self.progress)

    def with_plan(self, plan: Plan, settings: Settings) -> Job:
        """Return another job on this run and its corpus, which carries another plan out."""
        job = Job(self.run, settings, self.source, self.progress)
        job.settings = settings  # as they were when the plan was made by them
        job.counted, job.analysis = self.counted, self.analysis
        job.demands = regulation.regulate(self.run, self.analysis.incidence, settings)
        job.chosen = plan
        return job

    def redaction(self) -> Redaction:
        """Ready the plan to be carried out; once for each plan."""
        assert self.chosen is not None
        if self._redaction is None or self._redaction.plan is not self.chosen:
            with self.step("redact"):
                spoken = self._spoken() if VARIES & regulation.styles(self.settings) else None
                known = self.run, self.analysis.incidence, self.chosen, self.settings
                self._redaction = Redaction(*known, spoken, self.demands)
        return self._redaction

    def _spoken(self) -> Mapping[str, str] | None:
        """Return the language of each document by its id, where the texts are at hand."""
        if self._languages is None and self.source is not None:
            self._languages = self._detected_languages(self.source)
        return self._languages

    def _detected_languages(self, source: Source) -> Mapping[str, str]:
        return detection.languages(source, self.settings)

    def redact(self) -> None:
        """Mask every document as it is planned; after another plan those that differ by it."""
        assert self.source is not None
        before = None
        if self._redaction is not None and self._masked is not None:
            before = Redacted(self._redaction, self._masked, self._fresh)
        known = self.source, self.counted, self.progress, before
        plan = self.redaction()
        with self.step("redact"):
            self._masked = plan.redact(*known)
        self._rewritten, self._checked, self._fresh = None, None, ()

    def check(self) -> Checked:
        """Look at every masked document; one masked as in the check before is not detected in."""
        assert self.source is not None and self._masked is not None
        plan = self.redaction()
        with self.step("verify"):
            known = self.source, self.counted, self.progress, self._seen, self.unchanged
            findings, fresh, self._seen = checking.check(plan, self._masked, *known)
            self._checked = {name: one.digest for name, one in self._seen.seen.items()}
            weak = checking.weak(plan, findings) if self.demands else []
            if self.settings.policy_model:
                self.rewrite()
                with llm.connect(self.settings) as model:
                    masked = self._rewritten or self._masked
                    more, seen = check_with_model(masked, self.source, model, self.settings)
                findings, fresh = findings + more, seen | fresh
        return Checked(findings, fresh, weak)

    @property
    def tries(self) -> int:
        """How often a failed check is answered by another try (formulas.md §14.1 for policies)."""
        return 2 if self.settings.policy else 1

    def may_improve(self, checked: Checked) -> bool:
        """Tell whether another try could do better than what was checked, and is left."""
        return checked.repairable and self.retries < self.tries

    def improve(self, checked: Checked) -> None:
        """Feed what a check found into the run and score it anew, for another plan.

        Values that came to light only beside a mask join the run; a technique that left something
        readable gives way to a stricter one.
        """
        self.retries += 1
        if checked.fresh:
            add_mentions(self.run, checked.fresh)
            self._fresh = frozenset(checked.fresh)
        if checked.weak and self.demands:
            regulation.strengthen(self.run, self.analysis.incidence, self.demands, checked.weak)
        self._after = None
        self.score()

    def accept(self, checked: Checked) -> list[Finding]:
        """Set aside what a check found not to be safe, and return what it found."""
        if self._seen is not None and isinstance(self._seen.detect, Detector):
            self._words = self._seen.detect.words
        self._seen = None
        checking.set_aside_unsafe(checked.findings, self.counted)
        return checked.findings

    def rewrite(self) -> None:
        """Let a model write the masked documents anew where that is the style, each text checked.

        What is set aside by now is left out.
        """
        if self.settings.style != "rewrite" or self._rewritten is not None:
            return
        assert self.source is not None and self._masked is not None
        with self.step("write"):
            known = self.redaction(), self._masked, self.source, self.counted
            self._rewritten, digests = rewrite_masked(*known)
        if self._checked is not None:
            self._checked |= digests

    def documents(self) -> Iterator[Masked | SetAside]:
        """Yield the corpus in input order, masked or set aside; where it was checked, as it was."""
        if self._masked is None:
            self.redact()
        self.rewrite()
        yield from self._documents(self._checked)

    def _documents(self, checked: Mapping[str, str] | None) -> Iterator[Masked | SetAside]:
        assert self.source is not None and self._masked is not None
        masked = self._rewritten or self._masked
        return as_checked(self.source, masked, checked, self.counted, self.progress)

    def release(
        self, source: Path, out: Path, findings: Sequence[Finding], show_values: bool
    ) -> Audit:
        """Write what was checked, and report; documents, report and run come together."""
        self.rewrite()
        size, overlap = self.settings.chunk_size, self.settings.chunk_overlap
        beside = list[corpus.ChunkFile | corpus.RedactedPdfs]()
        if size:
            beside.append(corpus.ChunkFile(size, overlap, self.run.path))
        if self.settings.redacted_pdf and isinstance(self.source, Corpus):
            files = self.source.files()
            beside.append(corpus.RedactedPdfs(files, self.settings, self.run.path))
        with self.run.together(), ExitStack() as stack:
            with self.step("write"):
                outgoing, stage, written = self._stage(source, out, stack, beside)
            for one in beside:
                one.put(stage.path)
                written.set_aside += one.missing
                for item in one.missing:
                    outgoing.leave_out(item)
            stage.note(written.set_aside)
            self._note_files(outgoing, written)
            self.note_edition(outgoing)
            audit = self._sum_up(findings, outgoing, written.telling)
            self._report(stage.path, audit, show_values, outgoing.placed)
            self._keep_released(outgoing, written)
            self.run.release_shares(stage.share())
        return audit

    def _note_files(self, outgoing: Outgoing, written: Written) -> None:
        """Note how what is released was written, and the files that are released whole."""
        released = outgoing.released
        released.records, released.outputs = written.digests, written.bytes
        if isinstance(self.source, Corpus):
            broken = {one.origin.file for one in outgoing.aside}
            digests = self.source.digests()
            whole = (name for name in released.documents if name not in broken)
            released.inputs = {name: digests[name] for name in whole if name in digests}

    def note_edition(self, outgoing: Outgoing) -> None:
        """Note in the run's ledger what is released; a corpus masked once has none."""

    def sum_up(self, findings: Sequence[Finding]) -> Audit:
        """Return the audit of what `release` would write."""
        outgoing = self._outgoing()
        deque(outgoing.passing(self._documents(self._checked)), maxlen=0)
        return self._sum_up(findings, outgoing, ())

    def _outgoing(self) -> Outgoing:
        """Ready what goes along with the documents that are released."""
        plan, mentions = self.redaction(), None
        self._named = self._numbered(plan)
        if self.demands:
            known = frozenset(self.run.documents())
            mentions = ByDocument(self.run.by_document(), known)
        return Outgoing(plan, partial(self._unnamed, plan=plan), mentions)

    def _stage(
        self,
        source: Path,
        out: Path,
        stack: ExitStack,
        beside: Sequence[corpus.ChunkFile | corpus.RedactedPdfs],
    ) -> tuple[Outgoing, StagedOutput, Written]:
        """Write the documents beside what they are to replace.

        Files that can't be written back are set aside whole, and the rest is written once more.
        """
        read = self.source if isinstance(self.source, Corpus) else None
        while True:
            outgoing = self._outgoing()
            items = outgoing.passing(self._documents(self._checked or {}))
            for one in beside:
                items = one.passing(items)
            try:
                staging = corpus.staged(
                    source, out, items, self.settings,
                    overwrite=self.overwrite, corpus=read, carried=self._carried,
                    holds=self.redaction().holds_masked_value,
                )  # fmt: skip
                return outgoing, *stack.enter_context(staging)
            except corpus.Unwritable as broken:
                self.counted.unwritable |= broken.files

    def _sum_up(
        self, findings: Sequence[Finding], outgoing: Outgoing, telling: Sequence[str]
    ) -> Audit:
        counts, released = outgoing.counts, outgoing.released
        counts["telling"] = released.count_named(telling, self._named)
        self.linkage = self._certificate()
        return self.audit(
            findings,
            outgoing.aside,
            counts,
            telling,
            sorted(released.excluded),
            by_format(released.documents, outgoing.aside),
        )

    def _certificate(self) -> dict[str, Any]:
        """Return what the linker finds in what is released, where the settings limit it."""
        if self.settings.link_limit >= 1:
            return {}
        from linkmask.pipeline.certificate import certificate

        with self.step("certify"):
            documents = self._documents(self._checked)
            texts = [one.written.text for one in documents if isinstance(one, Masked)]
            return certificate(texts, self.settings.link_limit) if len(texts) > 1 else {}

    def _report(self, out: Path, audit: Audit, show_values: bool, placed: policy.Placed) -> None:
        values = spellings(self.run, self.settings) if show_values else None
        risks = self.analysis.risk, self.chosen, self.after()
        write_report(out, audit, self._shown, *risks, values)
        if self.demands and self.chosen:
            known = self.reasons(), self.analysis.incidence, self.chosen
            rows = policy.decisions(*known, placed, values)
            write_rows(out / "decisions.jsonl", rows, private=show_values)

    def _keep_released(self, outgoing: Outgoing, written: Written) -> None:
        """Keep in the run what was released, and what `unmask` needs."""
        if REVERSIBLE & regulation.styles(self.settings):
            self.run.write("vault", outgoing.vault)
        known = self.analysis.incidence, self.redaction().plan, self.settings
        tables.keep_released(self.run, *known, outgoing.released)
        self.run.note(telling_names=written.telling)
        if self._words is not None:
            spoken = self._languages or {}
            keep_known(self.run, known_of(self.redaction(), self._words, spoken, self.index))

    def _numbered(self, plan: Redaction) -> dict[str, str]:
        """Return what reports call the documents whose ids hold a masked value: their numbers."""
        return {
            name: f"document {number}"
            for number, name in enumerate(self.analysis.incidence.documents, 1)
            if plan.holds_masked_value(spaced_words(name))
        }

    def _unnamed(self, item: SetAside, plan: Redaction) -> SetAside:
        """Return a document set aside as reports show it: without a masked value in its id."""
        name = self._named.get(item.document, item.document)
        if plan.holds_masked_value(spaced_words(name)):  # set aside before it had a number
            name = "one whose id holds a masked value"
        return replace(item, document=name)
