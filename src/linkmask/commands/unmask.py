"""Restores masks from the vault, and makes a run forget a person."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from linkmask import corpus, runs
from linkmask.commands.apply import plan_of_release, released_documents
from linkmask.commands.deletion_certificate import (
    certificate_of,
    forms_of,
    found_in,
    write_certificate,
)
from linkmask.commands.folders import release_at, settings_of_run
from linkmask.commands.named_entities import (
    entities_named,
    short_forms_of_others,
    spelling_of,
    without_spellings,
)
from linkmask.commands.related import Related, related_entities
from linkmask.config import Settings
from linkmask.errors import OutputError, RunError, UsageError
from linkmask.pipeline.correcting import corrections_in_use
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.linkage.common_words import forget_words
from linkmask.pipeline.planning import regulation
from linkmask.pipeline.progress import Progress, silent
from linkmask.records import Masked, Mention, entity_id
from linkmask.redact import REVERSIBLE
from linkmask.redact.run_key import load_key
from linkmask.redact.tokens import read_tokens, seal_tokens
from linkmask.redact.vault import Vault
from linkmask.report import stored_plan, stored_release
from linkmask.runs import Run, editions, exchange
from linkmask.runs.file_names import DECIDED, KNOWN, LOOKUP, VISITS
from linkmask.runs.forgotten import mark_forgotten
from linkmask.runs.run_paths import run_at


class Forgotten(NamedTuple):
    """How many entities of a person were forgotten, in how many documents, in how many mentions.

    `related`: what may also belong to the person, and was not forgotten. `certificate`: the file
    that says what was done. `left_in`: files of the run in which a form of their values still
    stands, as a part of another value.
    """

    entities: int
    documents: int
    mentions: int
    related: Sequence[Related] = ()
    certificate: Path | None = None
    left_in: Sequence[str] = ()


COUNTED = ("entities", "documents", "mentions")
"""What a run's journal keeps of it, should the command be killed before it could say so."""


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
        OutputError: an original can't be written back; nothing was written.
    """
    masked, folder = release_at(masked, run_folder)
    overwrite = exchange.complete(out, alone=True) is not None or overwrite
    with Run.open(folder) as run:
        _check_place(run, masked, out, overwrite)
        plan = plan_of_release(masked)
        released = stored_release.released_by(run, plan)
        settings = stored_plan.settings_of(run, released)
        ours = released["documents"].keys() | corpus.unchanged_files(out)
        corpus.check_replaceable(out, ours)
        if not regulation.styles(settings) & REVERSIBLE:
            undoable = ", ".join(sorted(REVERSIBLE))
            raise RunError(
                f"{masked} was written in a style that can't be undone; these can be: {undoable}"
            )
        vault = Vault(run.vault_of(plan), _key(run, settings, key_file))

        def restored() -> Iterator[Masked]:
            for number, document in enumerate(released_documents(masked, released, settings), 1):
                yield vault.restored(document)
                progress("unmask", number, None)

        private = os.umask(0o077)
        try:
            stream = restored()
            done = corpus.write(
                masked / "documents", out, stream, settings, overwrite=overwrite, ours=ours
            )
        except corpus.Unwritable as broken:
            reason = next(iter([*broken.files.values(), *broken.documents.values()]))
            raise OutputError(
                f"nothing was written, because an original can't be written: {reason}"
            ) from None
        finally:
            os.umask(private)
        return done.documents


def _check_place(run: Run, masked: Path, out: Path, overwrite: bool) -> None:
    """Refuse to write originals over the input, the run or the masked documents."""
    corpus.check_out(masked / "documents", out, overwrite)
    place = out.resolve()
    taken = {kept.resolve() for kept in (run.source, run.path, masked)}
    if place in taken or place.is_relative_to(run.path.resolve()):
        raise UsageError(f"{out} is not a place for originals: give another folder")


def _key(run: Run, settings: Settings, key_file: str | None) -> bytes:
    """Return the key a run's secrets are sealed with: as given, as set, or the run's own."""
    if key_file:
        settings = msgspec.structs.replace(settings, key_file=key_file)
    own = run.key_path if run.key_path.exists() else None
    return load_key(settings, own, os.environ)


def forget_subject(
    run_folder: Path,
    subject: Sequence[str],
    *,
    key_file: str | None = None,
    linked: bool = False,
    confirm: Callable[[Forgotten], bool] = lambda due: True,
) -> Forgotten:
    """Forget a person: what a run holds that could turn masked documents back into theirs.

    `subject`: values or ids that name the person. From the vault, all documents that name the
    person are removed, and the person's values in other documents, but no short form that means
    somebody else in one of them; from the run, their mentions and the random codes of the values.
    The released documents stay as they are; to write them again, they must be scanned again. The
    removal is complete or absent: if the command is killed, nothing is forgotten yet, or the next
    command on the run completes it.

    Args:
        linked: forget what may also belong to the person, too, with all documents that hold it.
        confirm: is shown what is to be forgotten; where it returns False, nothing is.

    Raises:
        UsageError: the run holds no such value, a value is several persons', or it was not
            confirmed.
        RunError: the key is another one.
    """
    with Run.open(run_at(run_folder), write=True) as run:
        settings = settings_of_run(run)
        try:
            entities = entities_named(run, settings, subject, "--subject")
        except UsageError:
            if set(run.completed) == set(COUNTED):  # the same command was killed
                gone, in_, at = (run.completed[name] for name in COUNTED)
                return Forgotten(gone, in_, at, certificate=certificate_of(run))
            raise
        separator = settings.id_separator
        theirs = _mentions_of(run, entities, separator)
        documents = {mention.document for mention in theirs}
        more = related_entities(run, settings, theirs)
        if linked and more:
            labels = [one.entity for one in more]
            entities |= entities_named(run, settings, labels, "--linked")
            theirs = _mentions_of(run, entities, separator)
            documents = {mention.document for mention in theirs}
            more = related_entities(run, settings, theirs)
        counts = len(entities), len(documents), len(theirs)
        if not confirm(Forgotten(*counts, more)):
            raise UsageError("not confirmed: nothing was forgotten")
        held = [mention for mention in run.mentions() if mention.document in documents]
        others = short_forms_of_others(run, theirs, documents)
        values = set(map(spelling_of, theirs)) - others
        run.forsake()
        run.forget_lookup()
        named = dict(zip(COUNTED, counts, strict=True))
        with run.together(gone=(LOOKUP, KNOWN), **named):  # what was built meanwhile goes, too
            if run.vaults() or run.tokens_path.exists():
                _forget_secrets(run, _key(run, settings, key_file), documents, values, entities)
            mark_forgotten(run, stored_release.digests_of(run, documents))
            run.leave_out(documents)
            _rescore(run, settings, documents)
            _note_forgotten(run, _types_of(theirs, entities, separator), *counts[1:])
            remaining = {entity for m in run.mentions() for entity in m.entities(separator)}
            erased = [m for m in held if entity_id(m.value, m.type, separator) not in remaining]
            forget_words(run, {mention.original for mention in erased})
            write_certificate(run, named, without_spellings(others, erased), separator, linked)
            forms, _ = forms_of(without_spellings(others, theirs), separator)
            left_in = list(found_in(run.files(), forms))
        return Forgotten(*counts, more, certificate_of(run), left_in)


def _mentions_of(run: Run, entities: Set[str], separator: str) -> list[Mention]:
    return [m for m in run.mentions() if not entities.isdisjoint(m.entities(separator))]


def _rescore(run: Run, settings: Settings, documents: set[str]) -> None:
    """Write scores and plans again without a person: the id of an entity is a hash of its value.

    What stays masked and what stays readable is not chosen anew.
    """
    corrections = corrections_in_use(run, settings)
    job = Planner(run, msgspec.structs.replace(settings, corrections=corrections))
    job.score()
    incidence = job.analysis.incidence
    forgotten = partial(_without_forgotten, known=set(incidence.entities), corrections=corrections)
    job.settings = msgspec.convert(forgotten(msgspec.to_builtins(job.settings)), Settings)
    if run.find("plan.json").exists():
        job.restore(stored_plan.without_unknown(stored_plan.plan_of(run), incidence))
        job.keep()
    stored_release.forget_released(run, incidence, documents, forgotten)
    run.note(settings={name: forgotten(one) for name, one in run.about["settings"].items()})
    editions.forget_entities(run, incidence.entities, documents)
    _forget_decided(run, set(incidence.entities), corrections)
    regulation.forget(run, incidence)


def _without_forgotten(
    settings: Mapping[str, Any], known: Collection[str], corrections: Collection[str]
) -> dict[str, Any]:
    """Return settings, as plain data, that name no entity that the corpus no longer holds."""
    lists = {
        name: [one for one in settings[name] if one in known]
        for name in ("always_mask", "never_mask")
        if name in settings
    }
    table = settings.get("corrections", {}).items()
    kept = {key: one for key, one in table if key in corrections}
    return {**settings, **lists} | ({"corrections": kept} if "corrections" in settings else {})


def _forget_decided(run: Run, known: set[str], corrections: Collection[str]) -> None:
    """Leave out of a review's decisions what the corpus no longer holds, with all steps to undo.

    What reviewers had seen is forgotten as a whole: they see everything as new.
    """
    if run.find(DECIDED).exists():
        table = run.read_json(DECIDED)
        decisions = {name: one for name, one in table.get("decisions", {}).items() if name in known}
        items = table.get("corrections", {}).items()
        kept = {key: one for key, one in items if key in corrections}
        run.write_json(DECIDED, {**table, "decisions": decisions, "corrections": kept, "steps": []})
    (run.path / VISITS).unlink(missing_ok=True)


def _types_of(theirs: Sequence[Mention], entities: Set[str], separator: str) -> Counter[str]:
    """Return how many of some entities, of which a person's mentions are given, have each type."""
    keys = {key for mention in theirs for key, _ in mention.entity_spellings()}
    return Counter(kind for value, kind in keys if entity_id(value, kind, separator) in entities)


def _note_forgotten(run: Run, types: Counter[str], documents: int, mentions: int) -> None:
    """Note in the run what was forgotten: numbers and types, no value, no id."""
    row = {"types": dict(sorted(types.items())), "mentions": mentions, "documents": documents}
    run.note(forgotten=[*run.about.get("forgotten", []), row])


def _forget_secrets(
    run: Run, key: bytes, documents: set[str], values: set[str], entities: set[str]
) -> None:
    """Write the vault and the table of random codes again without a person."""
    for path in run.vaults():
        corrections_in_use = Vault(path, key).without(
            documents, lambda text: runs.lower_and_collapse("", text) in values
        )
        run.write(path.name, list(corrections_in_use))
    tokens = read_tokens(run.tokens_path, key)
    if tokens.keys() & entities:
        kept = {name: code for name, code in tokens.items() if name not in entities}
        run.write("tokens", [seal_tokens(key, kept)])
