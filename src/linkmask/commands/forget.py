"""Makes a run forget a person: documents, values and codes, and what was computed from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from linkmask import runs
from linkmask.commands.deletion_certificate import (
    certificate_of,
    forms_of,
    found_in,
    has_form,
    write_certificate,
)
from linkmask.commands.folders import settings_of_run
from linkmask.commands.named_entities import (
    entities_named,
    short_forms_of_others,
    spelling_of,
    without_spellings,
)
from linkmask.commands.related import Related, related_entities
from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.llm.cache import Cache
from linkmask.llm.memory import path_of
from linkmask.pipeline.correcting import corrections_in_use
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.linkage.common_words import forget_words
from linkmask.pipeline.planning import regulation
from linkmask.records import Mention, entity_id
from linkmask.redact.run_key import key_of_run
from linkmask.redact.tokens import read_tokens, seal_tokens
from linkmask.redact.vault import Vault
from linkmask.report import stored_plan, stored_release
from linkmask.runs import Run, editions
from linkmask.runs.file_names import DECIDED, FILE_STAMPS, KNOWN, LOOKUP, PLAN, VAULT, VISITS
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


def forget_subject(
    run_folder: Path,
    subject: Sequence[str],
    *,
    key_file: str | None = None,
    linked: bool = False,
    dry_run: bool = False,
    confirm: Callable[[Forgotten], bool] = lambda due: True,
) -> Forgotten:
    """Forget a person: what a run holds that could turn masked documents back into theirs.

    `subject`: values or ids that name the person. From the vault, all documents that name the
    person are removed, and the person's values in other documents, but no short form that means
    somebody else in one of them; from the run, their mentions and the random codes of the values.
    The released documents stay as they are; to write them again, they must be scanned again. The
    removal is complete or absent: if the command is killed, nothing is forgotten yet, or the next
    command on the run completes it. The answers of a language model are deleted before.

    Args:
        linked: forget what may also belong to the person, too, with all documents that hold it.
        dry_run: only say what would be forgotten.
        confirm: is shown what is to be forgotten; where it returns False, nothing is.

    Raises:
        UsageError: the run holds no such value, a value is several persons', or it was not
            confirmed.
        RunError: the key is another one, or the language model's cache can't be cleaned.
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
        person = _person_of(run, settings, entities)
        if linked and person.related:
            labels = [one.entity for one in person.related]
            entities |= entities_named(run, settings, labels, "--linked")
            person = _person_of(run, settings, entities)
        if dry_run:
            return Forgotten(*person.counts, person.related)
        if not confirm(Forgotten(*person.counts, person.related)):
            raise UsageError("not confirmed: nothing was forgotten")
        left_in = _forget(run, settings, person, key_file, linked)
        return Forgotten(*person.counts, person.related, certificate_of(run), left_in)


class _Person(NamedTuple):
    """What a run holds of a person: entities, their mentions, and the documents with these.

    `related`: what may also belong to the person.
    """

    entities: Set[str]
    mentions: Sequence[Mention]
    documents: set[str]
    related: Sequence[Related]

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many entities, documents and mentions, in the order of `COUNTED`."""
        return len(self.entities), len(self.documents), len(self.mentions)


def _person_of(run: Run, settings: Settings, entities: Set[str]) -> _Person:
    """Return the person of some entities."""
    separator = settings.id_separator
    theirs = [m for m in run.mentions() if not entities.isdisjoint(m.entities(separator))]
    documents = {mention.document for mention in theirs}
    return _Person(entities, theirs, documents, related_entities(run, settings, theirs))


def _forget(
    run: Run, settings: Settings, person: _Person, key_file: str | None, linked: bool
) -> list[str]:
    """Remove a person from a run; return the files in which a form of a value still stands."""
    entities, theirs, documents, _ = person
    separator = settings.id_separator
    held = [mention for mention in run.mentions() if mention.document in documents]
    others = short_forms_of_others(run, theirs, documents)
    values = set(map(spelling_of, theirs)) - others
    run.forsake()
    run.forget_lookup()
    counts = dict(zip(COUNTED, person.counts, strict=True))
    secrets = _secrets_without(run, settings, key_file, documents, values, entities)
    forms, _ = forms_of(without_spellings(others, theirs), separator)
    elsewhere = {
        e for m in run.mentions() if m.document not in documents for e in m.entities(separator)
    }
    only = (m for m in held if entity_id(m.value, m.type, separator) not in elsewhere)
    more, _ = forms_of(without_spellings(others, only), separator)
    answers = _forget_answers(settings, forms | more)
    with run.together(
        gone=(LOOKUP, KNOWN, FILE_STAMPS), **counts
    ):  # what was built meanwhile goes, too
        for name, content in secrets.items():
            (run.write_vault if name.startswith(VAULT) else run.write)(name, content)
        mark_forgotten(run, stored_release.digests_of(run, documents))
        run.leave_out(documents)
        _rescore(run, settings, documents)
        _note_forgotten(run, person, separator)
        remaining = {entity for m in run.mentions() for entity in m.entities(separator)}
        erased = [m for m in held if entity_id(m.value, m.type, separator) not in remaining]
        forget_words(run, {mention.original for mention in erased})
        gone = without_spellings(others, erased)
        write_certificate(run, counts, gone, separator, linked=linked, answers=answers)
        return list(found_in(run.files(), forms))


def _forget_answers(settings: Settings, forms: Collection[bytes]) -> int | None:
    """Delete the answers of a language model that hold one of some forms; return how many.

    None if the run uses no model, or the file of its answers is not there.
    """
    path = path_of(settings)
    if not (settings.llm_model and path.exists()):
        return None
    cache = Cache(path)
    try:
        return cache.forget(partial(has_form, forms=forms))
    finally:
        cache.close()


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
    if run.find(PLAN).exists():
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


def _note_forgotten(run: Run, person: _Person, separator: str) -> None:
    """Note in the run how many entities of each type were forgotten: no value, no id."""
    keys = {key for mention in person.mentions for key, _ in mention.entity_spellings()}
    types = Counter(
        kind for value, kind in keys if entity_id(value, kind, separator) in person.entities
    )
    row = {
        "types": dict(sorted(types.items())),
        "mentions": len(person.mentions),
        "documents": len(person.documents),
    }
    run.note(forgotten=[*run.about.get("forgotten", []), row])


def _secrets_without(
    run: Run,
    settings: Settings,
    key_file: str | None,
    documents: set[str],
    values: set[str],
    entities: Set[str],
) -> dict[str, list[bytes]]:
    """Return the vault and the table of random codes without a person, by the file's name."""
    if not (run.vaults() or run.tokens_path.exists()):
        return {}
    key = key_of_run(run, settings, key_file)
    secrets = dict[str, list[bytes]]()
    for path in run.vaults():
        others = Vault(path, key, run.sealed(path)).without(
            documents, lambda text: runs.lower_and_collapse("", text) in values
        )
        secrets[path.name] = list(others)
    tokens = read_tokens(run.tokens_path, key)
    if tokens.keys() & entities:
        kept = {name: code for name, code in tokens.items() if name not in entities}
        secrets["tokens"] = [seal_tokens(key, kept)]
    return secrets
