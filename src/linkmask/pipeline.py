"""The method, a line per step: detect → graph → plan → redact → verify → report.

A `Job` is the method at work on one run. `scanning` and `masking` carry its steps over a whole
corpus; the steps themselves are in the folders of their names and know nothing of one another.
What one needs of another is handed in as a callable. Between detect and redact the corpus lives
in the run folder (`runs.Run`) and in arrays, never as a million objects.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from linkmask import (
    corpus,
    detect,
    llm,
    masking,
    policy,
    prompting,
    regulating,
    residue,
    scanning,
    schema,
)
from linkmask.config import Settings
from linkmask.errors import OutputError, SettingsError
from linkmask.masking import Masker
from linkmask.policy import Demands
from linkmask.records import (
    Audit,
    Finding,
    Incidence,
    Masked,
    Mention,
    Plan,
    Risk,
    SetAside,
)
from linkmask.redact import VARIES
from linkmask.redact.styles import style_of
from linkmask.releasing import counted, reported, sealed, spellings, write_report, write_rows
from linkmask.report import tables
from linkmask.report.audit import Facts
from linkmask.report.audit import audit as make_audit
from linkmask.runs import Run, ledger
from linkmask.scanning import Progress, Source, Tally, silent
from linkmask.scoring import Analysis, analyse, choose, remaining, restore

LANGUAGES = ("en", "fr", "de")
COUNTRIES = ("us", "gb", "fr", "de", "ch")


def examine(settings: Settings) -> None:
    """Refuse, before any work is done, settings that name what there is not.

    Raises:
        SettingsError: an unknown detector, schema, type or style.
    """
    types = schema.load(settings.schema).with_weights(settings.weights)
    detect.modules(settings.detector)
    regulating.policies(settings)
    for style in (settings.style, *settings.styles.values()):
        style_of(style)
    if "rewrite" in settings.styles.values() or (
        settings.style == "rewrite" and (settings.styles or settings.policy)
    ):
        raise SettingsError(
            "style rewrite is for whole documents: it goes with no other style, and with no policy"
        )
    if settings.style == "rewrite" and not (settings.llm_url and settings.llm_model):
        raise SettingsError("style rewrite needs a language model: give --llm-url and --llm-model")
    for name, known in (("languages", LANGUAGES), ("countries", COUNTRIES)):
        given = getattr(settings, name)
        if not given or not set(given) <= set(known):
            raise SettingsError(f"{name} must be some of {', '.join(known)}")
    unknown = sorted({*settings.floor, *settings.styles} - set(types.types))
    if unknown:
        raise SettingsError(
            f"schema {settings.schema} has no type {', '.join(unknown)}; "
            f"it has: {', '.join(types.types)}"
        )


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


class Job:
    """One command at work on one run: what it knows so far, and how long each step took.

    Args:
        source: the corpus, where the work needs its texts.
    """

    def __init__(
        self,
        run: Run,
        settings: Settings,
        source: Source | None,
        progress: Progress = silent,
    ) -> None:
        self.run = run
        self.settings = regulating.limited(settings) if settings.policy else settings
        self.source = source
        self.progress = progress
        self.tally = Tally()
        self.seconds: dict[str, float] = {}
        self.analysis: Analysis
        self.demands: Demands | None = None
        self._reasons: policy.Reasons | None = None
        self.retries = 0
        self.chosen: Plan | None = None
        self._after: Risk | None = None
        self._named: dict[str, str] = {}

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step."""
        begin = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begin

    def scan(self, mentions: Path | None = None) -> None:
        """Detect, or take the mentions given, and score."""
        with self.step("detect"):
            if self.source is None:
                assert mentions is not None
                self.run.adopt(mentions)
            elif mentions is None:
                self.tally = self._find(self.source)
            else:
                given, dropped = scanning.read_given(mentions, self.settings)
                self.tally = scanning.locate(
                    self.source, self.run, self.settings, given, self.progress
                )
                self.tally.dropped |= dropped
        self.analyse(keep=True)

    def _find(self, source: Source) -> Tally:
        """Detect, with a language model where the detector is one."""
        known = self.run, self.settings
        if self.settings.detector not in detect.PROMPTED:
            return scanning.find(source, *known, self.progress)
        with llm.connect(self.settings) as model:
            return prompting.find(source, *known, model, self.progress)

    def analyse(self, keep: bool = False) -> None:
        """Score documents, links and chains from the run's mentions; `keep` the scores there."""
        with self.step("score"):
            kept = None if keep else self.run.scored()
            self.analysis = analyse(self.run, self.settings, self.tally, kept)
            self._reasons = None
            self.demands = regulating.regulate(self.run, self.analysis.incidence, self.settings)
        for document, question in self.demands.questions() if self.demands else ():
            name = self.analysis.incidence.documents[document]
            self.tally.aside.setdefault(name, SetAside(name, "policy", question))
        if keep:
            with self.step("keep"), ThreadPoolExecutor(1) as pool:
                known = self.analysis.incidence, self.analysis.risk
                scored = pool.submit(self.run.keep_scored, known[0], known[1].links)
                tables.keep_risk(self.run, *known, self.settings)
                scored.result()

    def plan(self) -> None:
        """Choose what to mask, and keep the plan."""
        with self.step("plan"):
            self.chosen = choose(self.analysis, self.settings, self.demands)
        with self.step("keep"):
            tables.keep_plan(self.run, self.analysis.incidence, self.chosen, self.settings)

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take a plan that was kept, as it stands there."""
        with self.step("plan"):
            masked = tables.masked_of(kept, self.analysis.incidence)
            self.chosen = restore(self.analysis, self.settings, *masked)

    def masker(self) -> Masker:
        """Ready the plan to be carried out."""
        assert self.chosen is not None
        with self.step("redact"):
            spoken = None
            if self.source is not None and VARIES & regulating.styles(self.settings):
                spoken = scanning.languages(self.source, self.settings)
            known = self.run, self.analysis.incidence, self.chosen, self.settings
            return Masker(*known, spoken, self.demands)

    def release(
        self, source: Path, out: Path, overwrite: bool, show_values: bool, again: bool = True
    ) -> Audit:
        """Redact, verify, write and report; what fails at any step is set aside.

        `again`: see `checked`.
        """
        return self.write(source, out, self.checked(again), overwrite, show_values)

    def write(
        self,
        source: Path,
        out: Path,
        findings: Sequence[Finding],
        overwrite: bool,
        show_values: bool,
    ) -> Audit:
        """Write what was checked, and report."""
        masker = self.masker()
        self._named = {
            name: f"document {number}"
            for number, name in enumerate(self.analysis.incidence.documents, 1)
            if masker.named_in(masking.in_words(name))
        }
        counts: Counter[str] = Counter()
        released = tables.Released()
        aside: list[SetAside] = []

        def told(telling: Sequence[str] = (), untouched: Sequence[str] = ()) -> Audit:
            audit = self.audit(findings, aside, counts, telling, untouched)
            self._report(out, audit, show_values)
            return audit

        def stream() -> Iterator[Masked | SetAside]:
            read = self.source
            assert read is not None
            items = masker.masked(read, self.tally, self.progress)
            for item in sealed(counted(items, masker, counts, released), masker):
                if isinstance(item, SetAside):
                    name = self._named.get(item.document, item.document)
                    if masker.named_in(masking.in_words(name)):  # set aside before it had a number
                        name = "one whose id holds a masked value"
                    aside.append(replace(item, document=name))
                yield item
            # Before the documents are in place: what stands beside them is never missing.
            known = self.analysis.incidence, masker.plan, self.settings
            tables.keep_released(self.run, *known, released)
            told()

        with self.step("write"), reported(out):
            written = corpus.write(
                source, out, stream(), self.settings, overwrite=overwrite, holds=masker.named_in
            )
        self.run.note(telling_names=written.telling)
        try:
            return told(written.telling, written.untouched)
        except OutputError as error:
            raise OutputError(f"the documents are in place, but {error}") from None

    @property
    def _shown(self) -> Incidence:
        """The incidence as reports show it: an id that holds a masked value is a number."""
        incidence = self.analysis.incidence
        if not self._named:
            return incidence
        names = [self._named.get(name, name) for name in incidence.documents]
        return replace(incidence, documents=names)

    def _report(self, out: Path, audit: Audit, show_values: bool) -> None:
        values = spellings(self.run, self.settings) if show_values else None
        risks = self.analysis.risk, self.chosen, self.after()
        write_report(out, audit, self._shown, *risks, values)
        if self.demands and self.chosen:
            rows = policy.decisions(self.reasons(), self.analysis.incidence, self.chosen, values)
            write_rows(out / "decisions.jsonl", rows, private=show_values)

    def checked(self, again: bool = True) -> list[Finding]:
        """Look at every document as the plan masks it, and set aside what is not safe.

        With `again`, what was found feeds the next try, at most `tries` times: values that came to
        light only beside a mask join the run, a technique that left something readable gives way
        to a stricter one, and the plan is made anew.
        """
        for left in range(self.tries if again else 0, -1, -1):
            checked = self.check()
            if not left or not checked.repairable:
                break
            self.improve(checked)
            self.plan()
        masking.block(checked.findings, self.tally)
        return checked.findings

    def check(self) -> Checked:
        """Look at every document as the plan masks it."""
        assert self.source is not None
        masker = self.masker()
        with self.step("verify"):
            findings, fresh = masker.check(self.source, self.tally, self.progress)
            weak = masker.weak(findings) if self.demands else []
            if self.settings.policy_model:
                with llm.connect(self.settings) as model:
                    more, seen = residue.look(masker, self.source, model, self.settings)
                findings, fresh = findings + more, seen | fresh
        return Checked(findings, fresh, weak)

    @property
    def tries(self) -> int:
        """How often a failed check is answered by another try (SPEC §15.3 for policies)."""
        return 2 if self.settings.policy else 1

    def improve(self, checked: Checked) -> None:
        """Feed what a check found into the run and score it anew, for another plan."""
        self.retries += 1
        if checked.fresh:
            masking.amend(self.run, checked.fresh)
        if checked.weak and self.demands:
            regulating.strengthen(self.run, self.analysis.incidence, self.demands, checked.weak)
        self._after = None
        self.analyse(keep=True)

    def after(self) -> Risk | None:
        """Score the corpus with the plan carried out."""
        if self.chosen is None:
            return None
        if self._after is None:
            self._after = remaining(self.analysis, self.chosen, self.settings)
        return self._after

    def audit(
        self,
        findings: Sequence[Finding] | None = None,
        set_aside: Sequence[SetAside] | None = None,
        counts: Mapping[str, int] = {},
        telling: Sequence[str] = (),
        untouched: Sequence[str] = (),
    ) -> Audit:
        """Sum up what is known by now."""
        aside = [*self.tally.unread, *self.tally.aside.values()] if set_aside is None else set_aside
        facts = Facts(
            name=self.run.source.name,
            digest=self.run.digest,
            characters=self.tally.characters,
            released=counts.get("released", 0),
            masked_mentions=counts.get("mentions", 0),
            masked_characters=counts.get("characters", 0),
            dropped=self.tally.dropped,
            telling_names=len(telling),
            telling_ids=counts.get("ids", 0),
            untouched=untouched,
            seconds=self.seconds,
            policy=self._account(),
            model=self._model(),
        )
        with self.step("report"):
            after = self.after()
        return make_audit(
            self._shown,
            self.analysis.risk,
            self.settings,
            facts,
            plan=self.chosen,
            after=after,
            findings=findings,
            set_aside=aside,
        )

    def _model(self) -> dict[str, Any]:
        """Sum up what a language model was asked; ids that hold a masked value are numbers."""
        return ledger.summary(self.run.path, self._named)

    def _account(self) -> dict[str, Any]:
        """Return what the policies demanded and what came of it; nothing where none is in use."""
        if self.demands is None:
            return {}
        return policy.account(self.demands, self.reasons(), self.chosen, self.retries)

    def reasons(self) -> policy.Reasons:
        """Return why each value that a policy decided on was treated so, by entity."""
        if self._reasons is None:
            self._reasons = self._reasoned()
        return self._reasons

    def _reasoned(self) -> policy.Reasons:
        if self.demands is None:
            return {}
        known = self.demands, self.analysis.incidence
        words, likens = self.settings.policy_model, self.settings.policy_embeddings
        if not (words or likens):
            return policy.reasons(*known)
        with llm.connect(self.settings) as model:
            write = policy.writing(model) if words else None
            return policy.reasons(*known, write, policy.ranking(model) if likens else None)

    def rule(self, entity: int) -> str:
        """Say what a policy decided on an entity and why; "" where none did."""
        reason = self.reasons().get(entity)
        return reason.sentence if reason else ""
