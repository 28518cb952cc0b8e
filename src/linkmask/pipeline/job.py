"""One command at work on one run: the steps of the method, and what they hand to one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from linkmask import corpus, detect, llm, policy
from linkmask.config import Settings
from linkmask.pipeline import detection, extraction, model_check, redaction, regulation
from linkmask.pipeline.checking import PreviousCheck
from linkmask.pipeline.earlier import Earlier, found_again
from linkmask.pipeline.planning import Planner
from linkmask.pipeline.progress import Progress, Source, Tally, silent
from linkmask.pipeline.redaction import Redaction
from linkmask.pipeline.release import counted, sealed, spellings, write_report, write_rows
from linkmask.records import Audit, Finding, Masked, Mention, SetAside
from linkmask.redact import VARIES
from linkmask.report import tables
from linkmask.runs import Run


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
        self._masker: Redaction | None = None
        self._round: PreviousCheck | None = None

    def detect(self, mentions: Path | None = None) -> None:
        """Detect in every document, or take the mentions given; what is found is in the run."""
        assert self.source is not None
        with self.step("detect"):
            if mentions is None:
                self.tally = self._find(self.source)
            else:
                given, dropped = detection.read_given(mentions, self.settings)
                self.tally = detection.locate(
                    self.source, self.run, self.settings, given, self.progress
                )
                self.tally.dropped |= dropped
            if self.earlier and self.earlier.keep:
                self._find_again(self.source, self.earlier)

    def _find_again(self, source: Source, earlier: Earlier) -> None:
        """Look for what was masked earlier and is detected no more."""
        if lost := earlier.undetected(self.run):
            redaction.add_mentions(self.run, dict(found_again(source, self.run, lost)))

    def plan(self) -> None:
        """Choose what to mask, what an earlier run masked first where that is kept."""
        if self.earlier is None:
            return super().plan()
        before = self.earlier.alike(self.run, self.settings)
        if self.earlier.keep:
            always = before.union(self.settings.always_mask).difference(self.settings.never_mask)
            self.settings = msgspec.structs.replace(
                self.settings, always_mask=tuple(sorted(always))
            )
        super().plan()
        self.compare(before, "release")

    def _find(self, source: Source) -> Tally:
        """Detect, with a language model where the detector is one."""
        known = self.run, self.settings
        if self.settings.detector not in detect.PROMPTED:
            return detection.find(source, *known, self.progress)
        with llm.connect(self.settings) as model:
            return extraction.find(source, *known, model, self.progress)

    def masker(self) -> Redaction:
        """Ready the plan to be carried out; once for each plan."""
        assert self.chosen is not None
        if self._masker is not None and self._masker.plan is self.chosen:
            return self._masker
        with self.step("redact"):
            spoken = None
            if self.source is not None and VARIES & regulation.styles(self.settings):
                spoken = detection.languages(self.source, self.settings)
            known = self.run, self.analysis.incidence, self.chosen, self.settings
            self._masker = Redaction(*known, spoken, self.demands)
        return self._masker

    def release(
        self, source: Path, out: Path, findings: Sequence[Finding], show_values: bool
    ) -> Audit:
        """Mask and write what was checked, and report; documents, report and run come together."""
        assert self.source is not None
        masker, read = self.masker(), self.source
        self._named = self._numbered(masker)
        counts: Counter[str] = Counter()
        released = tables.Released()
        placed = policy.Placed(self.settings.id_separator)
        aside: list[SetAside] = []

        def stream() -> Iterator[Masked | SetAside]:
            told_of = released.documents, released.masks, released.originals
            for held in (counts, aside, placed.own, placed.covered, *told_of):
                held.clear()
            note = placed.note if self.demands else None
            items = masker.masked(read, self.tally, self.progress, note)
            for item in sealed(counted(items, masker, counts, released), masker):
                if isinstance(item, SetAside):
                    aside.append(self._unnamed(item, masker))
                yield item

        timed = ExitStack()

        def settle(stage: corpus.StagedOutput, written: corpus.Written) -> None:
            timed.close()
            counts["telling"] = released.count_named(written.telling, self._named)
            audit = self.audit(findings, aside, counts, written.telling, sorted(released.excluded))
            self._report(stage.path, audit, show_values, placed)
            released.records = written.digests
            known = self.analysis.incidence, masker.plan, self.settings
            tables.keep_released(self.run, *known, released)
            self.run.note(telling_names=written.telling)
            self.run.release_shares(stage.share())
            audits.append(audit)

        audits: list[Audit] = []
        write = partial(
            corpus.write, source, out, settings=self.settings, overwrite=self.overwrite,
            holds=masker.named_in, settle=settle,
            corpus=read if isinstance(read, corpus.Corpus) else None,
        )  # fmt: skip
        with self.run.together(), timed:
            timed.enter_context(self.step("write"))
            while not audits:
                try:
                    write(stream())
                except corpus.Unwritable as broken:  # set aside whole, the rest once more
                    self.tally.unwritable |= broken.files
        return audits[0]

    def sum_up(self, findings: Sequence[Finding]) -> Audit:
        """Return the audit of what `release` would write; the corpus is masked for its counts."""
        assert self.source is not None
        masker = self.masker()
        self._named = self._numbered(masker)
        counts: Counter[str] = Counter()
        released = tables.Released()
        aside = [
            self._unnamed(item, masker)
            for item in counted(masker.placed(self.source, self.tally), masker, counts, released)
            if isinstance(item, SetAside)
        ]
        counts["telling"] = released.count_named((), self._named)
        return self.audit(findings, aside, counts, (), sorted(released.excluded))

    def _numbered(self, masker: Redaction) -> dict[str, str]:
        """Return what reports call the documents whose ids hold a masked value: their numbers."""
        return {
            name: f"document {number}"
            for number, name in enumerate(self.analysis.incidence.documents, 1)
            if masker.named_in(redaction.spaced_words(name))
        }

    def _unnamed(self, item: SetAside, masker: Redaction) -> SetAside:
        """Return a document set aside as reports show it: without a masked value in its id."""
        name = self._named.get(item.document, item.document)
        if masker.named_in(redaction.spaced_words(name)):  # set aside before it had a number
            name = "one whose id holds a masked value"
        return replace(item, document=name)

    def _report(self, out: Path, audit: Audit, show_values: bool, placed: policy.Placed) -> None:
        values = spellings(self.run, self.settings) if show_values else None
        risks = self.analysis.risk, self.chosen, self.after()
        write_report(out, audit, self._shown, *risks, values)
        if self.demands and self.chosen:
            known = self.reasons(), self.analysis.incidence, self.chosen
            rows = policy.decisions(*known, placed, values)
            write_rows(out / "decisions.jsonl", rows, private=show_values)

    def check(self, again: bool = True) -> list[Finding]:
        """Look at every document as the plan masks it, and set aside what is not safe.

        With `again`, what was found feeds the next try, at most `tries` times: values that came to
        light only beside a mask join the run, a technique that left something readable gives way
        to a stricter one, and the plan is made anew.
        """
        for left in range(self.tries if again else 0, -1, -1):
            checked = self.check_once()
            if not left or not checked.repairable:
                break
            self.improve(checked)
            self.plan()
        self._round = None
        redaction.set_aside_unsafe(checked.findings, self.tally)
        return checked.findings

    def check_once(self) -> Checked:
        """Look at every document as the plan masks it."""
        assert self.source is not None
        masker = self.masker()
        with self.step("verify"):
            known = self.source, self.tally, self.progress, self._round
            findings, fresh, self._round = masker.check(*known)
            weak = masker.weak(findings) if self.demands else []
            if self.settings.policy_model:
                with llm.connect(self.settings) as model:
                    more, seen = model_check.check_with_model(
                        masker, self.source, model, self.settings
                    )
                findings, fresh = findings + more, seen | fresh
        return Checked(findings, fresh, weak)

    @property
    def tries(self) -> int:
        """How often a failed check is answered by another try (formulas.md §14.1 for policies)."""
        return 2 if self.settings.policy else 1

    def improve(self, checked: Checked) -> None:
        """Feed what a check found into the run and score it anew, for another plan."""
        self.retries += 1
        if checked.fresh:
            redaction.add_mentions(self.run, checked.fresh)
        if checked.weak and self.demands:
            regulation.strengthen(self.run, self.analysis.incidence, self.demands, checked.weak)
        self._after = None
        self.score()
