"""What a kept run answers: apply, verify and explain, without detecting again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from linkmask import corpus
from linkmask.commands.folders import completed, laid_over, release_at
from linkmask.config import Settings
from linkmask.detect.attribution import attributions_of
from linkmask.detect.relevance import Attribution
from linkmask.errors import LinkmaskError, RunError, UsageError
from linkmask.pipeline.checking import covered, inspect
from linkmask.pipeline.job import Job
from linkmask.pipeline.planning import Planner
from linkmask.pipeline.progress import Progress, silent
from linkmask.pipeline.release import text_digest
from linkmask.records import Audit, Document, Finding, Mention, SetAside
from linkmask.report import tables
from linkmask.report.explain import Answer, WhoseOf, explain
from linkmask.report.wording import count
from linkmask.runs import Run
from linkmask.runs.places import run_at


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
    overwrite = completed(folder, out) or overwrite
    with Run.open(folder, write=True) as run:
        source = source or run.source
        corpus.check_out(source, out, overwrite)
        kept = tables.plan_of(run)
        settings = laid_over(tables.settings_of(run, kept), overrides)
        read = corpus.Corpus(source, settings)
        if read.digest() != run.digest:
            raise RunError(f"{source} is not what the run scanned, or has changed: scan it again")
        job = Job(run, settings, read, progress)
        job.reopen()
        job.restore(kept)
        job.overwrite = overwrite
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

    `out` may be the run itself where it lies in what it wrote. An OUT that an earlier plan of the
    run wrote is checked against that plan; that it is another one by now is a finding that blocks
    nothing.

    Raises:
        RunError: there is no run, or it has released nothing.
    """
    out, folder = release_at(out, run_folder)
    with Run.open(folder, write=True) as run:
        released = tables.released_by(run, plan_of_release(out))
        settings = tables.settings_of(run, released)
        job = Job(run, settings, None, progress)
        job.reopen()
        job.restore(released)
        older = []
        if (run.path / "plan.json").exists():
            now = set(tables.masked_ids(tables.plan_of(run)))
            if now != set(tables.masked_ids(released)):
                detail = "the run's plan masks other entities than OUT was written with"
                older.append(Finding(out.name, "earlier-plan", detail, blocking=False))
        masks = released.get("masks", {})
        changed: list[Finding] = []
        known = set(job.analysis.incidence.documents) if run.about.get("forgotten") else None

        def documents() -> Iterator[Document]:
            kept = "records" if "records" in released else "digests"
            digest = corpus.record_digest if kept == "records" else text_digest
            was = {file: iter(digests) for file, digests in released.get(kept, {}).items()}
            for document in written(out, released, settings):
                now = digest(document)
                if next(was.get(document.origin.file, iter(())), now) != now:
                    detail = "it is not as it was released"
                    changed.append(Finding(document.id, "unreadable", detail))
                elif known is not None and document.id not in known:
                    changed.append(Finding(document.id, "forgotten", FORGOTTEN, blocking=False))
                    continue
                yield covered(document, masks.get(document.id, []))

        return [*inspect(job.redaction(), documents(), progress), *changed, *older]


def plan_of_release(out: Path) -> str:
    """Return the digest of the plan that OUT was written by, as its summary has it, or ""."""
    try:
        summary = msgspec.json.decode((out / "summary.json").read_bytes())
        return str(summary["masked"]["plan"])
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        return ""


def explain_run(run_folder: Path, *, show_values: bool = False, **question: Any) -> Answer:
    """Answer a question about a run: an entity, a document, a pair or a person.

    Raises:
        UsageError: what was asked for is not in the run.
    """
    with Run.open(run_at(run_folder)) as run:
        kept = tables.plan_of(run) if (run.path / "plan.json").exists() else None
        settings = run.settings if kept is None else tables.settings_of(run, kept)
        job = Planner(run, settings)
        job.reopen()
        if kept is not None:
            job.restore(kept)
        known = job.analysis.incidence, job.analysis.risk, job.chosen, run.mentions, settings
        gone = _forgotten(run)
        try:
            answer = explain(
                question,
                *known,
                show_values=show_values,
                rule=job.rule,
                whose=partial(_attributions, run, settings),
            )
        except UsageError as error:
            raise UsageError("\n".join(filter(None, (str(error), gone)))) from None
        if not gone:
            return answer
        data = {**answer.data, "forgotten": run.about["forgotten"]}
        return Answer(f"{answer.text}\n\n{gone}", data)


def _forgotten(run: Run) -> str:
    """Say what a run has forgotten: numbers and types, or "" for nothing."""
    lines = []
    for row in run.about.get("forgotten", []):
        types = ", ".join(f"{n:,} {name}" for name, n in row["types"].items())
        where = count(row["documents"], "document")
        lines.append(f"  {types}, {count(row['mentions'], 'mention')} in {where}")
    head = "Forgotten since (linkmask forget); what it was is not kept:"
    return "\n".join([head, *lines]) if lines else ""


def _attributions(run: Run, settings: Settings, names: Collection[str]) -> WhoseOf:
    """Tell whose the mentions of some documents are, from the input where it still stands.

    A document that is no more where the run read it is left out.
    """
    mentions: dict[str, list[Mention]] = {name: [] for name in names}
    for mention in run.mentions():
        if mention.document in mentions:
            mentions[mention.document].append(mention)
    by_document: dict[str, list[tuple[Mention, Attribution]]] = {}
    with suppress(LinkmaskError, OSError):
        for item in corpus.read(run.source, settings, only=names):
            if isinstance(item, Document):
                by_document[item.id] = list(attributions_of(item, mentions[item.id], settings))
    return by_document


def written(out: Path, released: Mapping[str, Any], settings: Settings) -> Iterator[Document]:
    """Yield the documents of OUT under the ids that the run knows them by.

    Raises:
        RunError: OUT does not hold what the run released.
    """
    waiting = {file: iter(ids) for file, ids in released["documents"].items()}
    for item in corpus.read(out / "documents", settings):
        name = next(waiting.get(item.origin.file, iter(())), None)
        if isinstance(item, SetAside) or name is None:
            raise RunError(f"{out} does not hold what the run released: {item.origin.file}")
        yield replace(item, id=name)
    missing = [file for file, ids in waiting.items() if next(ids, None) is not None]
    if missing:
        raise RunError(f"{out} does not hold all that the run released: {missing[0]}")
