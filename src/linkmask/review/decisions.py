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
from pathlib import Path
from typing import Any

import msgspec

from linkmask.commands.decide import LIMITS, Decided, Missed
from linkmask.errors import LinkmaskError, RunError, UsageError
from linkmask.report.wording import shown
from linkmask.review.opened import OpenedRun
from linkmask.review.sampling import Read, Sample
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


class Stale(LinkmaskError):  # noqa: N818 - named for what is wrong
    """What was decided on has changed since the page was drawn."""


class Decision(msgspec.Struct, frozen=True):
    """What was decided of one entity, why, by whom, when."""

    choice: str
    reason: str = ""
    words: str = ""
    by: str = ""
    time: str = ""


Changes = dict[str, tuple[Decision | None, Decision | None]]
"""Entity → what was decided of it before, and what is now."""


class Step(msgspec.Struct):
    """One thing done: the decisions of its entities, or the limits, before and after it."""

    number: int
    by: str
    time: str
    entities: Changes = {}
    limits: tuple[dict[str, float], dict[str, float]] | None = None
    undone: bool = False


class Kept(msgspec.Struct):
    """The content of `review.json`."""

    version: int = 0
    decisions: dict[str, Decision] = {}
    limits: dict[str, float] = {}
    steps: list[Step] = []
    sample: Sample | None = None


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
            self.kept = _read(run.path / NAME)
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
        mask, keep, lift = (frozenset(sides[choice]) for choice in CHOICES)
        return Decided(mask, keep, lift, limits)

    @property
    def in_force(self) -> list[tuple[int, Decision]]:
        """What was decided and not taken back, by entity, also what is pending."""
        held = {*self.kept.decisions, *self.opened.settings.always_mask}
        held.update(self.opened.settings.never_mask)
        numbers = sorted(self.opened.ids[one] for one in held if one in self.opened.ids)
        return [(n, made) for n in numbers if (made := self.of(n)).choice]

    def as_toml(self) -> str:
        """Return the decisions, also those that are pending, as a configuration file.

        It names values by the ids that they have in every run with the same schema: hashes of the
        values, which can be guessed. So the file is as private as the run.
        """
        opened, settings, pending = self.opened, self.opened.settings, self.pending
        always = (set(settings.always_mask) - pending.keep - pending.lift) | pending.mask
        never = (set(settings.never_mask) - pending.mask - pending.lift) | pending.keep
        limits = {name: pending.limits.get(name, getattr(settings, name)) for name in LIMITS}
        lines = [
            "# Decisions of a review. Private: the ids are hashes of values.",
            "# linkmask mask INPUT -o OUT --config THIS_FILE; linkmask plan RUN --config THIS_FILE",
            "[plan]",
            *(f"{name} = {value!r}" for name, value in limits.items()),
        ]
        for name, ids in (("always_mask", always), ("never_mask", never)):
            lines.append(f"{name} = [")
            for entity in sorted(ids):
                number = opened.ids.get(entity)
                made = Decision("") if number is None else self.of(number)
                kind = "" if number is None else opened.type(number)
                why = ", ".join(filter(None, (kind, made.reason, made.words, made.by, made.time)))
                lines.append(f'  "{entity}",{f"  # {shown(why)}" if why else ""}')
            lines.append("]")
        return "\n".join(lines) + "\n"

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
        words = " ".join(words.split())
        if choice == "keep" and (reason not in REASONS or (reason == REASONS[-1] and not words)):
            raise UsageError(
                "to keep a value readable, choose a reason, or write one beside “other”"
            )
        if found := self.opened.value_in(words):
            raise UsageError(f"the reason holds a value of the corpus ({found}): name it otherwise")
        made = Decision(choice, reason, words, self.reviewer, now())
        ids = [self.opened.incidence.entities[n] for n in entities]
        if not ids:
            raise UsageError("choose at least one value")
        changes: Changes = {one: (self.kept.decisions.get(one), made) for one in ids}
        self._step(changes, None, choice or "undecided", reason=reason, words=words)

    def limit(self, version: int, limits: Mapping[str, float]) -> None:
        """Decide on the limits.

        Raises:
            Stale: `version` is an older one.
        """
        self.check(version)
        after = {**self.kept.limits, **limits}
        self._step({}, (dict(self.kept.limits), after), "limits", set=dict(limits))

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
            self.kept.decisions.get(one) != now_ for one, (_, now_) in step.entities.items()
        )
        if later or (step.limits and step.limits[1] != self.kept.limits):
            raise UsageError("a later step decided on the same: undo that one first")
        self._log("undo", step.entities, step=number)
        for entity, (before, _) in step.entities.items():
            self._put(entity, before)
        if step.limits:
            self.kept.limits = step.limits[0]
        step.undone = True
        self._keep()

    def applied(self) -> None:
        """Note that the plan holds what was decided; these steps stay, and are undone no more."""
        settings = msgspec.to_builtins(self.opened.settings)
        self._log(
            "apply", {}, limits={name: settings[name] for name in ("theta_doc", "theta_chain")}
        )
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
        sample.read[number] = Read(tuple(missed), self.opened.digest, self.reviewer, now())
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
        if self.kept.sample and opened.masked_ids >= before.masked_ids:
            read = self.kept.sample.read
            for number, one in read.items():
                if one.plan == before.digest:
                    read[number] = msgspec.structs.replace(one, plan=opened.digest)
        held = self.kept.decisions.items()
        self.kept.decisions = {one: made for one, made in held if one in opened.ids}
        self.kept.steps = [s for s in self.kept.steps if s.entities.keys() <= opened.ids.keys()]
        self._keep()

    def _step(
        self,
        changes: Changes,
        limits: tuple[dict[str, float], dict[str, float]] | None,
        action: str,
        **facts: Any,
    ) -> None:
        self._log(action, changes, **{name: one for name, one in facts.items() if one})
        for entity, (_, made) in changes.items():
            self._put(entity, made)
        if limits:
            self.kept.limits = limits[1]
        number = max((one.number for one in self.kept.steps), default=0) + 1
        self.kept.steps.append(Step(number, self.reviewer, now(), changes, limits))
        self._keep()

    def _put(self, entity: str, decision: Decision | None) -> None:
        self.kept.decisions.pop(entity, None)
        if decision is not None:
            self.kept.decisions[entity] = decision

    def _log(self, action: str, entities: Iterable[str], **facts: Any) -> None:
        """Log what is about to be done, entities by label."""
        numbers = [self.opened.ids[one] for one in entities if one in self.opened.ids]
        named = [{"entity": self.opened.labels[n], "type": self.opened.type(n)} for n in numbers]
        self.log.append(action, self.reviewer, entities=named, **facts)

    def _keep(self) -> None:
        self.kept.version += 1
        self.opened.run.write_json(NAME, self.kept)


def _read(path: Path) -> Kept:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept) if path.exists() else Kept()
    except (OSError, msgspec.DecodeError):
        raise RunError(f"{path} is damaged: move it away to decide anew") from None
