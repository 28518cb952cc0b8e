"""Records what a reviewer has seen and signs: passages, documents, visits, approvals."""

from __future__ import annotations

from collections.abc import Sequence

from linkmask.commands.decide import PendingDecisions
from linkmask.errors import UsageError
from linkmask.review.decisions import Decisions
from linkmask.review.sampling import PassageRead, Sample
from linkmask.review.visits import (
    ChangesSinceVisit,
    changes_since,
    keep_visit,
    visit_now,
    visits_of,
)
from linkmask.runs.decision_log import APPROVE, approved_by, now


class ReviewReading:
    """What is read and signed in a review; all of it is kept and logged beside the decisions."""

    def __init__(self, decisions: Decisions) -> None:
        self._made = decisions

    def approve(self, version: int) -> None:
        """Sign the plan as it is, with the reviewer's name.

        Raises:
            StaleVersion: `version` is an older one.
            UsageError: decisions are pending, or the reviewer has signed this plan already.
        """
        self._made.check(version)
        if self._made.pending != PendingDecisions():
            raise UsageError("decisions are pending: make them the plan, or undo them, first")
        if self._made.reviewer in self.approvals:
            raise UsageError("you have approved this plan: another one must do it under their name")
        self._made.write_log(APPROVE, (), plan=self._made.opened.digest)
        self._made.keep()

    def sign_visit(self, version: int) -> None:
        """Sign that the reviewer has seen the run as it is.

        Raises:
            StaleVersion: `version` is an older one.
        """
        self._made.check(version)
        self._made.write_log("visit", (), plan=self._made.opened.digest)
        keep_visit(
            self._made.opened,
            self._made.reviewer,
            visit_now(self._made.opened, now(), self._made.log.head.lines),
        )
        self._made.keep()

    @property
    def since_visit(self) -> ChangesSinceVisit | None:
        """What changed since the reviewer's last signed visit; None where there was none."""
        visit = visits_of(self._made.opened).get(self._made.reviewer)
        return None if visit is None else changes_since(self._made.opened, visit)

    @property
    def approvals(self) -> frozenset[str]:
        """Who approved the plan as it is."""
        return approved_by(self._made.opened.run.path, self._made.opened.digest)

    def begin_sample(self, version: int, sample: Sample) -> None:
        """Take a drawn sample to be read; an earlier one is given up.

        Raises:
            StaleVersion: `version` is an older one.
        """
        self._made.check(version)
        self._made.write_log(
            "sample", (), passages=len(sample.passages), of=sample.population, seed=sample.seed
        )
        self._made.kept.sample = sample
        self._made.keep()

    def mark_read(self, version: int, number: int, missed: Sequence[str]) -> None:
        """Note what was found in a passage of the sample: the types that were missed there.

        Raises:
            StaleVersion: `version` is an older one.
            UsageError: there is no such passage.
        """
        self._made.check(version)
        sample = self._made.kept.sample
        if sample is None or not 0 <= number < len(sample.passages):
            raise UsageError("there is no such passage")
        self._made.write_log("read", (), passage=number + 1, missed=list(missed))
        sample.read[number] = PassageRead(
            tuple(missed), self._made.opened.digest, self._made.reviewer, now()
        )
        self._made.keep()

    def look(self, version: int, document: int) -> None:
        """Note that a document was read as the plan masks it, by number.

        Raises:
            StaleVersion: `version` is an older one.
            UsageError: there is no such document.
        """
        self._made.check(version)
        if not 0 <= document < self._made.opened.incidence.n_documents:
            raise UsageError("there is no such document")
        self._made.write_log("looked", (), document=document + 1, plan=self._made.opened.digest)
        self._made.kept.looked[document] = self._made.opened.digest
        self._made.keep()
