"""linkmask from Python: documents in, masked documents out (docs/python.md).

    result = linkmask.mask(documents)
    for masked in result.documents: ...

The values found live in a private temporary folder for as long as the `Scan` or `Result` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from linkmask.config import Settings, checked
from linkmask.corpus import check_records
from linkmask.corpus.fields import changed_fields
from linkmask.corpus.in_memory import Given, distinct_documents, fields_of, items_of
from linkmask.pipeline import plan_and_check
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.planning import regulation, scoring
from linkmask.policy import Demands
from linkmask.records import (
    CONTENT,
    Audit,
    Document,
    Finding,
    Incidence,
    Masked,
    Plan,
    Risk,
    SetAside,
)
from linkmask.runs import Run

Chosen = Settings | Mapping[str, Any]
"""Settings as from `linkmask.load`, or what differs from a preset, by name."""


class Scan:
    """A scored corpus, from which plans are made and applied."""

    def __init__(self, documents: Iterable[Given], settings: Chosen | None = None) -> None:
        self.settings = checked(settings or Settings())
        given = list(items_of(documents))
        check_records(map(partial(fields_of, settings=self.settings), given), self.settings)
        self._documents = list(distinct_documents(given, self.settings))
        self._folder = TemporaryDirectory(prefix="linkmask-")
        folder = Path(self._folder.name)
        with Run.create(folder / "run", self.settings, source=folder, digest="") as run:
            self.job = ReleaseJob(run, self.settings, self._read)
            self.job.detect()
            self.job.score()
        self._last = self.job

    def _read(self) -> Iterator[Document | SetAside]:
        return iter(self._documents)

    @property
    def incidence(self) -> Incidence:
        """Documents × entities, as arrays."""
        return self.job.analysis.incidence

    @property
    def risk(self) -> Risk:
        """Risk of each document, the links and the chains."""
        return self.job.analysis.risk

    def plan(self, settings: Settings | None = None) -> Plan:
        """Choose what to mask; with other settings, choose again without detecting."""
        settings = checked(settings or self.settings)
        arguments = self.job.run, self.job.analysis, settings
        return scoring.choose(*arguments, self._demands(settings))

    def apply(self, plan: Plan, settings: Settings | None = None) -> Iterator[Masked]:
        """Yield the masked documents of a plan, in input order, without those set aside.

        All documents are masked when the first one is asked for, unless `verify` has masked them by
        the same plan.
        """
        documents = self._carrying_out(plan, settings).documents()
        return (item for item in documents if isinstance(item, Masked))

    def verify(self, plan: Plan, settings: Settings | None = None) -> list[Finding]:
        """Mask and check every document by the plan; set aside what is not safe to release."""
        job = self._carrying_out(plan, settings)
        job.redact()
        return job.accept(job.check())

    @property
    def set_aside(self) -> list[SetAside]:
        """Documents that are not released, each with its step and reason."""
        return [*self.job.counted.unread, *self.job.counted.aside.values()]

    def _carrying_out(self, plan: Plan, settings: Settings | None) -> ReleaseJob:
        """Return the job that carries a plan out: an earlier one of this plan, or a new one."""
        settings = checked(settings or self.settings)
        for job in (self._last, self.job):
            if job.chosen is plan and job.settings == settings:
                return job
        self._last = self.job.with_plan(plan, settings)
        return self._last

    def _demands(self, settings: Settings) -> Demands | None:
        return regulation.regulate(self.job.run, self.incidence, settings)


@dataclass(frozen=True)
class Result:
    """The result of masking a corpus: the plan, what was found on checking, and the documents."""

    scan: Scan
    plan: Plan
    findings: list[Finding]

    @property
    def documents(self) -> Iterator[Masked]:
        """The documents that may be released, masked and checked, in input order."""
        documents = self.scan.job.documents()
        return (item for item in documents if isinstance(item, Masked))

    @property
    def records(self) -> Iterator[dict[str, Any]]:
        """The records of these documents as they were given, masked: rows of a new data frame."""
        for masked in self.documents:
            given = masked.original.record or {"id": masked.id, CONTENT: masked.content}
            yield {**given, **changed_fields(masked, self.scan.settings)}

    @property
    def set_aside(self) -> list[SetAside]:
        """Documents that are not released, each with its step and reason."""
        return self.scan.set_aside

    @property
    def risk(self) -> Risk:
        """Risks before masking."""
        return self.scan.risk

    @cached_property
    def audit(self) -> Audit:
        """The run in numbers, without a value: the content of `summary.json`."""
        return self.scan.job.sum_up(self.findings)


def scan(documents: Iterable[Given], settings: Chosen | None = None) -> Scan:
    """Detect and score; the result plans, applies and verifies.

    Args:
        documents: `Document`s, records with `content` (and `id`, `metadata`, other fields), texts;
            or a data frame, each row a record. One text or record alone is one document.
        settings: as from `linkmask.load`, or a dict of what differs from preset insurance, or from
            the preset it names.

    Raises:
        TypeError: `documents` is none of these.
        InputError: an item is none of these, or has no text.
        SettingsError: a setting is unknown, or its value is not allowed.
    """
    return Scan(documents, settings)


def mask(documents: Iterable[Given], settings: Chosen | None = None) -> Result:
    """Detect, score, plan, mask and verify in memory; arguments and errors are those of `scan`."""
    whole = Scan(documents, settings)
    findings = plan_and_check(whole.job)
    assert whole.job.chosen is not None
    return Result(whole, whole.job.chosen, findings)
