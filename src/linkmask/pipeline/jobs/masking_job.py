"""Detects in a corpus, masks it by its plan, and checks what was masked, as one job."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import msgspec

from linkmask import corpus, llm
from linkmask.config import Settings
from linkmask.pipeline.checking import corpus_check
from linkmask.pipeline.checking.corpus_check import PreviousCheck
from linkmask.pipeline.checking.model_check import check_with_model
from linkmask.pipeline.detection import corpus_detection, extraction, given_mentions
from linkmask.pipeline.detection.detector import Detector
from linkmask.pipeline.detection.stored_vocabulary import StoredVocabulary
from linkmask.pipeline.fixed_names.keys import keys_of
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.linkage.linking_words import add_linking_words
from linkmask.pipeline.linkage.rare_terms import rare_terms_again
from linkmask.pipeline.planning import regulation
from linkmask.pipeline.progress import CorpusCounts, Progress, Source, silent
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.pipeline.redaction.remasking import MaskedBefore
from linkmask.pipeline.redaction.rewriting import rewrite_masked
from linkmask.pipeline.release import verified_documents
from linkmask.pipeline.values.earlier_masks import EarlierMasks, found_again
from linkmask.pipeline.values.run_value import RunValues
from linkmask.pipeline.values.run_values import values_grown
from linkmask.pipeline.word_index import WordIndex
from linkmask.records import Finding, Masked, Mention, SetAside
from linkmask.redact import VARIES
from linkmask.report.changes import word_rows
from linkmask.runs import MaskedFile, Run

TRIES = 5
"""How often a plan is made anew where a check finds more. Masks change what detection sees beside
them, so a long document of names needs several rounds, each with far fewer values than the last."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of the masked documents found."""

    findings: list[Finding]
    fresh: Mapping[str, Sequence[Mention]]
    """Document → mentions that detection found only after masking, in offsets of the original."""
    weak: Sequence[int]
    """Numbers of the entities whose technique leaves readable what another mask hides."""

    @property
    def repairable(self) -> bool:
        """Whether another try could do better."""
        return bool(self.fresh or self.weak)


