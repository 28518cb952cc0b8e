"""Runs the steps over documents elsewhere, batch by batch: on a cluster, or in processes.

The driver holds no text. It gathers the mentions, scores and plans, and decides by the results of
the checks what is released. The functions over a batch are in `batches`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from linkmask.config import Settings
from linkmask.errors import InputError, UsageError
from linkmask.pipeline.batches.batch_steps import (
    AddRareTerms,
    CorpusPassStep,
    FirstPass,
    MaskAndCheck,
    ReadWords,
    Release,
    checked_in,
)
from linkmask.pipeline.checking import corpus_check
from linkmask.pipeline.checking.checked_documents import CheckedDocuments
from linkmask.pipeline.checking.corpus_check import PreviousCheck
from linkmask.pipeline.detection.detector import Detector, corpus_detector
from linkmask.pipeline.fixed_names.keys import keys_of
from linkmask.pipeline.jobs.masking_job import Checked, MaskingJob
from linkmask.pipeline.linkage.common_words import keep_common_words
from linkmask.pipeline.linkage.rare_terms import chosen_words
from linkmask.pipeline.linkage.shared_words import HashedWords
from linkmask.pipeline.planning import regulation
from linkmask.pipeline.planning.scoring import incidence_of
from linkmask.records import Finding, SetAside
from linkmask.redact import VARIES
from linkmask.runs import Run
from linkmask.runs.mentions import encode

Row = Mapping[str, Any]
"""What a step made of a document, by the names in `batches.COLUMNS`."""
Spread = Callable[[str, Any, str], Iterable[Row]]
"""`spread(name, work, beside)` runs the step `name` of `batches.STEPS` with its work over all
batches, each with what the step `beside` made of its documents, and gives the rows by ascending
document."""


class BatchJob(MaskingJob):
    """A job on a corpus that only others read.

    Args:
        settings: those of the run. What they leave to linkmask, and needs the whole corpus, becomes
            in both what batches can do.
        spread: runs a step over the corpus.

    Raises:
        UsageError: a setting asks for what needs the whole corpus in one place.
    """

    def __init__(self, run: Run, settings: Settings, spread: Spread) -> None:
        possible = _possible(settings)
        if possible != settings:
            run.note(settings={"resolved": msgspec.to_builtins(possible)})
        super().__init__(run, possible, None)
        self.linkage = {"not_measured": "no text is in one place over batches"}
        self._spread = spread
        self._languages: dict[str, str] = {}
        self._late: dict[str, bytes] = {}

    def detect(self, mentions: Path | None = None) -> None:
        """Detect in every document, in two passes, into the run's logs; and add rare words."""
        assert mentions is None
        self.first_pass()
        self.run_corpus_pass()
        self.add_rare_terms()

    def first_pass(self) -> None:
        """Detect in every document by itself."""
        with self.step("detect"):
            speak = bool(VARIES & regulation.styles(self.settings))
            self._keep("stage1", self._spread("detect", FirstPass(self.settings, speak), ""))

    def run_corpus_pass(self) -> None:
        """Search every document for what was found anywhere in the corpus."""
        with self.step("detect"):
            again = CorpusPassStep(self.settings, detector=self._detector)
            self._keep("mentions", self._spread("corpus_pass", again, "detect"))

    def add_rare_terms(self) -> None:
        """Add the rare words that link documents to their mentions, if they are to be masked."""
        if not self.settings.rare_terms:
            return
        with self.step("detect"):
            rows = self._made(self._spread("words", ReadWords(self.settings), "corpus_pass"))
            words = {row["document"]: np.frombuffer(row["data"], np.uint64) for row in rows}
            incidence = incidence_of(self.run, self.settings)
            words_and_hashes = list(words), HashedWords(words.values())
            chosen = chosen_words(*words_and_hashes, incidence, self.settings)
            work = AddRareTerms(self.settings, chosen=chosen.masked)
            self._keep("mentions", self._spread("rare_terms", work, "corpus_pass"))
            keep_common_words(self.run, chosen.common)

    @property
    def last_detection(self) -> str:
        """The step whose rows hold all mentions of the corpus."""
        return "rare_terms" if self.settings.rare_terms else "corpus_pass"

    def recall(self, rows: Iterable[Row]) -> None:
        """Read the results of a step that ran before this job began."""
        deque(self._made(rows), maxlen=0)

    @cached_property
    def _detector(self) -> Detector:
        """Detection as the corpus makes it, once the first pass is done."""
        detector = corpus_detector(self.run, self.settings)
        vocabulary = detector.vocabulary
        return replace(detector, vocabulary=vocabulary.packed()) if vocabulary else detector

    def _keep(self, log: str, rows: Iterable[Row]) -> None:
        """Write the mentions of all documents into a log of the run."""
        self.run.replace_log_lines(
            log, ((row["document"], row["data"]) for row in self._made(rows))
        )

    def _made(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows of the documents for which a step succeeded; note the others.

        Raises:
            InputError: a document has no id, or two have one.
        """
        last = None
        for row in rows:
            name = row["document"]
            if not name or name == last:
                raise InputError("each document needs an id of its own: one has none, or two share")
            last = name
            if row["reason"]:
                self.counted.aside[name] = SetAside(name, row["step"], row["reason"])
            elif row["data"] is not None:
                self.counted.characters += row["characters"] or 0
                if row["language"]:
                    self._languages[name] = row["language"]
                yield row

    def _spoken(self) -> Mapping[str, str]:
        return self._languages

    def redact(self) -> None:
        """Mask and check every document: both are one step over the batches."""
        plan = self.redaction()
        with self.step("redact"):
            before = PreviousCheck(self._detector, keys_of(self.settings))
            check = corpus_check.masked_check(plan, before)
            work = MaskAndCheck(
                self.settings, redactor=plan.redactor, check=check, fresh=self._late
            )
            rows = self._made(self._spread("check", work, self.last_detection))
            self._checks = CheckedDocuments(self.run.path)
            for row in rows:
                self._checks.add(row["document"], checked_in(row["data"])[1])

    def check(self) -> Checked:
        """Return the findings of the checks of all masked documents."""
        plan = self.redaction()
        with self.step("verify"):
            findings, fresh = corpus_check.concluded(plan, self._checks)
            weak = corpus_check.weak(plan, findings) if self.demands else []
        return Checked(findings, fresh, weak)

    def improve(self, checked: Checked) -> None:
        """Feed what a check found into the run, and into the next masking of the batches."""
        for name, found in checked.fresh.items():
            self._late[name] = self._late.get(name, b"") + b"".join(map(encode, found))
        super().improve(checked)

    def accept(self, checked: Checked) -> list[Finding]:
        """Set aside the documents that a check found unsafe, and return its findings."""
        corpus_check.set_aside_unsafe(checked.findings, self.counted, self.redaction().incidence)
        return checked.findings

    @property
    def release_work(self) -> Release:
        """What the last step, which yields the masked rows, needs."""
        return Release(self.settings, frozenset(self.counted.aside))

    @property
    def aside(self) -> Sequence[SetAside]:
        """The documents that are not released, each with its step and reason."""
        return [*self.counted.unread, *self.counted.aside.values()]


def _possible(settings: Settings) -> Settings:
    """Return settings without `auto`, or refuse them.

    Raises:
        UsageError: one needs the whole corpus in one place, or a model for each document.
    """
    if settings.rare_pairs == "auto":
        settings = msgspec.structs.replace(settings, rare_pairs="values")
    unfit = {
        "detector": settings.detection.prompted,
        "style": settings.style == "rewrite",
        "policy_model": bool(settings.policy_model),
        "rare_pairs": bool(settings.rare_terms) and settings.asks_linker,
        "sentence_model": bool(settings.sentence_model),
        "background": bool(settings.background),
        "readable_share": settings.readable_share < 1,
        "link_limit": settings.link_limit < 1,
        "link_candidates": settings.link_candidates > 1,
        "questions": bool(settings.questions),
        "chunk_size": bool(settings.chunk_size),
        "corrections": bool(settings.corrections),
    }
    for name, is_unfit in unfit.items():
        if is_unfit:
            default = repr(getattr(Settings(), name))
            raise UsageError(
                f"{name} can't be used over batches as you or the preset set it: "
                f"set it to {default}"
            )
    return settings
