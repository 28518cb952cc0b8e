"""What a kept run answers: apply, verify and explain, without detecting again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from linkmask import corpus
from linkmask.commands.places import laid_over, release_at, run_at
from linkmask.config import Settings
from linkmask.detect.relevance import Whose
from linkmask.detect.whose import whose_of
from linkmask.errors import LinkmaskError, RunError
from linkmask.looking import covered
from linkmask.pipeline import Job
from linkmask.planning import Planner
from linkmask.records import Audit, Document, Finding, Mention, SetAside
from linkmask.releasing import digest
from linkmask.report import tables
from linkmask.report.explain import Answer, WhoseOf, explain
from linkmask.runs import Run
from linkmask.tally import Progress, silent


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
    with Run.open(run_at(run_folder), write=True) as run:
        source = source or run.source
        corpus.check_out(source, out, overwrite)
        kept = tables.plan_of(run)
        settings = laid_over(tables.settings_of(kept), overrides)
        read = corpus.Corpus(source, settings)
        if read.digest() != run.digest:
            raise RunError(f"{source} is not what the run scanned, or has changed: scan it again")
        job = Job(run, settings, read, progress)
        job.analyse()
        job.restore(kept)
        return job.release(source, out, overwrite, show_values, again=False)


def verify_files(
    out: Path, run_folder: Path | None = None, progress: Progress = silent
) -> list[Finding]:
    """Read what was written back, and check it against the run that made it.

    `out` may be the run itself where it lies in what it wrote.

    Raises:
        RunError: there is no run, or it has released nothing.
    """
    out, folder = release_at(out, run_folder)
    with Run.open(folder, write=True) as run:
        released = run.read_json("released.json")
        settings = tables.settings_of(released)
        job = Job(run, settings, None, progress)
        job.analyse()
        job.restore(released)
        masks = released.get("masks", {})
        changed: list[Finding] = []

        def documents() -> Iterator[Document]:
            was = {file: iter(digests) for file, digests in released.get("digests", {}).items()}
            for document in written(out, released, settings):
                now = digest(document.content)
                if next(was.get(document.origin.file, iter(())), now) != now:
                    detail = "its text is not the one that was released"
                    changed.append(Finding(document.id, "unreadable", detail))
                yield covered(document, masks.get(document.id, []))

        return [*job.masker().inspect(documents(), progress), *changed]


def explain_run(run_folder: Path, *, show_values: bool = False, **question: Any) -> Answer:
    """Answer a question about a run: an entity, a document, a pair or a person.

    Raises:
        UsageError: what was asked for is not in the run.
    """
    with Run.open(run_at(run_folder)) as run:
        kept = tables.plan_of(run) if (run.path / "plan.json").exists() else None
        settings = run.settings if kept is None else tables.settings_of(kept)
        job = Planner(run, settings)
        job.analyse()
        if kept is not None:
            job.restore(kept)
        analysis = job.analysis
        return explain(
            question,
            analysis.incidence,
            analysis.risk,
            job.chosen,
            run.mentions,
            settings,
            show_values=show_values,
            rule=job.rule,
            whose=partial(_whose, run, settings),
        )


def _whose(run: Run, settings: Settings, names: Collection[str]) -> WhoseOf:
    """Tell whose the mentions of some documents are, from the input where it still stands.

    A document that is no more where the run read it is left out.
    """
    mentions: dict[str, list[Mention]] = {name: [] for name in names}
    for mention in run.mentions():
        if mention.document in mentions:
            mentions[mention.document].append(mention)
    told: dict[str, list[tuple[Mention, Whose]]] = {}
    with suppress(LinkmaskError, OSError):
        for item in corpus.read(run.source, settings, only=names):
            if isinstance(item, Document):
                told[item.id] = list(whose_of(item, mentions[item.id], settings))
    return told


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