class MaskingJob(Planner):
    """A planner that also reads the corpus: it detects, masks and checks.

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
        earlier: EarlierMasks | None = None,
    ) -> None:
        super().__init__(run, settings, progress)
        self.earlier = earlier
        self.source = source
        self.overwrite = False
        """Whether an earlier release may be replaced."""
        self.ours: Collection[str] = ()
        """Names of the files of documents in OUT that may be replaced, as linkmask wrote them."""
        self._readable_words: Sequence[Mention] = ()
        """Rare words that the release before masked in their documents, and this one does not."""
        self.values: RunValues | None = None
        """The values of the run's mentions, where they are known; they stay from round to round."""
        self._redaction: Redaction | None = None
        self._masked: MaskedFile | None = None
        self._rewritten: MaskedFile | None = None
        """What a model made of the masked documents, in style `rewrite`."""
        self._fresh: Collection[str] = ()
        """Ids of the documents in which the last check found further mentions."""
        self._seen: PreviousCheck | None = None
        self._checked: dict[str, str] | None = None
        """Document → digest of what was checked: nothing else may be released."""
        self._words: StoredVocabulary | None = None
        """The corpus's vocabulary, kept for the next edition."""
        self._languages: Mapping[str, str] | None = None
        self.index = WordIndex()
        """The words of all documents, where they are known before these are released."""
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
                given, dropped = given_mentions.read_given(mentions, self.settings)
                self.counted = given_mentions.place_given_mentions(
                    self.source, self.run, self.settings, given, self.progress
                )
                self.counted.dropped |= dropped
            if self.earlier and self.earlier.keep:
                self._find_again(self.source, self.earlier)
            arguments = self.source, self.run, self.settings, self.counted
            add_linking_words(*arguments)
            if self.earlier and self.earlier.words:
                again = rare_terms_again(*arguments, self.earlier.words)
                if self.earlier.keep:
                    self.run.add_mentions(again)
                else:
                    self._readable_words = list(chain.from_iterable(again.values()))

    def _find_again(self, source: Source, earlier: EarlierMasks) -> None:
        """Look for what was masked earlier and is detected no more."""
        if lost := earlier.undetected(self.run):
            self.run.add_mentions(dict(found_again(source, self.run, lost)))

    def score(self) -> None:
        """Score the run's mentions, which may be others than those whose values are known."""
        super().score()
        self.values = None

    def _known_values(self) -> RunValues | None:
        return self.values

    def plan(self) -> None:
        """Choose what to mask, what an earlier run masked first where that is kept."""
        if self.earlier is None:
            return super().plan()
        before = self.earlier.matching(self.run.mentions(), self.settings)
        if self.earlier.keep:
            always = before.union(self.settings.always_mask).difference(self.settings.never_mask)
            self.settings = msgspec.structs.replace(
                self.settings, always_mask=tuple(sorted(always))
            )
            self.held = {*self.held, *always}  # the rest is chosen beside them
        super().plan()
        self.compare(before, "release")
        words = word_rows(self._readable_words, self.run.salt)
        self.changed = {**self.changed, "readable": [*self.changed["readable"], *words]}

    def _find(self, source: Source) -> CorpusCounts:
        """Detect, with a language model where the detector is one."""
        arguments = self.run, self.settings
        if not self.settings.detection.prompted:
            spoken = dict[str, str]() if VARIES & regulation.styles(self.settings) else None
            counted, detector, self._words = corpus_detection.detect_corpus(
                source, *arguments, self.progress, spoken
            )
            self._languages = spoken
            self._seen = PreviousCheck(detector, keys_of(self.settings))
            if not self.settings.other_detectors:  # these may see the same text otherwise
                self._seen = replace(self._seen, first=self.run.lines_by_document("stage1"))
            return counted
        with llm.connect(self.settings) as model:
            return extraction.detect_corpus(source, *arguments, model, self.progress)

    def redaction(self) -> Redaction:
        """Ready the plan to be carried out; once for each plan."""
        assert self.chosen is not None
        if self._redaction is None or self._redaction.plan is not self.chosen:
            with self.step("redact"):
                spoken = self._spoken() if VARIES & regulation.styles(self.settings) else None
                arguments = self.run, self.analysis.incidence, self.chosen, self.settings
                self._redaction = Redaction(
                    *arguments, spoken, self.demands, self.values, self._redaction
                )
                self.values = self._redaction.values
        return self._redaction

    def _spoken(self) -> Mapping[str, str] | None:
        """Return the language of each document by its id, where the texts are at hand."""
        if self._languages is None and self.source is not None:
            self._languages = self._detected_languages(self.source)
        return self._languages

    def _detected_languages(self, source: Source) -> Mapping[str, str]:
        return corpus_detection.languages(source, self.settings)

    def redact(self) -> None:
        """Mask every document as it is planned; after another plan those that differ by it."""
        assert self.source is not None
        before = None
        if self._redaction is not None and self._masked is not None:
            before = MaskedBefore(self._redaction.redactor.rules(), self._masked, self._fresh)
        arguments = self.source, self.counted, self.progress, before
        plan = self.redaction()
        with self.step("redact"):
            self._masked = plan.redact(*arguments)
        self._rewritten, self._checked, self._fresh = None, None, ()

    def check(self) -> Checked:
        """Check every masked document; one masked as in the check before is not detected in."""
        assert self.source is not None and self._masked is not None
        plan = self.redaction()
        with self.step("verify"):
            arguments = self.source, self.counted, self.progress, self._seen, self.unchanged
            findings, fresh, self._seen = corpus_check.check(plan, self._masked, *arguments)
            self._checked = self._seen.seen.digests if self._seen.seen else {}
            weak = corpus_check.weak(plan, findings) if self.demands else []
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
        return 2 if self.settings.policy else TRIES

    def may_improve(self, checked: Checked) -> bool:
        """Tell whether another try could do better than what was checked, and is left."""
        return checked.repairable and self.retries < self.tries

    def improve(self, checked: Checked) -> None:
        """Feed what a check found into the run and score it anew, for another plan.

        Values that came to light only beside a mask join the run; a technique that left something
        readable gives way to a stricter one.
        """
        self.retries += 1
        values = self._grown_values(checked.fresh)
        if checked.fresh:
            self.run.add_mentions(checked.fresh)
            self._fresh = frozenset(checked.fresh)
        if checked.weak and self.demands:
            regulation.strengthen(self.run, self.analysis.incidence, self.demands, checked.weak)
        self._after = None
        self.score()
        self.values = values if self.values is None else self.values

    def _grown_values(self, fresh: Mapping[str, Sequence[Mention]]) -> RunValues | None:
        """Return the values with mentions that join the run; None where these are corrected."""
        if self.values is None or self.settings.corrections:
            return None
        return values_grown(self.values, fresh.values(), self.settings.id_separator)

    def accept(self, checked: Checked) -> list[Finding]:
        """Set aside what a check found not to be safe, and return what it found."""
        detect = self._seen.detect if self._seen else None
        if self._words is None and isinstance(detect, Detector) and detect.vocabulary is not None:
            self._words = StoredVocabulary(self.run.path, detect.vocabulary)
        self._seen = None
        corpus_check.set_aside_unsafe(checked.findings, self.counted, self.redaction().incidence)
        return checked.findings

    def rewrite(self) -> None:
        """Let a model write the masked documents anew where that is the style, each text checked.

        What is set aside by now is left out.
        """
        if self.settings.style != "rewrite" or self._rewritten is not None:
            return
        assert self.source is not None and self._masked is not None
        with self.step("write"):
            arguments = self.redaction(), self._masked, self.source, self.counted
            self._rewritten, digests = rewrite_masked(*arguments)
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
        return verified_documents(self.source, masked, checked, self.counted, self.progress)
