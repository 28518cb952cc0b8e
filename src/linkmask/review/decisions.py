"""What a person decided about entities, each step of it, and what of it the plan does not hold yet.

All of it lies in `review.json` of the run, under the ids of the entities, readable by its owner
only. Every change raises `version`: whoever decides on an older one is refused, so that two tabs
never overwrite one another. What is done is logged before it is kept.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec

from linkmask.choices import APART, HERE, NOBODY
from linkmask.commands.decide import Decided, Missed
from linkmask.errors import LinkmaskError, RunError, UsageError
from linkmask.pipeline.correcting import is_entity, subject
from linkmask.records import entity_label
from linkmask.review.kept import Changes, Decision, ReviewStep, put, read_kept
from linkmask.review.opened import OpenedRun
from linkmask.review.sampling import PassageRead, Sample
from linkmask.review.visits import Since, keep_visit, seen, since, visits_of
from linkmask.runs.decision_log import APPROVE, DecisionLog, approved_by, now
from linkmask.runs.log import private
from linkmask.runs.names import DECIDED as NAME

LOCK = ".review.lock"
CHOICES = ("mask", "keep", "")
"""What can be decided of an entity; the empty one takes a decision back."""
REASONS = (
    "not about a person",
    "public knowledge",
    "needed to answer questions",
    "wrongly detected",
    "required by law",
    "other",
)
"""Why a value may stay readable."""
SAID = {
    "": "",
    NOBODY: "nobody’s: no identifier",
    APART: "a value by itself",
    HERE: "masked in one document only",
}
"""What a person says of a value, in words, where it is no type and no other value."""


class Stale(LinkmaskError):  # noqa: N818 - named for what is wrong
    """What was decided on has changed since the page was drawn."""


class Decisions:
    """The decisions of a run, kept with every change. One process at a time has them.

    Raises:
        RunError: another review of the run is open, or the file or the log is damaged.
    """

    def __init__(self, opened: OpenedRun, reviewer: str) -> None:
        self.opened, self.reviewer = opened, reviewer
        run = opened.run
        self._lock = private(run.path / LOCK, 0)
        with ExitStack() as failing:
            failing.callback(self.close)
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RunError(f"another review of {run.path} is open: end it first") from None
            self.log = DecisionLog(run.path)
            self.kept = read_kept(run.path / NAME)
            failing.pop_all()

    def close(self) -> None:
        """Let go of the run's decisions."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    # ── what is decided ─────────────────────────────────────────────────────────────────────────

    def of(self, entity: int) -> Decision:
        """Return what was decided of an entity, here or by `linkmask plan`."""
        made = self.kept.decisions.get(self.opened.incidence.entities[entity])
        if made is not None:
            return made
        choice = self.opened.decided(entity)
        return Decision(choice, by="linkmask plan" if choice else "")

    def is_pending(self, entity: int) -> bool:
        """Tell whether the plan does not hold yet what was decided of an entity."""
        return self.of(entity).choice != self.opened.decided(entity)

    @property
    def pending(self) -> Decided:
        """What the plan does not hold yet."""
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
        return Decided(mask, keep, lift, limits, correct)

    @property
    def in_force(self) -> list[tuple[int, Decision]]:
        """What was decided and not taken back, by entity, also what is pending."""
        held = {*self.kept.decisions, *self.opened.settings.always_mask}
        held.update(self.opened.settings.never_mask)
        numbers = sorted(self.opened.ids[one] for one in held if one in self.opened.ids)
        return [(n, made) for n in numbers if (made := self.of(n)).choice]

    @property
    def said(self) -> dict[str, str]:
        """What persons said that entities are, as the setting `corrections` has it, also pending.

        What is taken back is not in it.
        """
        said = {**self.opened.settings.corrections, **self.pending.correct}
        return {key: one for key, one in said.items() if one}

    def said_of(self, entity: int) -> str:
        """Return in words what a person said that an entity is, or ""."""
        return self.in_words(self.said.get(self.opened.incidence.entities[entity], ""))

    def labelled(self, said: str) -> str:
        """Return a correction in words, in which another entity stands by its label."""
        if is_entity(said):
            return f"one with {entity_label(said, self.opened.incidence.salt)}"
        return self.in_words(said)

    def in_words(self, said: str) -> str:
        """Return a correction in words; the value of another entity stands in them."""
        if (number := self.opened.ids.get(said)) is not None:
            return f"one with {self.opened.values[number]}"
        if said in SAID:
            return SAID[said]
        return "one with a value that is gone" if is_entity(said) else f"is {said}"

    # ── deciding ────────────────────────────────────────────────────────────────────────────────

    def decide(
        self, version: int, entities: Iterable[int], choice: str, reason: str = "", words: str = ""
    ) -> None:
        """Decide of some entities alike.

        Raises:
            Stale: `version` is an older one.
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
        self, version: int, keys: Iterable[str], said: str, reason: str = "", words: str = ""
    ) -> None:
        """Say of some entities, or of spellings of them, what they are; "" takes it back.

        Keys and what is said are as in the setting `corrections`.

        Raises:
            Stale: `version` is an older one.
            UsageError: a reason is missing or holds a value, the run was made of mentions alone, or
                an entity would be one with itself.
        """
        self.check(version)
        if not self.opened.run.has("mentions"):
            raise UsageError("the run was made of mentions alone: correct these, and scan them")
        made = self._made(said, reason, words)
        changes: Changes = {key: (self.kept.corrections.get(key), made) for key in keys}
        if not changes:
            raise UsageError("choose at least one value")
        over, seen = self.said, said
        while seen:
            if seen in changes:
                raise UsageError("a value would be one with itself: take the other decision back")
            seen = over.get(seen, "")
        number = self.opened.ids.get(said)
        to = said if number is None else self.opened.labels[number]
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
            Stale: `version` is an older one.
        """
        self.check(version)
        after = {**self.kept.limits, **limits}
        self._step(ReviewStep(limits=(dict(self.kept.limits), after)), "limits", set=dict(limits))

    def undo(self, version: int, number: int) -> None:
        """Take a step back, where nothing later decided on the same.

        Raises:
            Stale: `version` is an older one.
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
        self._log("undo", [*step.entities, *step.corrections], step=number)
        for held, changes in self._both(step):
            for one, (before, _) in changes.items():
                put(held, one, before)
        if step.limits:
            self.kept.limits = step.limits[0]
        step.undone = True
        self._keep()

    def applied(self, renamed: Mapping[str, str] = {}) -> None:
        """Note that the plan holds what was decided; these steps stay, and are undone no more.

        `renamed`: the ids that corrected entities have now, by those they had: what was decided of
        them goes along.
        """
        settings = msgspec.to_builtins(self.opened.settings)
        self._log(
            "apply", {}, limits={name: settings[name] for name in ("theta_doc", "theta_chain")}
        )
        held = self.kept.decisions.items()
        self.kept.decisions = {renamed.get(one, one): made for one, made in held}
        self.kept.limits, self.kept.steps = {}, []
        self._keep()

    def approve(self, version: int) -> None:
        """Sign the plan as it is, with the reviewer's name.

        Raises:
            Stale: `version` is an older one.
            UsageError: decisions are pending, or the reviewer has signed this plan already.
        """
        self.check(version)
        if self.pending != Decided():
            raise UsageError("decisions are pending: make them the plan, or undo them, first")
        if self.reviewer in self.approvals:
            raise UsageError("you have approved this plan: another one must do it under their name")
        self._log(APPROVE, (), plan=self.opened.digest)
        self._keep()

    def sign_visit(self, version: int) -> None:
        """Sign that the reviewer has seen the run as it is.

        Raises:
            Stale: `version` is an older one.
        """
        self.check(version)
        self._log("visit", (), plan=self.opened.digest)
        keep_visit(self.opened, self.reviewer, seen(self.opened, now(), self.log.head.lines))
        self._keep()

    @property
    def since_visit(self) -> Since | None:
        """What changed since the reviewer's last signed visit; None where there was none."""
        visit = visits_of(self.opened).get(self.reviewer)
        return None if visit is None else since(self.opened, visit)

    @property
    def approvals(self) -> frozenset[str]:
        """Who approved the plan as it is."""
        return approved_by(self.opened.run.path, self.opened.digest)

    def begin_sample(self, version: int, sample: Sample) -> None:
        """Take a drawn sample to be read; an earlier one is given up.

        Raises:
            Stale: `version` is an older one.
        """
        self.check(version)
        self._log(
            "sample", (), passages=len(sample.passages), of=sample.population, seed=sample.seed
        )
        self.kept.sample = sample
        self._keep()

    def mark_read(self, version: int, number: int, missed: Sequence[str]) -> None:
        """Note what was found in a passage of the sample: the types that were missed there.

        Raises:
            Stale: `version` is an older one.
            UsageError: there is no such passage.
        """
        self.check(version)
        sample = self.kept.sample
        if sample is None or not 0 <= number < len(sample.passages):
            raise UsageError("there is no such passage")
        self._log("read", (), passage=number + 1, missed=list(missed))
        sample.read[number] = PassageRead(tuple(missed), self.opened.digest, self.reviewer, now())
        self._keep()

    def look(self, version: int, document: int) -> None:
        """Note that a document was read as the plan masks it, by number.

        Raises:
            Stale: `version` is an older one.
            UsageError: there is no such document.
        """
        self.check(version)
        if not 0 <= document < self.opened.incidence.n_documents:
            raise UsageError("there is no such document")
        self._log("looked", (), document=document + 1, plan=self.opened.digest)
        self.kept.looked[document] = self.opened.digest
        self._keep()

    def log_missed(self, entity: int, found: Missed) -> None:
        """Log that a value was taken into the run which detection had missed."""
        ids = [self.opened.incidence.entities[entity]]
        self._log("missed", ids, documents=found.documents, mentions=found.mentions)

    def check(self, version: int) -> None:
        """Refuse what was asked of an older version, or of another plan.

        Raises:
            Stale: it is older.
        """
        if version != self.kept.version or self.opened.stale:
            raise Stale("what you decided on has changed meanwhile, in another tab or command")

    def reopened(self, opened: OpenedRun) -> None:
        """Go on with the run as it was planned since; what it has forgotten is forgotten here.

        What was read of the sample still counts where the plan masks all that it masked then.
        """
        before, self.opened = self.opened, opened
        if opened.masked_ids >= before.masked_ids:
            if self.kept.sample:
                read = self.kept.sample.read
                for number, one in read.items():
                    if one.plan == before.digest:
                        read[number] = msgspec.structs.replace(one, plan=opened.digest)
            looked = self.kept.looked
            looked.update({d: opened.digest for d, at in looked.items() if at == before.digest})
        held = self.kept.decisions.items()
        self.kept.decisions = {one: made for one, made in held if one in opened.ids}
        self.kept.steps = [s for s in self.kept.steps if s.entities.keys() <= opened.ids.keys()]
        self._keep()

    def _both(self, step: ReviewStep) -> tuple[tuple[dict[str, Decision], Changes], ...]:
        """Return what a step changed, beside where it is kept."""
        return (
            (self.kept.decisions, step.entities),
            (self.kept.corrections, step.corrections),
        )

    def _step(self, step: ReviewStep, action: str, **facts: Any) -> None:
        known = {name: one for name, one in facts.items() if one}
        self._log(action, [*step.entities, *step.corrections], **known)
        for held, changes in self._both(step):
            for one, (_, made) in changes.items():
                put(held, one, made)
        if step.limits:
            self.kept.limits = step.limits[1]
        step.number = max((one.number for one in self.kept.steps), default=0) + 1
        step.by, step.time = self.reviewer, now()
        self.kept.steps.append(step)
        self._keep()

    def _log(self, action: str, entities: Iterable[str], **facts: Any) -> None:
        """Log what is about to be done, entities by label; what is no entity now is left out."""
        heads = dict.fromkeys(map(subject, entities))
        numbers = [self.opened.ids[one] for one in heads if one in self.opened.ids]
        named = [{"entity": self.opened.labels[n], "type": self.opened.type(n)} for n in numbers]
        self.log.append(action, self.reviewer, entities=named, **facts)

    def _keep(self) -> None:
        self.kept.version += 1
        self.opened.run.write_json(NAME, self.kept)
