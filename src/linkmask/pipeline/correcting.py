"""Applies the corrections of entities that a user made to the mentions of a run, and undoes them.

The key of a correction is the id of an entity, or names a part of its mentions: those with one
spelling (`entity/spelling`, by the id that the spelling has as a value), or those in one document
(`entity@document`, by the hash of its id). The value is `nobody` (no entity), a type, the id of
another entity that means the same, `apart` (the spelling is an entity of its own), `another-2` (in
this document, the second person of this name), or `here` (masked only where it was found). A
correction for a document comes before one for a spelling, and that before one for the whole entity.

The mentions as they were detected stay in the run, in the log `detected`, so that every correction
can be taken back, and others be made, without another detection.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace

from linkmask.choices import ANOTHER, APART, HERE, NOBODY
from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.graph.names import NAMES
from linkmask.records import Mention, entity_id
from linkmask.runs import Run, lower_and_collapse
from linkmask.runs.file_names import DETECTED

Identity = tuple[str, str]
"""Value and type, which make an entity."""
ALONE = "the run was made of mentions alone: correct these, and scan them again"
"""Why the entities of such a run can't be corrected."""
_ID = len(entity_id("", ""))


@dataclass(frozen=True)
class Corrector:
    """Corrects mentions, one by one; picklable.

    `named`: value and type of the entities with which corrections unite others. A correction that
    unites an entity with one that the corpus does not hold has no effect.
    """

    corrections: Mapping[str, str]
    named: Mapping[str, Identity]
    separator: str
    _ids: dict[Identity, str] = field(default_factory=dict)
    _heads: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._heads.update(map(subject, self.corrections))

    def __call__(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Return the mentions as they are corrected."""
        found = (self.followed(mention)[-1][1] for mention in mentions)
        return [self._with_person(one) for one in found if one is not None]

    def _with_person(self, mention: Mention) -> Mention:
        """Return a mention with the person whom it also names as that entity is corrected."""
        if mention.person is None:
            return mention
        entity_type, value = mention.person
        named = replace(mention, type=entity_type, value=value, person=None)
        after = self.followed(named)[-1][1]
        return replace(mention, person=(after.type, after.value) if after else None)

    def followed(self, mention: Mention) -> list[tuple[str, Mention | None]]:
        """Return what a mention becomes by each correction in turn; None if it identifies nobody.

        The first row is the mention as it was detected, with the key "". Each further row has the
        key of the correction that made it. Corrections that lead in a circle end there.
        """
        rows: list[tuple[str, Mention | None]] = [("", mention)]
        seen: set[str] = set()
        while True:
            entity = self._id((mention.value, mention.type))
            if entity not in self._heads or entity in seen:
                return rows
            seen.add(entity)
            keys = keys_of(entity, mention, self.separator)
            key = next((key for key in keys if self.corrections.get(key)), "")
            if not key:
                return rows
            if (after := self._corrected(mention, self.corrections[key])) is None:
                return [*rows, (key, None)]
            rows.append((key, after))
            mention = after

    def _corrected(self, mention: Mention, correction: str) -> Mention | None:
        """Return a mention after one correction; None if it identifies nobody."""
        if correction == NOBODY:
            return None
        if correction == APART:
            return replace(mention, value=lower_and_collapse(mention.type, mention.original))
        if another := ANOTHER.fullmatch(correction):
            value = f"{mention.value}{PERSON}{another[1]}"
            return replace(mention, value=value) if mention.type in NAMES else mention
        if correction in self.named:
            value, entity_type = self.named[correction]
            return replace(mention, value=value, type=entity_type)
        if correction == HERE or is_entity(correction):
            return mention
        return replace(mention, type=correction)

    def _id(self, identity: Identity) -> str:
        if identity not in self._ids:
            self._ids[identity] = entity_id(*identity, self.separator)
        return self._ids[identity]


PERSON = "\u2016"
"""Stands in the value of an entity between a name and the number of the person who bears it."""


def name_of(value: str) -> str:
    """Return the name in a value: without the number of the person who bears it."""
    return value.partition(PERSON)[0]


def person_number(value: str) -> str:
    """Return which person of a name a value means: "" for the first, else "2", "3" …"""
    return value.rpartition(PERSON)[2] if PERSON in value else ""


def is_entity(correction: str) -> bool:
    """Tell whether a correction unites an entity with another, and does not give it a type."""
    return len(correction) == _ID and correction.islower()


def subject(key: str) -> str:
    """Return the id of the entity that a correction is about, as a whole or in part."""
    return key[:_ID]


def in_document(entity: str, document: str) -> str:
    """Return the key of a correction of an entity in one document."""
    return f"{entity}@{document_hash(document)}"


def document_hash(document: str) -> str:
    """Return the hash of a document's id, by which corrections name it."""
    return entity_id(document, "")


def keys_of(entity: str, mention: Mention, separator: str) -> tuple[str, str, str]:
    """Return the keys of corrections that may apply to a mention, the narrowest first."""
    own = spelling_id(mention.original, mention.type, separator)
    return in_document(entity, mention.document), f"{entity}/{own}", entity


def spelling_id(original: str, entity_type: str, separator: str) -> str:
    """Return the id that a spelling has as a value of its own."""
    return entity_id(lower_and_collapse(entity_type, original), entity_type, separator)


def make_corrector(
    run: Run, settings: Settings, known: Mapping[str, Identity] = {}
) -> Corrector | None:
    """Return a corrector for the corrections in the settings; None if there are none.

    `known`: value and type of entities by id, so that they need not be looked for in the run.
    """
    if not settings.corrections:
        return None
    wanted = {correction for correction in settings.corrections.values() if is_entity(correction)}
    named = {one: known[one] for one in wanted & known.keys()}
    wanted -= known.keys()
    for mention in run.mentions(run.uncorrected) if wanted else ():
        identity = mention.value, mention.type
        if (one := entity_id(*identity, settings.id_separator)) in wanted:
            named[one] = identity
            wanted.discard(one)
            if not wanted:
                break
    return Corrector(settings.corrections, named, settings.id_separator)


class Applied(NamedTuple):
    """A correction that was carried out on a mention: its key, what it says, before and after."""

    key: str
    correction: str
    before: Mention
    after: Mention | None


def applied(run: Run, settings: Settings) -> Iterator[list[Applied]]:
    """Yield the corrections that were applied to each corrected mention of a run."""
    change = make_corrector(run, settings)
    for mention in run.mentions(run.uncorrected) if change else ():
        assert change is not None
        rows, before = list[Applied](), mention
        for key, after in change.followed(mention)[1:]:
            rows.append(Applied(key, settings.corrections[key], before, after))
            before = after or before
        if rows:
            yield rows


def corrections_in_use(run: Run, settings: Settings) -> dict[str, str]:
    """Return the corrections that still apply to a mention."""
    used = {one.key for rows in applied(run, settings) for one in rows}
    return {key: correction for key, correction in settings.corrections.items() if key in used}


def correct(run: Run, settings: Settings) -> None:
    """Apply the settings' corrections to the mentions as detected; earlier ones are undone first.

    Raises:
        UsageError: the run was made of mentions alone, which has no log of what was detected.
    """
    first = run.uncorrected != DETECTED
    if first and not settings.corrections:
        return
    if not run.has("mentions"):
        raise UsageError(ALONE)
    if first:
        run.replace_log_lines(DETECTED, run.lines("mentions"))
    change = make_corrector(run, settings) or list
    run.replace_log("mentions", ((name, change(held)) for name, held in run.by_document(DETECTED)))


def renamed_ids(
    run: Run, ids: Collection[str], before: Settings, after: Settings
) -> dict[str, set[str]]:
    """Return the ids of entities after other corrections, by their ids now.

    An entity that becomes `nobody` has none. Ids that the run does not hold are left out.
    """
    if not before.corrections:  # ids are as they were detected, and most are as they were
        ids = frozenset(ids) & set(map(subject, after.corrections))
    if not ids:
        return {}
    separator = after.id_separator
    was, now = (make_corrector(run, settings) or list for settings in (before, after))
    found: dict[str, set[str]] = {}
    for mention in run.mentions(run.uncorrected):
        for one in was([mention]):
            if (entity := entity_id(one.value, one.type, separator)) in ids:
                then = {entity_id(new.value, new.type, separator) for new in now([mention])}
                found.setdefault(entity, set()).update(then)
    return found
