"""Builds the lookup file of an opened run: spellings, masks, entities, documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from string import capwords
from typing import Any

import msgspec
import numpy as np

from linkmask import corpus, schema
from linkmask.config import Settings
from linkmask.detect.lexicon.name_words import listed
from linkmask.errors import RunError
from linkmask.graph.names import NAMES, person, title_keys
from linkmask.graph.organizations import ORGANIZATION_TYPES, without_middle
from linkmask.masker.holders import Holders
from linkmask.masker.lookup import (
    ASKED,
    DISTINCT,
    HOLDERS,
    KEPT,
    MASKS,
    KeyOf,
    LookupColumns,
    document_key,
)
from linkmask.masker.originals import Originals
from linkmask.pipeline.detection.corpus_detection import languages
from linkmask.pipeline.detection.detector import aliases_of
from linkmask.pipeline.edition_state import kept_values
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.planning import regulation
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.records import CapitalizedSpelling, entity_id
from linkmask.redact import TRIES, VARIES, Redactor, Target, searched_spellings, typed_spellings
from linkmask.redact.columnar import IdTable, TextHashSet, columns_under, entity_columns
from linkmask.redact.search import Search
from linkmask.report import stored_plan, stored_release
from linkmask.runs import Run
from linkmask.runs.mentions import places_of

PLACES = schema.types_of("place")


def build_lookup(run: Run, key_of: KeyOf) -> LookupColumns:
    """Return the arrays and facts of a run."""
    kept = stored_release.valid_plan(run)
    planner = Planner(run, stored_plan.settings_of(run, kept))
    planner.reopen()
    planner.restore(kept)
    assert planner.chosen is not None
    settings = planner.settings
    arguments = run, planner.analysis.incidence, planner.chosen, settings
    attempts = {row["entity"]: row for row in kept["masked"] if "attempt" in row}
    spoken = {} if attempts else _languages(run, settings)
    redaction = Redaction(*arguments, spoken, planner.demands, kept_values(run))
    redaction.key, redaction.given = key_of(settings)
    if attempts:
        redaction.draw_as(attempts)
    redactor = redaction.redactor
    columns, names = entity_columns(redactor, redactor.style_context.days)
    entities = planner.analysis.incidence.entities
    values = {(one.type, one.value) for one in redaction.values.values()}
    brief = _without_middle(values) if settings.same_thing else {}
    numbers = _numbers(values, brief, settings, redactor, entities)
    del values
    columns |= columns_under("entities", IdTable.columns(numbers))
    del numbers
    columns |= columns_under("masked", IdTable.columns(_of(redactor.entity_index.ids)))
    columns |= columns_under(DISTINCT, redactor.search.columns())
    columns |= columns_under(ASKED, _asked(redaction, brief).columns())
    holders = Holders.of(planner.analysis.incidence, redactor, kept.get("swept", {}))
    columns |= columns_under(HOLDERS, holders.columns())
    columns |= columns_under(MASKS, Originals.of(redactor, holders).columns())
    tries = TRIES & regulation.styles(settings)
    originals = {mention.original for mention in run.mentions()} if tries else ()
    columns["originals"] = TextHashSet.column(originals)
    columns |= _documents(run, kept.get("originals", {}))
    facts = {
        "settings": msgspec.to_builtins(settings),
        "names": names,
        "corpus_types": list(planner.analysis.incidence.types),
    }
    return columns, facts


def _asked(redaction: Redaction, brief: Mapping[tuple[str, str], str]) -> Search:
    """Return the search for masked entities in texts that people type.

    The spellings are kept in the search alone, because there are millions.
    """
    targets = redaction.targets
    everywhere = msgspec.structs.replace(redaction.settings, scope="corpus")
    searched: Mapping[str, Sequence[str]] = (
        redaction.listed(targets)
        if redaction.settings == everywhere
        else searched_spellings(targets, everywhere)
    )
    spellings = redaction.undetected_spellings(searched)
    forms = (
        typed_spellings([*own, *_proper(targets[entity], brief)], listed) if own else ()
        for entity in redaction.redactor.entity_index.ids
        for own in (spellings[entity],)
    )
    return Search(forms, schema.placeholders(()), anywhere=True)


def _languages(run: Run, settings: Settings) -> Mapping[str, str]:
    """Return the language of each document, if a style needs it and no release has stored it.

    Raises:
        RunError: the corpus can't be read any more.
    """
    if not VARIES & regulation.styles(settings):
        return {}
    read = corpus.Corpus(run.source, settings, may_be_empty=True)
    if read.digest() != run.digest:
        raise RunError(
            f"{run.source} has changed since the run read it, and masks of this run depend on the "
            "language of the documents: open the run once with its input unchanged"
        )
    return languages(read, settings)


def _of(ids: Any) -> dict[str, int]:
    return {entity: number for number, entity in enumerate(ids)}


def _numbers(
    values: Set[tuple[str, str]],
    brief: Mapping[tuple[str, str], str],
    settings: Settings,
    redactor: Redactor,
    entities: Any,
) -> dict[str, int]:
    """Return the number of every entity of the run, and of every short value that means one.

    A short value ("t. roe", a town without its state) gets an id like an entity's, unless it is an
    entity of the run or can mean several. A town gets one only if its entity is masked, because it
    may also be the name of somebody whom the run does not know.

    Args:
        values: type and value of each entity.
        brief: what `_without_middle` returns for them.
    """
    masked = _of(redactor.entity_index.ids)
    numbers = {entity: masked.get(entity, KEPT) for entity in entities}
    aliases, _ = aliases_of(values, settings)
    short: dict[str, int | None] = {}
    for kind, value in sorted(values) if aliases else ():
        number = numbers.get(entity_id(value, kind, settings.id_separator), KEPT)
        names = [
            one
            for alike in (_abridged(kind, value) if kind in NAMES else ())
            if aliases and aliases.resolve(kind, alike[0])[1] == value
            for one in alike
        ]
        town, comma, _ = value.partition(",")
        if kind in PLACES and comma and number != KEPT:
            names.append(town)
        if (kind, value) in brief:
            names.append(brief[kind, value])
        for one in names:
            alias = entity_id(one, kind, settings.id_separator)
            if alias not in numbers:
                short[alias] = number if short.get(alias, number) == number else None
    return numbers | {alias: number for alias, number in short.items() if number is not None}


def _without_middle(values: Set[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the brief names of organizations that are the name of nothing else in the corpus."""
    brief = {
        one: name
        for one in values
        if one[0] in ORGANIZATION_TYPES
        if (name := without_middle(one[1]))
    }
    meant: dict[str, set[str]] = {}
    for (_, value), name in brief.items():
        meant.setdefault(name, set()).add(value)
    taken = {value for _, value in values}
    return {one: name for one, name in brief.items() if name not in taken and len(meant[name]) == 1}


