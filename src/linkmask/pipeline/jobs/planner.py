"""Scores and plans a run without reading its corpus.

Only what this takes is imported: planning again is a matter of a second. What reads and writes
texts is in `pipeline`.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from linkmask.config import Settings
from linkmask.pipeline.correcting import correct
from linkmask.pipeline.planning.scoring import (
    Analysis,
    analyse,
    as_released,
    choose,
    overrule,
    remaining,
    restore,
)
from linkmask.pipeline.progress import CorpusCounts, Progress, silent
from linkmask.records import Audit, Finding, Incidence, Links, Plan, Risk, SetAside
from linkmask.report import stored_plan, stored_risk
from linkmask.report.audit import RunFigures
from linkmask.report.audit import audit as make_audit
from linkmask.report.changes import changes
from linkmask.runs import Run, editions, ledger
from linkmask.runs.languages import uncovered

if TYPE_CHECKING:
    from linkmask import policy
    from linkmask.pipeline.values.run_value import RunValues
    from linkmask.policy import Demands


NOT_RELEASED = {"not_measured": "nothing is released by this plan yet"}


class Planner:
    """One command at work on one run: what it knows so far, and how long each step took."""

    def __init__(self, run: Run, settings: Settings, progress: Progress = silent) -> None:
        if settings.policy:
            from linkmask.pipeline.planning import regulation

            settings = regulation.limited(settings)
        self.run = run
        self.settings = settings
        self.progress = progress
        self.counted = CorpusCounts()
        self.held: Collection[str] = editions.ledger_of(run).masked
        """Ids of the entities that an earlier edition masked: they stay masked."""
        self.editions: Sequence[editions.Edition] = editions.ledger_of(run).editions
        self.seconds: dict[str, float] = {}
        self.analysis: Analysis
        self.demands: Demands | None = None
        self._reasons: policy.Reasons | None = None
        self.retries = 0
        self.chosen: Plan | None = None
        self._after: Risk | None = None
        self._named: dict[str, str] = {}
        self.changed: Mapping[str, Any] = {}
        self.linkage: Mapping[str, Any] = {}
        """What the linker found in the release, or why it was not asked."""
        self.answers: Mapping[str, Any] = {}
        """What the release leaves of the answers to the user's questions."""
        self.above_share: Mapping[str, float] = {}
        """Documents that can be read to a larger share than `readable_share`, and to which."""

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step."""
        begin = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begin

    def adopt(self, mentions: Path) -> None:
        """Take a table of mentions as the run's own, and score it."""
        with self.step("detect"):
            self.run.adopt(mentions)
        self.score()

    def score(self) -> None:
        """Score documents, links and chains from the run's mentions, and keep the scores there.

        What a person said of entities is carried out on the mentions first.
        """
        correct(self.run, self.settings)
        grown = self._grown_incidence()
        self._analyse(None if grown is None else (grown, None))
        with self.step("keep"), ThreadPoolExecutor(1) as pool:
            arguments = self.analysis.incidence, self.analysis.risk
            scored = pool.submit(self.run.keep_scored, arguments[0], arguments[1].links)
            stored_risk.store_risk(self.run, *arguments, self.settings)
            scored.result()
        if pins := editions.counts_of(self.run):
            held = self.analysis.incidence
            editions.keep_counts(self.run, pins, held.entities, held.frequency.tolist())

    def reopen(self) -> None:
        """Take the scores that the run keeps; score again, keeping nothing, where it has none."""
        self._analyse(self.run.scored())

    def _grown_incidence(self) -> Incidence | None:
        """Return the incidence, where it is known without reading all mentions."""
        return None

    def _analyse(self, kept: tuple[Incidence, Links | None] | None) -> None:
        with self.step("score"):
            self.analysis = analyse(self.run, self.settings, self.counted, kept)
            self._reasons = None
            if self.settings.policy:
                from linkmask.pipeline.planning import regulation

                held = self.analysis.incidence
                self.demands = regulation.regulate(self.run, held, self.settings)
        for document, question in self.demands.questions() if self.demands else ():
            name = self.analysis.incidence.documents[document]
            self.counted.aside.setdefault(name, SetAside(name, "policy", question))

    def plan(self) -> None:
        """Choose what to mask, and keep the plan."""
        with self.step("plan"):
            arguments = self.run, self.analysis, self.settings, self.demands, self.held
            self.chosen = choose(*arguments, self._known_values())
        self.keep()

    def _known_values(self) -> RunValues | None:
        """Return the values, where they are known without reading the mentions."""
        return None

    def decide(
        self, last: Mapping[str, Any] | None, mask: Collection[str], keep: Collection[str]
    ) -> None:
        """Plan as a person decided: the kept plan `last` stands as it is beside the entities named.

        Where no plan is to stand, one is chosen, and overruled then. What was decided stays in the
        settings, until it is named on the other side.
        """
        always, never = set(self.settings.always_mask), set(self.settings.never_mask)
        self.settings = msgspec.structs.replace(
            self.settings,
            always_mask=tuple(sorted((always | set(mask)) - set(keep))),
            never_mask=tuple(sorted((never | set(keep)) - set(mask))),
        )
        if last is None:
            return self.plan()
        self.restore(last)
        if mask or keep:
            assert self.chosen is not None
            with self.step("plan"):
                arguments = self.run, self.analysis, self.settings, self.chosen
                self.chosen = overrule(*arguments, mask, keep)
            self.keep()

    def compare(self, before: Collection[str], since: str) -> None:
        """Note where the plan differs from what was masked before, by id; see `changes`."""
        assert self.chosen is not None
        arguments = self.analysis.incidence, self.chosen, self.settings
        self.changed = changes(*arguments, before, since)

    def keep(self) -> None:
        """Write the plan into the run."""
        assert self.chosen is not None
        with self.step("keep"):
            stored_plan.store_plan(self.run, self.analysis.incidence, self.chosen, self.settings)

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take a plan that was kept, as it stands there."""
        with self.step("plan"):
            masked = stored_plan.masked_of(kept, self.analysis.incidence)
            self.chosen = restore(self.analysis, self.settings, *masked)

    def count_as_released(self) -> None:
        """Note where a plan that stays as it is misses its limits as the release shows values."""
        assert self.chosen is not None
        with self.step("plan"):
            arguments = self.run, self.analysis, self.settings, self.chosen
            self.chosen = as_released(*arguments, fixed=True)

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
        leaking: Sequence[str] = (),
        excluded: Sequence[str] = (),
        formats: Mapping[str, Mapping[str, Any]] = {},
    ) -> Audit:
        """Sum up what is known by now."""
        aside = (
            [*self.counted.unread, *self.counted.aside.values()] if set_aside is None else set_aside
        )
        facts = RunFigures(
            name=self._input_name(),
            digest=self.run.digest,
            characters=self.counted.characters,
            released=counts.get("released", 0),
            masked_mentions=counts.get("mentions", 0),
            masked_characters=counts.get("characters", 0),
            dropped=self.counted.dropped,
            uncovered_languages=Counter(sorted(uncovered(self.run).values())),
            leaking_names=len(leaking),
            leaking_ids=counts.get("ids", 0),
            leaking_documents=counts.get("leaking", 0),
            repeated_ids=counts.get("repeated", 0),
            parts_left_out=counts.get("parts", 0),
            forgotten_documents=counts.get("forgotten", 0),
            excluded=excluded,
            formats=formats,
            seconds=self.seconds,
            policy=self._account(),
            model=self._model(),
            changed=self.changed,
            answers=self.answers,
            linkage=self.linkage or (NOT_RELEASED if self.chosen else {}),
            above_share=self.above_share,
            editions=[msgspec.to_builtins(one) for one in self.editions],
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
        from linkmask import policy

        return policy.account(self.demands, self.reasons(), self.chosen, self.retries)

    def reasons(self) -> policy.Reasons:
        """Return why each value that a policy decided on was treated so, by entity."""
        if self._reasons is None:
            self._reasons = self._reasoned()
        return self._reasons

    def _reasoned(self) -> policy.Reasons:
        if self.demands is None:
            return {}
        from linkmask import llm, policy

        parts = self.demands, self.analysis.incidence
        words, likens = self.settings.policy_model, self.settings.policy_embeddings
        if not (words or likens):
            return policy.reasons(*parts)
        with llm.connect(self.settings) as model:
            write = policy.reason_writer(model) if words else None
            return policy.reasons(*parts, write, policy.example_ranker(model) if likens else None)

    def rule(self, entity: int) -> str:
        """Say what a policy decided on an entity, why, and what the plan did; "" for no policy."""
        reason = self.reasons().get(entity)
        if reason is None or self.chosen is None:
            return reason.sentence if reason else ""
        stages = zip(self.chosen.masked.tolist(), self.chosen.stage, strict=True)
        return reason.by_plan(next((stage for e, stage in stages if e == entity), "")).sentence

    def _input_name(self) -> str:
        """Return the name of the input as reports show it."""
        return self.run.source.name

    @property
    def _shown(self) -> Incidence:
        """The incidence as reports show it: an id that holds a masked value is a number."""
        incidence = self.analysis.incidence
        if not self._named:
            return incidence
        names = [self._named.get(name, name) for name in incidence.documents]
        return replace(incidence, documents=names)
