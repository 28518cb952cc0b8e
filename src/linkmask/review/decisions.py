"""Holds the decisions about entities, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from linkmask.choices import NOBODY
from linkmask.commands.decide import MissedValue, PendingDecisions
from linkmask.errors import UsageError
from linkmask.pipeline.correcting import ALONE
from linkmask.review.record import ReviewRecord
from linkmask.review.stored_review import Changes, Decision, ReviewStep, put
from linkmask.runs.decision_log import now

CHOICES = ("mask", "keep", "")
"""Possible decisions about an entity; the empty one takes a decision back."""
REASONS = (
    "not about a person",
    "public knowledge",
    "needed to answer questions",
    "wrongly detected",
    "required by law",
    "other",
)
"""Why a value may stay readable."""


class Decisions(ReviewRecord):
    """The decisions of a run, made and pending; new ones are made and undone here.

    Raises:
        RunError: another review of the run is open, or the file or the log is damaged.
    """

    # ── what is decided ─────────────────────────────────────────────────────────────────────────

    def of(self, entity: int) -> Decision:
        """Return what was decided of an entity, here or by `linkmask plan`."""
        made = self.kept.decisions.get(self.opened.incidence.entities[entity])
        if made is not None:
            return made
        choice = self.opened.decided(entity)
        return Decision(choice, by="linkmask plan" if choice else "")

    def is_pending(self, entity: int) -> bool:
        """Tell whether a decision about an entity is not yet part of the plan."""
        return self.of(entity).choice != self.opened.decided(entity)

    @property
    def pending(self) -> PendingDecisions:
        """Decisions that are not yet part of the plan."""
        sides: dict[str, set[str]] = {choice: set() for choice in CHOICES}
        settings = self.opened.settings
        held = dict.fromkeys(settings.always_mask, "mask")
        held |= dict.fromkeys(settings.never_mask, "keep")
        for entity, decision in self.kept.decisions.items():
            if entity in self.opened.ids and decision.choice != held.get(entity, ""):
                sides[decision.choice].add(entity)
        limits = {n: v for n, v in self.kept.limits.items() if getattr(settings, n) != v}
        correct = {
            key: made.choice
            for key, made in self.kept.corrections.items()
            if made.choice != settings.corrections.get(key, "")
        }
        mask, keep, lift = (frozenset(sides[choice]) for choice in CHOICES)
        return PendingDecisions(mask, keep, lift, limits, correct)

    @property
    def in_force(self) -> list[tuple[int, Decision]]:
        """Decisions by entity that were not undone, also those that are pending."""
        held = {*self.kept.decisions, *self.opened.settings.always_mask}
        held.update(self.opened.settings.never_mask)
        numbers = sorted(self.opened.ids[one] for one in held if one in self.opened.ids)
        return [(n, made) for n in numbers if (made := self.of(n)).choice]

    @property
    def corrections(self) -> dict[str, str]:
        """Corrections of entities in the form of the setting `corrections`, also pending ones.

        Corrections that were taken back are left out.
        """
        corrections = {**self.opened.settings.corrections, **self.pending.correct}
        return {key: one for key, one in corrections.items() if one}

    # ── deciding ────────────────────────────────────────────────────────────────────────────────

    def decide(
        self, version: int, entities: Iterable[int], choice: str, reason: str = "", words: str = ""
    ) -> None:
        """Make the same decision for several entities.

        Raises:
            StaleVersion: `version` is an older one.
            UsageError: a reason is missing or holds a value, or there is no such choice.
        """
        self.check(version)
        if choice not in CHOICES:
            raise UsageError("decide mask, keep or undecided")
        made = self._made(choice, reason, words)
        ids = [self.opened.incidence.entities[n] for n in entities]
        if not ids:
            raise UsageError("choose at least one value")
        changes: Changes = {one: (self.kept.decisions.get(one), made) for one in ids}
        self._step(
            ReviewStep(entities=changes), choice or "undecided", reason=reason, words=made.words
        )

    def correct(
        self, version: int, keys: Iterable[str], correction: str, reason: str = "", words: str = ""
    ) -> None:
        """Correct some entities, or spellings of them; "" takes a correction back.

        Keys and what is said are as in the setting `corrections`.

        Raises:
            StaleVersion: `version` is an older one.
            UsageError: a reason is missing or holds a value, the run was made of mentions alone, or
                an entity would be one with itself.
        """
        self.check(version)
        if not self.opened.run.has("mentions"):
            raise UsageError(ALONE)
        made = self._made(correction, reason, words)
        changes: Changes = {key: (self.kept.corrections.get(key), made) for key in keys}
        if not changes:
            raise UsageError("choose at least one value")
        over, seen = self.corrections, correction
        while seen:
            if seen in changes:
                raise UsageError(
                    "a value would be united with itself: take the other decision back"
                )
            seen = over.get(seen, "")
        number = self.opened.ids.get(correction)
        to = correction if number is None else self.opened.labels[number]
        facts = {"to": to, "reason": reason, "words": made.words}
        self._step(ReviewStep(corrections=changes), "correct", **facts)

    def _made(self, choice: str, reason: str, words: str) -> Decision:
        """Return a decision of this reviewer.

        Raises:
            UsageError: a reason is missing or holds a value.
        """
        words = " ".join(words.split())
        readable = choice in ("keep", NOBODY)
        if readable and (reason not in REASONS or (reason == REASONS[-1] and not words)):
            raise UsageError(
                "what stays readable needs a reason: choose one, or write one beside “other”"
            )
        if found := self.opened.value_in(words):
            raise UsageError(f"the reason holds a value of the corpus ({found}): name it otherwise")
        return Decision(choice, reason, words, self.reviewer, now())

    def limit(self, version: int, limits: Mapping[str, float]) -> None:
        """Decide on the limits.

        Raises:
            StaleVersion: `version` is an older one.
        """
        self.check(version)
        after = {**self.kept.limits, **limits}
        self._step(ReviewStep(limits=(dict(self.kept.limits), after)), "limits", set=dict(limits))

    def undo(self, version: int, number: int) -> None:
        """Take a step back, where nothing later decided on the same.

        Raises:
            StaleVersion: `version` is an older one.
            UsageError: there is no such step, or a later one stands upon it.
        """
        self.check(version)
        step = next((one for one in self.kept.steps if one.number == number), None)
        if step is None or step.undone:
            raise UsageError("there is no such step to undo")
        later = any(
            held.get(one) != now_
            for held, changes in self._both(step)
            for one, (_, now_) in changes.items()
        )
        if later or (step.limits and step.limits[1] != self.kept.limits):
            raise UsageError("a later step decided on the same: undo that one first")
        self.write_log("undo", [*step.entities, *step.corrections], step=number)
        for held, changes in self._both(step):
            for one, (before, _) in changes.items():
                put(held, one, before)
        if step.limits:
            self.kept.limits = step.limits[0]
        step.undone = True
        self.keep()

    def applied(self, renamed: Mapping[str, str] = {}) -> None:
        """Note that the plan holds what was decided; these steps stay, and are undone no more.

        `renamed`: the ids that corrected entities have now, by those they had: what was decided of
        them goes along.
        """
        settings = msgspec.to_builtins(self.opened.settings)
        self.write_log(
            "apply", {}, limits={name: settings[name] for name in ("theta_doc", "theta_chain")}
        )
        held = self.kept.decisions.items()
        self.kept.decisions = {renamed.get(one, one): made for one, made in held}
        self.kept.limits, self.kept.steps = {}, []
        self.keep()

    def log_missed(self, entity: int, found: MissedValue) -> None:
        """Log that a value was taken into the run which detection had missed."""
        ids = [self.opened.incidence.entities[entity]]
        self.write_log("missed", ids, documents=found.documents, mentions=found.mentions)

    def _both(self, step: ReviewStep) -> tuple[tuple[dict[str, Decision], Changes], ...]:
        """Return what a step changed, beside where it is kept."""
        return (
            (self.kept.decisions, step.entities),
            (self.kept.corrections, step.corrections),
        )

    def _step(self, step: ReviewStep, action: str, **facts: Any) -> None:
        given = {name: one for name, one in facts.items() if one}
        self.write_log(action, [*step.entities, *step.corrections], **given)
        for held, changes in self._both(step):
            for one, (_, made) in changes.items():
                put(held, one, made)
        if step.limits:
            self.kept.limits = step.limits[1]
        step.number = max((one.number for one in self.kept.steps), default=0) + 1
        step.by, step.time = self.reviewer, now()
        self.kept.steps.append(step)
        self.keep()
