"""Finds the entities of a run that a user names by values or ids, and refuses unclear names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

import msgspec

from linkmask import runs
from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.graph.entities import canonical
from linkmask.graph.names import NAMES
from linkmask.records import Mention, entity_id, entity_label
from linkmask.report.wording import entity_id_in
from linkmask.runs import Run

SHORTEST = 6
"""Characters of an id by which it may be named, at least."""
SHOWN = 8
"""Most entities that an error lists."""


class NamedEntity(NamedTuple):
    """An entity that a value names, and whether a spelling that is no short form does."""

    type: str
    value: str
    full: bool


def ids_decided_by_hand(
    run: Run, settings: Settings, mask: Sequence[str], keep: Sequence[str]
) -> tuple[set[str], set[str]]:
    """Return the ids of the entities that a user named to be masked and to be kept.

    A short form of a name keeps nothing: who types "Marta" does not ask for the full name.

    Raises:
        UsageError: the run holds no such entity, a value names several, a short form is to be
            kept, or an entity is named on both sides.
    """
    masked = entities_named(run, settings, mask, "--mask")
    kept = entities_named(run, settings, keep, "--keep", short_forms=False)
    if both := masked & kept:
        raise UsageError(f"entity {sorted(both)[0][:10]} is both to be masked and kept: choose one")
    return masked, kept


def entities_named(
    run: Run, settings: Settings, names: Sequence[str], option: str, *, short_forms: bool = True
) -> set[str]:
    """Return the ids of the entities that values, or labels, ids or beginnings of them, name.

    `short_forms`: whether a short form of a name names its person, too.

    Raises:
        UsageError: one names nothing, several entities of one type, or only by a short form; which
            is said by its place, as `option` was given.
    """
    by_id, by_value = _entities_by_name(run, settings, names)
    for number, name in enumerate(names, 1):
        which = f"{option} number {number}" if len(names) > 1 else f"what {option} names"
        found = by_value[name]
        meant = {one: about for one, about in found.items() if short_forms or about.full}
        if _are_several(meant):
            raise UsageError(
                f"{which} is unclear, because more than one entity is written so: name one by id "
                f"({_list_of(run, meant)})"
            )
        by_id[name].update(meant)
        if not by_id[name] and found:
            raise UsageError(
                f"{which} is a short form: give the full name, or an id ({_list_of(run, found)})"
            )
        if not by_id[name]:
            raise UsageError(
                f"{which} is no value and no id of this run: linkmask explain --person shows "
                "whether parts of it are. Add a value that was not detected to a copy of the run's "
                "mentions.jsonl, and mask again with that file as --mentions"
            )
    return set().union(*by_id.values())


def _entities_by_name(
    run: Run, settings: Settings, names: Sequence[str]
) -> tuple[dict[str, set[str]], dict[str, dict[str, NamedEntity]]]:
    """Return for each name the entities whose id begins so, and those that have it as a value."""
    wanted = {name: (entity_id_in(name), runs.lower_and_collapse("", name)) for name in names}
    by_id: dict[str, set[str]] = {name: set() for name in names}
    by_value: dict[str, dict[str, NamedEntity]] = {name: {} for name in names}
    held = (
        (one for mention in run.mentions() for one in mention.entity_spellings()) if names else ()
    )
    for (value, entity_type), original in held:
        spelling = runs.lower_and_collapse("", original)
        entity = entity_id(value, entity_type, settings.id_separator)
        ids = entity, entity_label(entity, run.salt)
        for name, (id_, plain) in wanted.items():
            if len(id_) >= SHORTEST and any(one.startswith(id_) for one in ids):
                by_id[name].add(entity)
            if plain in (value, spelling):
                full = plain == value or not is_short_form(entity_type, original, value)
                before = by_value[name].get(entity)
                known = before is not None and before.full
                by_value[name][entity] = NamedEntity(entity_type, value, full or known)
    return by_id, by_value


def is_short_form(entity_type: str, spelling: str, value: str) -> bool:
    """Tell whether a spelling has less of a person's name than the value of its entity."""
    if entity_type not in NAMES:
        return False
    own = canonical(entity_type, spelling)
    return own != value and len(own) < len(value)


def spelling_of(mention: Mention) -> str:
    """Return how a mention is spelled, as values are compared: small, spaces collapsed."""
    return runs.lower_and_collapse("", mention.original)


def short_forms_of_others(
    run: Run, theirs: Sequence[Mention], documents: Collection[str]
) -> set[str]:
    """Return short forms of a person's name that mean somebody else in other documents.

    A short form that means nobody known there may mean the person, so it is not among them.
    """
    values = {mention.value for mention in theirs}
    short = {spelling_of(m) for m in theirs if is_short_form(m.type, m.original, m.value)}
    return {
        spelling
        for one in run.mentions()
        if one.document not in documents and one.value not in values
        if (spelling := spelling_of(one)) in short
        if is_short_form(one.type, one.original, one.value)
    }


def without_spellings(spellings: Set[str], mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield mentions with the value in place of those spellings."""
    for one in mentions:
        shared = spelling_of(one) in spellings
        yield msgspec.structs.replace(one, original=one.value) if shared else one


def _are_several(found: Mapping[str, NamedEntity]) -> bool:
    """Tell whether some entities of one type are not the same; all types of names count as one."""
    values: dict[str, set[str]] = {}
    for about in found.values():
        values.setdefault("" if about.type in NAMES else about.type, set()).add(about.value)
    return any(len(one) > 1 for one in values.values())


def _list_of(run: Run, found: Mapping[str, NamedEntity]) -> str:
    """Name the first entities by type and label, as users may give them."""
    shown = sorted((about.type, entity_label(one, run.salt)) for one, about in found.items())
    return ", ".join(map(" ".join, shown[:SHOWN]))
