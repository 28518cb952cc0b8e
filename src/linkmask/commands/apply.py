"""Works from a kept run without detecting again: apply, verify and explain."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from linkmask import corpus, schema
from linkmask.commands.folders import (
    check_approved,
    complete_decided_release,
    laid_over,
    release_at,
    replaceable,
)
from linkmask.commands.keys import check_key
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.pipeline.checking.checked_texts import by_type, covered
from linkmask.pipeline.checking.corpus_check import inspect
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.progress import Progress, silent
from linkmask.pipeline.release import text_digest
from linkmask.records import Audit, Document, Finding, SetAside
from linkmask.report import stored_plan, stored_release
from linkmask.report.plan_digest import plan_digest
from linkmask.report.wording import count
from linkmask.runs import Run
from linkmask.runs.run_paths import run_at
from linkmask.text.letters import spaced_words


def apply_run(
    run_folder: Path,
    out: Path,
    overrides: Mapping[str, Any],
    *,
    source: Path | None = None,
    overwrite: bool = False,
    show_values: bool = False,
    progress: Progress = silent,
) -> Audit:
    """Write masked documents from a run's plan as it stands in plan.json, also if edited.

    Raises:
        RunError: the input is not the one that was scanned, or the run holds no plan.
    """
    folder = run_at(run_folder)
    overwrite = complete_decided_release(folder, out) or overwrite
    with Run.open(folder, write=True) as run:
        source = source or run.source
        corpus.check_out(source, out, overwrite)
        kept = stored_plan.plan_of(run)
        settings = laid_over(stored_plan.settings_of(run, kept), overrides)
        check_key(folder, settings, keep_run=True)
        read = corpus.Corpus(source, settings, may_be_empty=True)
        if read.digest() != run.digest:
            raise RunError(f"{source} is not what the run scanned, or has changed: scan it again")
        ours = replaceable(out, read.files(), run.path)
        job = ReleaseJob(run, settings, read, progress)
        job.reopen()
        job.restore(kept)
        job.count_as_released()
        assert job.chosen is not None
        needed = max(settings.approvals, stored_plan.settings_of(run, kept).approvals)
        asked = msgspec.structs.replace(settings, approvals=needed)
        check_approved(run, asked, plan_digest(job.analysis.incidence, job.chosen, settings))
        job.overwrite, job.ours = overwrite, ours
        job.redact()
        findings = job.accept(job.check())
        audit = job.release(source, out, findings, show_values)
        run.ended()
        return audit


FORGOTTEN = "it is as it was released; the run has forgotten what was masked there"


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
        older = []
        if (run.path / "plan.json").exists():
            now = set(stored_plan.masked_ids(stored_plan.plan_of(run)))
            if now != set(stored_plan.masked_ids(released)):
                detail = "the run's plan masks other entities than OUT was written with"
                older.append(Finding(out.name, "earlier-plan", detail, blocking=False))
        masks = released.get("masks", {})
        changed: list[Finding] = []
        placeholder = schema.placeholders(settings.entity_types.types)
        known = set(job.analysis.incidence.documents) if run.about.get("forgotten") else None

        def documents() -> Iterator[Document]:
            kept = "records" if "records" in released else "digests"
            digest = corpus.record_digest if kept == "records" else text_digest
            was = {file: iter(digests) for file, digests in released.get(kept, {}).items()}
            for document in released_documents(out, released, settings):
                now = digest(document)
                if next(was.get(document.origin.file, iter(())), now) != now:
                    detail = "it is not as it was released"
                    changed.append(Finding(document.id, "unreadable", detail))
                elif known is not None and document.id not in known:
                    changed.append(Finding(document.id, "forgotten", FORGOTTEN, blocking=False))
                    continue
                yield by_type(covered(document, masks.get(document.id, [])), placeholder)

        numbers = job.numbered(job.redaction())
        seen = [*inspect(job.redaction(), documents(), progress), *changed]
        seen = [replace(one, document=numbers.get(one.document, one.document)) for one in seen]
        return [*seen, *_named(out, released["documents"], job, numbers), *older]


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
