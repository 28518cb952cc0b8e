"""What a person said of entities, carried out on the mentions of a run, and taken back.

A correction names an entity by id, or of an entity those mentions that are spelled one way
(`entity/spelling`, where a spelling's id is that of the spelling as a value). It says what they
are: `nobody` (no entity: they are mentions of nothing that identifies anybody), a type, the id of
the entity that they are one with, `apart` (an entity by themselves), or `here` (what they are, but
masked only where they were found).

The mentions as they were detected stay in the run, in the log `detected`, so that every correction
can be taken back, and others be made, without another detection.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from linkmask.choices import APART, HERE, NOBODY
from linkmask.config import Settings
from linkmask.records import Mention, entity_id
from linkmask.runs import Run, lower_and_collapse
from linkmask.runs.names import DETECTED

Identity = tuple[str, str]
"""Value and type, which make an entity."""


@dataclass(frozen=True)
class Corrector:
    """Corrects mentions, one by one; picklable.

    `named`: value and type of the entities that others are one with. An entity that is one with
    what the corpus does not hold stays as it is.
    """

    corrections: Mapping[str, str]
    named: Mapping[str, Identity]
    separator: str
    _ids: dict[Identity, str] = field(default_factory=dict)
    _heads: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._heads.update(key.partition("/")[0] for key in self.corrections)

    def __call__(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Return the mentions as they are corrected."""
        found = map(self._corrected, mentions)
        return [one for one in found if one is not None]

    def _corrected(self, mention: Mention) -> Mention | None:
        """Follow the corrections of a mention; one that leads back to itself ends there."""
        seen: set[str] = set()
        while True:
            entity = self._id((mention.value, mention.type))
            if entity not in self._heads or entity in seen:
                return mention
            seen.add(entity)
            own = spelling_id(mention.original, mention.type, self.separator)
            said = self.corrections.get(f"{entity}/{own}") or self.corrections.get(entity, "")
            if said == NOBODY:
                return None
            if said == APART:
                mention = replace(mention, value=lower_and_collapse(mention.type, mention.original))
            elif said in self.named:
                value, entity_type = self.named[said]
                mention = replace(mention, value=value, type=entity_type)
            elif said and said != HERE and not is_entity(said):
                mention = replace(mention, type=said)

    def _id(self, identity: Identity) -> str:
        if identity not in self._ids:
            self._ids[identity] = entity_id(*identity, self.separator)
        return self._ids[identity]


def is_entity(said: str) -> bool:
    """Tell whether a correction says that an entity is one with another, and not of a type."""
    return len(said) == len(entity_id("", "")) and said.islower()


def spelling_id(original: str, entity_type: str, separator: str) -> str:
    """Return the id that a spelling has as a value of its own."""
    return entity_id(lower_and_collapse(entity_type, original), entity_type, separator)


def corrector(run: Run, settings: Settings, known: Mapping[str, Identity] = {}) -> Corrector | None:
    """Return what corrects mentions as the settings say; None where they say nothing.

    `known`: value and type of entities by id, so that they need not be looked for in the run.
    """
    if not settings.corrections:
        return None
    wanted = {said for said in settings.corrections.values() if is_entity(said)}
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


def correct(run: Run, settings: Settings) -> None:
    """Carry out on the run's mentions what a person said of entities, and nothing else of before.

    A run of mentions alone, which has no log, is left as it is.
    """
    first = run.uncorrected != DETECTED
    if (first and not settings.corrections) or not run.has("mentions"):
        return
    if first:
        run.rewrite_lines(DETECTED, run.lines("mentions"))
    change = corrector(run, settings) or list
    run.rewrite("mentions", ((name, change(held)) for name, held in run.by_document(DETECTED)))


def followed(
    run: Run, ids: Collection[str], before: Settings, after: Settings
) -> dict[str, set[str]]:
    """Return the ids that entities have once the run is corrected otherwise, by their ids now.

    An entity that becomes nobody's has none; ids that the run does not hold are not among them.
    """
    if not before.corrections:  # ids are as they were detected, and most are as they were
        heads = {key.partition("/")[0] for key in after.corrections}
        ids = frozenset(ids) & heads
    if not ids:
        return {}
    separator = after.id_separator
    was, now = (corrector(run, settings) or list for settings in (before, after))
    found: dict[str, set[str]] = {}
    for mention in run.mentions(run.uncorrected):
        for one in was([mention]):
            if (entity := entity_id(one.value, one.type, separator)) in ids:
                then = {entity_id(new.value, new.type, separator) for new in now([mention])}
                found.setdefault(entity, set()).update(then)
    return found
