"""The commands on files and folders: what each does with INPUT, RUN and OUT.

The method is in `pipeline`; here is where its parts lie on the disk, when they are kept, and what
is refused. Each function returns plain results for the command line to print.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from linkmask import corpus, pipeline, runs, schema
from linkmask.config import Settings, load
from linkmask.errors import RunError
from linkmask.pipeline import Analysis, Masker, Progress, Source, Tally, silent
from linkmask.records import (
    Audit,
    Document,
    Finding,
    Masked,
    Mention,
    Plan,
    Risk,
    SetAside,
    entity_id,
)
from linkmask.report import tables
from linkmask.report.audit import Facts
from linkmask.report.audit import audit as make_audit
from linkmask.runs import Run

# ── commands ────────────────────────────────────────────────────────────────────────────────────


def mask_files(
    source: Path,
    out: Path,
    settings: Settings,
    *,
    mentions: Path | None = None,
    run_folder: Path | None = None,
    keep_run: bool = True,
    overwrite: bool = False,
    show_values: bool = False,
    progress: Progress = silent,
) -> Audit:
    """Do the main job: read, detect, score, plan, redact, verify, report.

    Raises:
        UsageError: INPUT, OUT or a setting can't be used.
        RunError: the run folder can't be used.
    """
    corpus.check_out(source, out, overwrite)
    folder = run_folder or out / ".run"
    with _run(source, folder, settings, mentions, overwrite) as run:
        job = Job(run, settings, partial(corpus.read, source, settings), progress)
        job.scan(mentions)
        job.plan()
        audit = job.release(source, out, overwrite, show_values)
    if not keep_run:
        shutil.rmtree(folder)
    return audit


def scan_files(
    source: Path | None,
    run_folder: Path,
    settings: Settings,
    *,
    mentions: Path | None = None,
    overwrite: bool = False,
    progress: Progress = silent,
) -> Audit:
    """Detect and score only; without a source, score the mentions file by itself."""
    read = None if source is None else partial(corpus.read, source, settings)
    with _run(source, run_folder, settings, mentions, overwrite) as run:
        job = Job(run, settings, read, progress)
        job.scan(mentions)
        return job.audit()


def plan_run(run_folder: Path, overrides: Mapping[str, Any], progress: Progress = silent) -> Audit:
    """Choose again from a run, with other limits and no detection."""
    with Run.open(run_folder, write=True) as run:
        job = Job(run, _with(run.settings, overrides), None, progress)
        job.analyse()
        job.plan()
        return job.audit()


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
    with Run.open(run_folder, write=True) as run:
        source = source or run.source
        corpus.check_out(source, out, overwrite)
        if corpus.digest(source) != run.digest:
            raise RunError(f"{source} is not what the run scanned, or has changed: scan it again")
        kept = tables.plan_of(run)
        settings = _with(tables.settings_of(kept), overrides)
        job = Job(run, settings, partial(corpus.read, source, settings), progress)
        job.analyse()
        job.restore(kept)
        return job.release(source, out, overwrite, show_values, again=False)


def verify_files(
    out: Path, run_folder: Path | None = None, progress: Progress = silent
) -> list[Finding]:
    """Read what was written back, and check it against the run that made it.

    Raises:
        RunError: there is no run, or it has released nothing.
    """
    with Run.open(run_folder or out / ".run", write=True) as run:
        released = run.read_json("released.json")
        settings = tables.settings_of(released)
        job = Job(run, settings, None, progress)
        job.analyse()
        job.restore(released)
        return job.masker().inspect(written(out, released, settings), progress)


def preview_files(
    source: Path,
    settings: Settings,
    number: int,
    *,
    mentions: Path | None = None,
    progress: Progress = silent,
) -> Iterator[tuple[Masked, list[Mention]]]:
    """Yield the first documents masked, with the mentions found in them; keep nothing.

    The whole corpus is scanned: what is masked in one document depends on the others.
    """
    with tempfile.TemporaryDirectory(prefix="linkmask-") as folder:
        settings = msgspec.structs.replace(settings, key_file="", unkeyed=True)
        read = partial(corpus.read, source, settings)
        with _run(source, Path(folder) / "run", settings, mentions, overwrite=False) as run:
            job = Job(run, settings, read, progress)
            job.scan(mentions)
            job.plan()
            yield from islice(job.masker().with_mentions(read, job.tally), number)


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


def _with(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """Lay what was given on the command line over the settings of a run."""
    given = dict(overrides)
    config, preset = given.pop("config", None), given.pop("preset", None)
    changed = load(config, preset, given, base=settings)
    pipeline.examine(changed)
    return changed


def _run(
    source: Path | None,
    folder: Path,
    settings: Settings,
    mentions: Path | None,
    overwrite: bool,
) -> Run:
    """Go on with the folder's run where it is one of this very input; else make a new one."""
    pipeline.examine(settings)
    digest = "" if source is None else corpus.digest(source)
    place = source or mentions or folder
    if mentions is None:
        try:
            return Run.resume(folder, settings, source=place, digest=digest)
        except RunError:
            if not overwrite:
                raise
    return Run.create(folder, settings, source=place, digest=digest, overwrite=overwrite)


