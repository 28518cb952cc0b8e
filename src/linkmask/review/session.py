"""Holds what the page works on: the opened run, its decisions, and their estimate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from linkmask.commands.decide import MissedValue, PendingDecisions, decide_run, mark_missed
from linkmask.errors import UsageError
from linkmask.review.decisions import Decisions
from linkmask.review.document_view import Stretch, TextPiece, Texts
from linkmask.review.estimates import Estimate, estimate
from linkmask.review.opened_run import OpenedRun
from linkmask.review.reading import ReviewReading
from linkmask.review.sampling import Sample
from linkmask.runs.run_paths import run_at

AHEAD = 32
"""Passages of a sample whose documents are read in one pass over the input."""


class ReviewSession:
    """One review: a run, a reviewer, and what is said once on the next page.

    Raises:
        RunError: there is no run with a plan, another review of it is open, or its log is broken.
    """

    def __init__(self, folder: Path, reviewer: str) -> None:
        self.folder = run_at(folder)
        self.opened = OpenedRun(self.folder)
        self.decisions = Decisions(self.opened, reviewer)
        self.reading = ReviewReading(self.decisions)
        self._estimate: tuple[PendingDecisions, Estimate] | None = None
        self._planned: Estimate | None = None
        self.texts = Texts(self.opened)
        self._message = ""

    def close(self) -> None:
        """Close the run."""
        self.decisions.close()

    def refresh(self) -> None:
        """Read the run again where another command has planned it since."""
        if self.opened.stale:
            self._reopen()

    def _reopen(self) -> None:
        self.opened = OpenedRun(self.folder)
        self.texts = Texts(self.opened)
        self.decisions.reopened(self.opened)
        self._estimate = self._planned = None

    def show_next(self, text: str) -> None:
        """Show a message on the next page."""
        self._message = text

    def take_message(self) -> str:
        """Return the message for the next page, once."""
        text, self._message = self._message, ""
        return text

    def estimated(self) -> Estimate:
        """Return the plan with the pending decisions; it is computed once."""
        pending = self.decisions.pending
        if pending == PendingDecisions():
            return self.planned
        if self._estimate is None or self._estimate[0] != pending:
            self._estimate = pending, estimate(self.opened, pending)
        return self._estimate[1]

    @property
    def planned(self) -> Estimate:
        """What the plan is, without what is pending."""
        if self._planned is None:
            self._planned = estimate(self.opened, PendingDecisions())
        return self._planned

    def passage(self, sample: Sample, at: int) -> list[tuple[str, list[TextPiece]]]:
        """Return a passage of a sample as the plan masks it: its fields by name, each in pieces."""
        passage, ahead = sample.passages[at], sample.passages[at : at + AHEAD]
        if not self.texts.holds(passage.document):
            self.texts.read([one.document for one in ahead])
        fields = self.texts.pieces(passage.document, self.planned)
        return [
            (name, list(_clipped(fields.get(name, ()), start, end)))
            for name, start, end in passage.ranges
        ]

    def apply(self, version: int) -> None:
        """Make the run's plan that of the decisions.

        Raises:
            StaleVersion: `version` is an older one.
            UsageError: nothing is pending.
            RunError: another command is using the run.
        """
        self.decisions.check(version)
        pending = self.decisions.pending
        if pending == PendingDecisions():
            raise UsageError("nothing is pending: the plan holds every decision")
        renamed = self.estimated().renamed
        decide_run(self.folder, pending)
        self.decisions.applied(renamed)
        self._reopen()

    def mark(
        self, version: int, value: str, entity_type: str, document: int | None = None
    ) -> MissedValue:
        """Take a value that detection missed into the run, and decide to mask it.

        It is masked everywhere, or in one document only, by number.

        Raises:
            StaleVersion: `version` is an older one.
            UsageError: there is no such type, or the value stands nowhere.
            RunError: the input has changed, or another command is using the run.
        """
        self.decisions.check(version)
        held = self.opened.incidence.documents
        if document is not None and not 0 <= document < len(held):
            raise UsageError("there is no such document")
        where = None if document is None else held[document]
        found = mark_missed(self.folder, value, entity_type, where)
        self._reopen()
        number = self.opened.ids[found.entity]
        self.decisions.log_missed(number, found)
        self.decisions.decide(self.decisions.kept.version, [number], "mask")
        return found


def _clipped(stretches: Iterable[Stretch], start: int, end: int) -> Iterator[TextPiece]:
    """Yield the masked pieces of a range; text is cut at its ends, a value is whole."""
    for one in stretches:
        if one.start < end and start < one.end:
            if one.after.kind:
                yield one.after
            else:
                at = one.start
                yield TextPiece(one.after.text[max(start - at, 0) : end - at])
