"""The commands on files and folders: what each does with INPUT, RUN and OUT.

The method is in `pipeline`; here is where its parts lie on the disk, when they are kept, and what
is refused. Each function returns plain results for the command line to print.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from linkmask import corpus, regulating, runs
from linkmask.config import Settings, load
from linkmask.errors import InputError, RunError, UsageError
from linkmask.masking import covered
from linkmask.pipeline import Job, examine
from linkmask.records import Audit, Document, Finding, Masked, Mention, SetAside, entity_id
from linkmask.redact import REVERSIBLE
from linkmask.redact.vault import Vault, load_key, read_tokens, write_tokens
from linkmask.report import tables
from linkmask.report.explain import Answer, explain
from linkmask.runs import Run
from linkmask.scanning import Progress, silent

SCORED = ("schema", "weights", "edge_threshold", "group_budget", "chain_length", "high", "medium")
"""Settings that change what risk.json holds."""


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
    with releasing(
        source,
        out,
        settings,
        mentions=mentions,
        run_folder=run_folder,
        keep_run=keep_run,
        overwrite=overwrite,
        progress=progress,
    ) as job:
        job.scan(mentions)
        job.plan()
        return job.release(source, out, overwrite, show_values)


@contextmanager
def releasing(
    source: Path,
    out: Path,
    settings: Settings,
    *,
    mentions: Path | None = None,
    run_folder: Path | None = None,
    keep_run: bool = True,
    overwrite: bool = False,
    progress: Progress = silent,
) -> Iterator[Job]:
    """Open the run that is to release into OUT; an earlier one is replaced when all went well.

    Raises:
        UsageError: INPUT, OUT or a setting can't be used.
        RunError: the run folder can't be used.
    """
    if run_folder is not None and not keep_run:
        raise UsageError("--run keeps a run and --no-run keeps none: give one of them")
    folder = run_folder or out / ".run"
    corpus.check_out(source, out, overwrite)
    _check_run(folder, source, out)
    place = _beside(folder, overwrite)
    with _run(source, place, settings, mentions, overwrite) as run:
        yield Job(run, settings, partial(corpus.read, source, settings), progress)
    if place != folder:
        old = folder.with_name(f"{folder.name}.old")
        folder.rename(old)
        place.rename(folder)
        shutil.rmtree(old)
    if not keep_run:
        shutil.rmtree(folder)


def _check_run(folder: Path, source: Path | None, out: Path | None = None) -> None:
    """Refuse a run folder that would mix with the input or with what is released.

    Raises:
        UsageError: it lies inside the input, is OUT itself, or lies in OUT/documents.
    """
    real = folder.resolve()
    if source is not None and source.is_dir() and real.is_relative_to(source.resolve()):
        raise UsageError(f"the run folder {folder} lies inside the input: give one outside of it")
    if out is not None:
        here = out.resolve()
        if real == here or real.is_relative_to(here / "documents") or here.is_relative_to(real):
            raise UsageError(f"the run folder {folder} mixes with {out}: give one of its own")


def _beside(folder: Path, overwrite: bool) -> Path:
    """Return where to make a run: beside one that wrote what is released, until it is replaced.

    Raises:
        RunError: there is such a run, and it may not be replaced.
    """
    if not (folder / "released.json").exists():
        return folder
    if not overwrite:
        raise RunError(f"{folder} is the run of a release: give another --run, or --overwrite")
    return folder.with_name(f"{folder.name}.next")


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
    _check_run(run_folder, source)
    read = None if source is None else partial(corpus.read, source, settings)
    with _run(source, run_folder, settings, mentions, overwrite) as run:
        job = Job(run, settings, read, progress)
        job.scan(mentions)
        audit = job.audit()
        run.write(
            "set-aside.jsonl", [json.dumps(item).encode() + b"\n" for item in audit.set_aside]
        )
        return audit


def estimate_files(source: Path, settings: Settings) -> dict[str, dict[str, int]]:
    """Say what a language model would be asked, by stage, without asking it.

    Raises:
        UsageError: no language model is used.
    """
    from linkmask import prompting, rewriting

    read = partial(corpus.read, source, settings)
    costs = {}
    if settings.detector in ("llm", "embedded+llm"):
        costs = prompting.estimate(read, settings)
    if settings.style == "rewrite":
        costs["rewrite"] = rewriting.estimate(read, settings)
    if not costs:
        raise UsageError(
            "--dry-run counts requests: give --detector llm or embedded+llm, or --style rewrite"
        )
    return {stage: asdict(cost) for stage, cost in costs.items()}


def plan_run(
    run_folder: Path,
    overrides: Mapping[str, Any],
    *,
    mask: Sequence[str] = (),
    keep: Sequence[str] = (),
    progress: Progress = silent,
) -> Audit:
    """Choose again from a run, with other limits and no detection.

    `mask` and `keep` overrule: entities, by value or id, masked or left whatever the risk. They
    are remembered in the plan's settings, and lifted by naming them on the other side.

    Raises:
        UsageError: the run holds no such entity, or one is both masked and kept.
    """
    with Run.open(_at(run_folder), write=True) as run:
        settings = _overruled(run, _with(_remembered(run), overrides), mask, keep)
        job = Job(run, settings, None, progress)
        job.analyse(keep=any(getattr(settings, n) != getattr(run.settings, n) for n in SCORED))
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
    with Run.open(_at(run_folder), write=True) as run:
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


def _remembered(run: Run) -> Settings:
    """Return the settings of the run, with what a person decided in its last plan."""
    if not (run.path / "plan.json").exists():
        return run.settings
    last = tables.settings_of(run.read_json("plan.json"))
    decided = {name: getattr(last, name) for name in ("always_mask", "never_mask")}
    return msgspec.structs.replace(run.settings, **decided)


def _at(folder: Path) -> Path:
    """Return the run at a folder, or the one inside it where an OUT was named."""
    inside = folder / ".run"
    here = (folder / "run.json").is_file() or not (inside / "run.json").is_file()
    return folder if here else inside


def _run_of(out: Path, run_folder: Path | None) -> Path:
    """Return the run that wrote a folder.

    Raises:
        RunError: it is not inside the folder, and none was named.
    """
    folder = run_folder or out / ".run"
    if run_folder is None and not (folder / "run.json").is_file():
        raise RunError(f"{out} holds no run: name the one that wrote it with --run")
    return folder


def _overruled(run: Run, settings: Settings, mask: Sequence[str], keep: Sequence[str]) -> Settings:
    """Lay what a person decided about single entities over the settings, by id."""
    if not mask and not keep:
        return settings
    masked, kept = _named(run, settings, mask), _named(run, settings, keep)
    if both := masked & kept:
        raise UsageError(f"entity {sorted(both)[0][:10]} is both to be masked and kept: choose one")
    return msgspec.structs.replace(
        settings,
        always_mask=tuple(sorted({*settings.always_mask, *masked} - kept)),
        never_mask=tuple(sorted({*settings.never_mask, *kept} - masked)),
    )


def _named(run: Run, settings: Settings, names: Sequence[str]) -> set[str]:
    """Return the ids of the entities that values or (beginnings of) ids name."""
    wanted = {name: runs.plain("", name) for name in names}
    found: dict[str, set[str]] = {name: set() for name in names}
    for mention in run.mentions() if names else ():
        spellings = {runs.plain("", mention.original), mention.value}
        entity = entity_id(mention.value, mention.type, settings.id_separator)
        for name, plain in wanted.items():
            if plain in spellings or (len(name) >= 6 and entity.startswith(name)):
                found[name].add(entity)
    for number, name in enumerate(names, 1):
        if not found[name]:
            raise UsageError(
                f"name {number} is no value and no id of this run; linkmask explain --entity, or "
                "risk.json, tells what there is"
            )
    return set().union(*found.values())


def verify_files(
    out: Path, run_folder: Path | None = None, progress: Progress = silent
) -> list[Finding]:
    """Read what was written back, and check it against the run that made it.

    Raises:
        RunError: there is no run, or it has released nothing.
    """
    with Run.open(_run_of(out, run_folder), write=True) as run:
        released = run.read_json("released.json")
        settings = tables.settings_of(released)
        job = Job(run, settings, None, progress)
        job.analyse()
        job.restore(released)
        masks = released.get("masks", {})
        documents = (
            covered(document, masks.get(document.id, []))
            for document in written(out, released, settings)
        )
        return job.masker().inspect(documents, progress)


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
        read = partial(corpus.read, source, settings)
        with _run(source, Path(folder) / "run", settings, mentions, overwrite=False) as run:
            job = Job(run, settings, read, progress)
            job.scan(mentions)
            job.plan()
            aside = [*job.tally.unread, *job.tally.aside.values()]
            if aside and not job.tally.documents:
                raise InputError(f"nothing to show: {len(aside)} set aside, {aside[0].reason}")
            yield from islice(job.masker().with_mentions(read, job.tally), number)


def explain_run(run_folder: Path, *, show_values: bool = False, **question: Any) -> Answer:
    """Answer a question about a run: an entity, a document, a pair or a person.

    Raises:
        UsageError: what was asked for is not in the run.
    """
    with Run.open(_at(run_folder)) as run:
        kept = tables.plan_of(run) if (run.path / "plan.json").exists() else None
        settings = run.settings if kept is None else tables.settings_of(kept)
        job = Job(run, settings, None)
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
        )


def unmask_files(
    masked: Path,
    out: Path,
    run_folder: Path | None = None,
    *,
    key_file: str | None = None,
    overwrite: bool = False,
    progress: Progress = silent,
) -> int:
    """Write the originals of what was replaced reversibly; return how many documents.

    Raises:
        RunError: there is no vault, the key is another one, or a text was changed since.
    """
    with Run.open(_run_of(masked, run_folder)) as run:
        corpus.check_out(masked / "documents", out, overwrite)
        for kept in (run.source, run.path, masked):
            if out.resolve() == kept.resolve() or out.resolve().is_relative_to(run.path.resolve()):
                raise UsageError(f"{out} is not a place for originals: give another folder")
        released = run.read_json("released.json")
        settings = tables.settings_of(released)
        if not regulating.styles(settings) & REVERSIBLE:
            raise RunError(
                f"{masked} was written in a style that can't be undone; only "
                f"{' and '.join(sorted(REVERSIBLE))} can"
            )
        if key_file:
            settings = msgspec.structs.replace(settings, key_file=key_file)
        if not (key_file or "LINKMASK_KEY" in os.environ or settings.key_file):
            settings = msgspec.structs.replace(settings, key_file=str(run.key_path))
        vault = Vault(run.vault_path, load_key(settings, None, os.environ))

        def restored() -> Iterator[Masked]:
            for number, document in enumerate(written(masked, released, settings), 1):
                plain = vault.restore(document)
                yield Masked(document, plain.content, plain.metadata, [])
                progress("unmask", number, None)

        private = os.umask(0o077)
        try:
            stream = restored()
            done = corpus.write(masked / "documents", out, stream, settings, overwrite=overwrite)
        finally:
            os.umask(private)
        return done.documents


def forget_subject(
    run_folder: Path, subject: Sequence[str], *, key_file: str | None = None
) -> Forgotten:
    """Forget a person: what a run holds that could turn masked documents back into theirs.

    `subject`: values or ids that name the person. Out of the vault go all documents that name the
    person, and the person's values in others; out of the run their mentions, and the random codes
    of the values. The released documents stay as they are; to write these documents again they
    must be scanned again.

    Raises:
        UsageError: the run holds no such value.
        RunError: the key is another one.
    """
    with Run.open(_at(run_folder), write=True) as run:
        settings = _remembered(run)
        entities = _named(run, settings, subject)
        separator = settings.id_separator
        theirs = [m for m in run.mentions() if entity_id(m.value, m.type, separator) in entities]
        documents = {mention.document for mention in theirs}
        values = {runs.plain("", mention.original) for mention in theirs}
        key = Path(key_file) if key_file else run.key_path
        if run.vault_path.exists() or run.tokens_path.exists():
            if key.exists():
                settings = msgspec.structs.replace(settings, key_file=str(key))
            secret = load_key(settings, None, os.environ)
            if run.vault_path.exists():
                vault = Vault(run.vault_path, secret)
                gone = vault.without(documents, lambda text: runs.plain("", text) in values)
                run.write("vault", list(gone))
            tokens = read_tokens(run.tokens_path, secret)
            if tokens.keys() & entities:
                left = {name: code for name, code in tokens.items() if name not in entities}
                write_tokens(run.tokens_path, secret, left)
        for log in ("stage1", "mentions"):
            if run.has(log):
                pairs = run.by_document(log)
                run.rewrite(log, ((n, found) for n, found in pairs if n not in documents))
        return Forgotten(len(entities), len(documents), len(theirs))


class Forgotten(NamedTuple):
    """How many entities of a person were forgotten, in how many documents, in how many mentions."""

    entities: int
    documents: int
    mentions: int


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
    examine(changed)
    return changed


def _run(
    source: Path | None,
    folder: Path,
    settings: Settings,
    mentions: Path | None,
    overwrite: bool,
) -> Run:
    """Go on with the folder's run where it is one of this very input; else make a new one."""
    examine(settings)
    digest = "" if source is None else corpus.digest(source)
    place = source or mentions or folder
    usual = msgspec.to_builtins(load(preset=settings.preset, environment={}))
    given = {n: v for n, v in msgspec.to_builtins(settings).items() if v != usual[n]}
    given["preset"] = settings.preset
    if mentions is None:
        try:
            return Run.resume(folder, settings, source=place, digest=digest, given=given)
        except RunError:
            if not overwrite:
                raise
    return Run.create(
        folder, settings, source=place, digest=digest, given=given, overwrite=overwrite
    )