def _proper(target: Target, brief: Mapping[tuple[str, str], str]) -> list[str]:
    """Return the short name of a masked organization, as it is searched for in texts."""
    name = brief.get((target.type, target.value), "")
    return [CapitalizedSpelling(capwords(name))] if name else []


def _abridged(kind: str, value: str) -> Iterator[list[str]]:
    """Yield a name with given names as initials, left out, or a title in their place.

    Short names that are yielded together mean the same: whatever the title is, the surname decides,
    unless the name may be an organization's.
    """
    who = person(value)
    if who is None or not who.given:
        return
    first, *rest = who.given
    titled = [f"{title} {who.family}" for title in sorted(title_keys())]
    yield from ([[one] for one in titled] if kind in ORGANIZATION_TYPES else [titled])
    short = [[], [first], [first[0]], [first[0], *rest], [first, *(one[0] for one in rest)]]
    for name in dict.fromkeys(" ".join([*given, who.family]) for given in short):
        yield [name]


def _documents(run: Run, digests: Mapping[str, str]) -> dict[str, Any]:
    """Return the released documents: id, digest, and where their mentions stand in the log."""
    places = places_of(run.path / "mentions.jsonl") if digests else {}
    names = sorted((document_key(name), name) for name in digests)
    return {
        "document_keys": np.array([key for key, _ in names], np.uint64),
        "document_digests": np.array([int(digests[name], 16) for _, name in names], np.uint64),
        "document_places": np.array(
            [place for _, name in names for place in places.get(name, (0, 0))], np.int64
        ),
    }
