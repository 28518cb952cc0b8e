"""Locks a review for one process, and logs what is done in it.

All of it lies in `review.json` of the run, under the ids of the entities, readable by its owner
only. Every change raises `version`: whoever decides on an older one is refused, so that two tabs
never overwrite one another. What is done is logged before it is kept.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

import msgspec

from linkmask.errors import LinkmaskError, RunError
from linkmask.pipeline.correcting import subject
from linkmask.review.opened_run import OpenedRun
from linkmask.review.stored_review import read_kept
from linkmask.runs.decision_log import DecisionLog
from linkmask.runs.file_names import DECIDED as NAME
from linkmask.runs.log import private

LOCK = ".review.lock"


class StaleVersion(LinkmaskError):  # noqa: N818 - named for what is wrong
    """The review has changed since the page was drawn."""


class ReviewRecord:
    """The stored review of a run, written with every change.

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
        """Close the run's decisions."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def check(self, version: int) -> None:
        """Refuse what was asked of an older version, or of another plan.

        Raises:
            StaleVersion: it is older.
        """
        if version != self.kept.version or self.opened.stale:
            raise StaleVersion(
                "what you decided on has changed meanwhile, in another tab or command"
            )

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
        self.keep()

    def write_log(self, action: str, entities: Iterable[str], **facts: Any) -> None:
        """Log what is about to be done, entities by label; what is no entity now is left out.

        Raises:
            RunError: it can't be written; nothing was done then.
        """
        heads = dict.fromkeys(map(subject, entities))
        numbers = [self.opened.ids[one] for one in heads if one in self.opened.ids]
        named = [{"entity": self.opened.labels[n], "type": self.opened.type(n)} for n in numbers]
        self.log.append(action, self.reviewer, entities=named, **facts)

    def keep(self) -> None:
        """Write what is kept, as another version."""
        self.kept.version += 1
        self.opened.run.write_json(NAME, self.kept)
