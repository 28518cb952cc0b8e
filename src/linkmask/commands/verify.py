"""Reads a release again, and checks it against the run that made it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from linkmask import corpus, schema
from linkmask.commands.folders import (
    release_at,
)
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.pipeline.checking.checked_texts import by_type, covered
from linkmask.pipeline.checking.corpus_check import inspect
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.progress import Progress, silent
from linkmask.pipeline.release import text_digest
from linkmask.records import Document, Finding, SetAside
from linkmask.report import stored_plan, stored_release
from linkmask.report.wording import count
from linkmask.runs import Run
from linkmask.runs.file_names import PLAN
from linkmask.text.letters import spaced_words

_FORGOTTEN = "it is as it was released; the run has forgotten what was masked there"


def verify_files(
    out: Path, run_folder: Path | None = None, progress: Progress = silent
) -> list[Finding]:
    """Read what was written back, and check it against the run that made it.

    `out` may be the run itself where it lies in what it wrote. If an earlier plan of the run wrote
    OUT, it is checked against that plan, and a finding that blocks nothing says so.

    Raises:
        RunError: there is no run, or it has released nothing.
    """
    out, folder = release_at(out, run_folder)
    with Run.open(folder, write=True) as run:
        released = stored_release.released_by(run, plan_of_release(out))
        settings = stored_plan.settings_of(run, released)
        job = ReleaseJob(run, settings, None, progress)
        job.reopen()
        job.restore(released)
        known = set(job.analysis.incidence.documents) if run.about.get("forgotten") else None
        changed: list[Finding] = []
        documents = _known_documents(out, released, settings, known, changed)
        numbers = job.numbered(job.redaction())
        seen = [*inspect(job.redaction(), documents, progress), *changed]
        seen = [replace(one, document=numbers.get(one.document, one.document)) for one in seen]
        named = _named(out, released["documents"], job, numbers)
        return [*seen, *named, *_planned_anew(out, run, released)]


def _known_documents(
    out: Path,
    released: Mapping[str, Any],
    settings: Settings,
    known: Container[str] | None,
    changed: list[Finding],
) -> Iterator[Document]:
    """Yield the documents of OUT as they are checked, without those that the run has forgotten.

    Args:
        known: ids of those that it still knows; None if it has forgotten nobody.
        changed: gets a finding for each that is forgotten, or is not as it was released.
    """
    masks = released.get("masks", {})
    placeholder = schema.placeholders(settings.entity_types.types)
    kept = "records" if "records" in released else "digests"
    digest = corpus.record_digest if kept == "records" else text_digest
    was = {file: iter(digests) for file, digests in released.get(kept, {}).items()}
    for document in released_documents(out, released, settings):
        now = digest(document)
        if next(was.get(document.origin.file, iter(())), now) != now:
            detail = "it is not as it was released"
            changed.append(Finding(document.id, "unreadable", detail))
        elif known is not None and document.id not in known:
            changed.append(Finding(document.id, "forgotten", _FORGOTTEN, blocking=False))
            continue
        yield by_type(covered(document, masks.get(document.id, [])), placeholder)


def _planned_anew(out: Path, run: Run, released: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a finding if the run's plan masks other entities today."""
    if (run.path / PLAN).exists():
        now = set(stored_plan.masked_ids(stored_plan.plan_of(run)))
        if now != set(stored_plan.masked_ids(released)):
            detail = "the run's plan masks other entities than OUT was written with"
            yield Finding(out.name, "earlier-plan", detail, blocking=False)


def _named(
    out: Path, documents: Mapping[str, Sequence[str]], job: ReleaseJob, ids: Container[str]
) -> Iterator[Finding]:
    """Yield a finding where ids or file names of a release hold a value; it names none of them.

    `documents`: by file; `ids`: those that hold one.
    """
    holds = job.redaction().holds_masked_value
    holds.expect(documents)
    leaking = (file for file in documents if holds(spaced_words(file)))
    if number := stored_release.count_named(documents, leaking, ids):
        detail = f"{count(number, 'document')} of them: rename them in the input, and mask again"
        yield Finding(out.name, "name", detail, blocking=False)


def plan_of_release(out: Path) -> str:
    """Return the digest of the plan that OUT was written by, as its summary has it, or ""."""
    try:
        summary = msgspec.json.decode((out / "summary.json").read_bytes())
        return str(summary["masked"]["plan"])
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        return ""


def released_documents(
    out: Path, released: Mapping[str, Any], settings: Settings
) -> Iterator[Document]:
    """Yield the documents of OUT under the ids that the run knows them by.

    Raises:
        RunError: OUT does not hold what the run released.
    """
    waiting = {file: iter(ids) for file, ids in released["documents"].items()}
    for item in corpus.Corpus(out / "documents", settings, may_be_empty=True)():
        name = next(waiting.get(item.origin.file, iter(())), None)
        if isinstance(item, SetAside) or name is None:
            raise RunError(f"{out} does not hold what the run released: {item.origin.file}")
        yield replace(item, id=name)
    missing = [file for file, ids in waiting.items() if next(ids, None) is not None]
    if missing:
        raise RunError(f"{out} does not hold all that the run released: {missing[0]}")