# ── the work of one command ─────────────────────────────────────────────────────────────────────


class Job:
    """One command at work on one run: what it knows so far, and how long each step took.

    Args:
        source: the corpus, where the work needs its texts.
    """

    def __init__(
        self,
        run: Run,
        settings: Settings,
        source: Source | None,
        progress: Progress = silent,
    ) -> None:
        self.run = run
        self.settings = settings
        self.source = source
        self.progress = progress
        self.tally = Tally()
        self.seconds: dict[str, float] = {}
        self.analysis: Analysis
        self.chosen: Plan | None = None
        self._after: Risk | None = None

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step."""
        begin = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begin

    def scan(self, mentions: Path | None = None) -> None:
        """Detect, or take the mentions given, and score."""
        with self.step("detect"):
            if self.source is None:
                assert mentions is not None
                self.run.adopt(mentions)
            elif mentions is None:
                self.tally = pipeline.find(self.source, self.run, self.settings, self.progress)
            else:
                given, dropped = read_given(mentions, self.settings)
                self.tally = pipeline.locate(
                    self.source, self.run, self.settings, given, self.progress
                )
                self.tally.dropped |= dropped
        self.analyse()

    def analyse(self) -> None:
        """Score documents, links and chains from the run's mentions, and keep the scores."""
        with self.step("score"):
            self.analysis = pipeline.analyse(self.run, self.settings, self.tally)
        with self.step("keep"):
            tables.keep_risk(self.run, self.analysis.incidence, self.analysis.risk, self.settings)

    def plan(self) -> None:
        """Choose what to mask, and keep the plan."""
        with self.step("plan"):
            self.chosen = pipeline.choose(self.analysis, self.settings)
        with self.step("keep"):
            tables.keep_plan(self.run, self.analysis.incidence, self.chosen, self.settings)

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take a plan that was kept, as it stands there."""
        with self.step("plan"):
            masked = tables.masked_of(kept, self.analysis.incidence)
            self.chosen = pipeline.restore(self.analysis, self.settings, *masked)

    def masker(self) -> Masker:
        """Ready the plan to be carried out."""
        assert self.chosen is not None
        with self.step("redact"):
            return Masker(self.run, self.analysis, self.chosen, self.settings)

    def release(
        self, source: Path, out: Path, overwrite: bool, show_values: bool, again: bool = True
    ) -> Audit:
        """Redact, verify, write and report; what fails at any step is set aside.

        `again`: see `checked`.
        """
        assert self.source is not None
        findings = self.checked(again)
        masker = self.masker()
        counts: Counter[str] = Counter()
        released: dict[str, list[str]] = {}
        with self.step("write"):
            stream = masker.masked(self.source, self.tally, self.progress)
            stream = counted(stream, counts, released)
            written = corpus.write(source, out, stream, self.settings, overwrite=overwrite)
            tables.keep_released(
                self.run, self.analysis.incidence, masker.plan, self.settings, released
            )
        audit = self.audit(findings, written.set_aside, counts, written.telling)
        values = self._values() if show_values else None
        from linkmask.report.page import render

        page = render(
            audit,
            self.analysis.incidence,
            self.analysis.risk,
            plan=self.chosen,
            after=self.after(),
            values=values,
        )
        write_whole(out / "report.html", page.encode(), 0o600 if show_values else 0o644)
        write_whole(out / "summary.json", msgspec.json.format(msgspec.json.encode(audit)), 0o644)
        return audit

    def checked(self, again: bool = True) -> list[Finding]:
        """Look at every document as the plan masks it, and set aside what is not safe.

        With `again`, values that came to light only beside a mask join the run, and the plan is
        made anew, once.
        """
        assert self.source is not None
        masker = self.masker()
        with self.step("verify"):
            findings, fresh = masker.check(self.source, self.tally, self.progress)
        if fresh and again:
            pipeline.amend(self.run, fresh)
            self._after = None
            self.analyse()
            self.plan()
            return self.checked(again=False)
        pipeline.block(findings, self.tally)
        return findings

    def after(self) -> Risk | None:
        """Score the corpus with the plan carried out."""
        if self.chosen is None:
            return None
        if self._after is None:
            self._after = pipeline.remaining(self.analysis, self.chosen, self.settings)
        return self._after

    def audit(
        self,
        findings: Sequence[Finding] | None = None,
        set_aside: Sequence[SetAside] | None = None,
        counts: Mapping[str, int] = {},
        telling: Sequence[str] = (),
    ) -> Audit:
        """Sum up what is known by now."""
        aside = [*self.tally.unread, *self.tally.aside.values()] if set_aside is None else set_aside
        facts = Facts(
            name=self.run.source.name,
            digest=self.run.digest,
            characters=self.tally.characters,
            released=counts.get("released", 0),
            masked_mentions=counts.get("mentions", 0),
            masked_characters=counts.get("characters", 0),
            dropped=self.tally.dropped,
            names_with_values=telling,
            seconds=self.seconds,
        )
        with self.step("report"):
            after = self.after()
        return make_audit(
            self.analysis.incidence,
            self.analysis.risk,
            self.settings,
            facts,
            plan=self.chosen,
            after=after,
            findings=findings,
            set_aside=aside,
        )

    def _values(self) -> dict[str, str]:
        """Return a spelling of each entity, for a report that was asked to show values."""
        separator = self.settings.id_separator
        return {entity_id(m.value, m.type, separator): m.original for m in self.run.mentions()}


def counted(
    stream: Iterator[Masked | SetAside], counts: Counter[str], released: dict[str, list[str]]
) -> Iterator[Masked | SetAside]:
    """Pass a masked corpus on; count what is written over, note what is released, by file."""
    for item in stream:
        if isinstance(item, Masked):
            counts["released"] += 1
            released.setdefault(item.document.origin.file, []).append(item.document.id)
            counts["mentions"] += len(item.replacements)
            counts["characters"] += sum(one.end - one.start for one in item.replacements)
        yield item


def read_given(path: Path, settings: Settings) -> tuple[dict[str, list[Mention]], dict[str, int]]:
    """Read a mentions file by document, and count the rows dropped, by reason."""
    types = schema.load(settings.schema)
    dropped: Counter[str] = Counter()
    by_document: dict[str, list[Mention]] = {}
    for mention in runs.read_mentions(path, types.type_of, runs.plain, dropped):
        by_document.setdefault(mention.document, []).append(mention)
    return by_document, dict(sorted(dropped.items()))


def write_whole(path: Path, data: bytes, mode: int) -> None:
    """Write a file whole or not at all."""
    partial_ = path.with_name(f".{path.name}.partial")
    partial_.unlink(missing_ok=True)
    descriptor = os.open(partial_, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as handle:
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())
    partial_.replace(path)
