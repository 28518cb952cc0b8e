"""Gathers the masked entities of a plan, with all that redaction has to know of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from linkmask.config import Settings
from linkmask.detect.lexicon.name_words import is_common_word
from linkmask.pipeline.values.run_value import RunValue, RunValues
from linkmask.pipeline.values.run_values import spelled
from linkmask.records import CapitalizedSpelling, Incidence, Plan, entity_id
from linkmask.records.ids import texts_at
from linkmask.redact import Target
from linkmask.schema import OMISSION, RARE_TERM, types_of

PERSONS = types_of("person")


def targets_of(
    values: RunValues,
    incidence: Incidence,
    plan: Plan,
    settings: Settings,
    language: Mapping[str, str],
    style: Mapping[str, str],
) -> dict[str, Target]:
    """Gather the masked entities with every spelling seen in the corpus and every known form.

    Args:
        values: those of the run; what is worked out of them is kept there.
        language: document → its language (ISO 639-1), for styles that need it.
        style: entity → the style it is written in whatever its type's style, where it has one.

    An entity's language is that of its first document. A rare term is masked only where it was
    found, and always alike, because a pseudonym would link the documents again: as an omission, or
    as its type if `styles` says so; in style `redact` as all values are. One that is a whole value,
    as "lupus" is a condition, is shown as this value's type.
    """
    plain = "redact" if settings.style == "redact" else "value"
    usual = "" if RARE_TERM in settings.styles else OMISSION
    masked = set(texts_at(incidence.entities, plan.masked))
    spoken = _languages(incidence, language) if language else {}
    return {
        entity: Target(
            RARE_TERM,
            (),
            value=one.value,
            style=plain,
            shown=_type_of_whole_value(one, values, settings) or usual,
        )
        if one.type == RARE_TERM
        else Target(
            one.type,
            _with_capitals(one.surfaces) if one.type in PERSONS else sorted(one.surfaces),
            one.forms,
            spoken.get(entity, ""),
            one.value,
            style.get(entity, ""),
        )
        for entity, one in spelled(values, masked, settings)
    }


def _with_capitals(spellings: Iterable[str]) -> list[str]:
    """Return a person's spellings, sorted; a word of prose in small letters needs a capital.

    "price" is a user's name where one is announced, and a mention stands there.
    """
    return [
        CapitalizedSpelling(one) if one.islower() and one.isalpha() and is_common_word(one) else one
        for one in sorted(spellings)
    ]


def _type_of_whole_value(word: RunValue, values: RunValues, settings: Settings) -> str:
    """Return the type of the values that are this word alone; "" where there is none, or two."""
    spelled = {word.value, *(surface.casefold() for surface in word.surfaces)}
    types = {
        name
        for name in settings.entity_types.types
        for value in spelled
        if name != RARE_TERM and entity_id(value, name, settings.id_separator) in values
    }
    return types.pop() if len(types) == 1 else ""


def _languages(incidence: Incidence, language: Mapping[str, str]) -> dict[str, str]:
    """Return the language of the first document of each entity."""
    held, first = np.unique(incidence.entity, return_index=True)
    of = np.searchsorted(incidence.start, first, side="right") - 1
    both = zip(texts_at(incidence.entities, held), of.tolist(), strict=True)
    return {entity: language.get(incidence.documents[d], "") for entity, d in both}


def masked_in(incidence: Incidence, plan: Plan) -> Callable[[str], Sequence[str]]:
    """Return which masked entities each document mentions, by its id."""
    masked = set(plan.masked.tolist())
    return {
        name: [
            incidence.entities[e]
            for e in incidence.entity[incidence.start[d] : incidence.start[d + 1]].tolist()
            if e in masked
        ]
        for d, name in enumerate(incidence.documents)
    }.__getitem__


def exchanged(targets: Mapping[str, Target], entities: Iterable[str]) -> frozenset[str]:
    """Return those of some entities whose value may also count messages: dates, things' numbers."""
    types = types_of("exchange")
    return frozenset(one for one in entities if one in targets and targets[one].type in types)


class DetectedEntities:
    """Tells which entities detection did not find in a document."""

    def __init__(self, incidence: Incidence) -> None:
        self._incidence = incidence
        names = incidence.documents, incidence.entities
        self._documents, self._entities = ({name: n for n, name in enumerate(ids)} for ids in names)

    def undetected(self, document: str, entities: Iterable[str]) -> list[str]:
        """Return those of some entities (ids) that detection did not find in a document."""
        incidence, row = self._incidence, self._documents[document]
        held = set(incidence.entity[incidence.start[row] : incidence.start[row + 1]].tolist())
        return [entity for entity in entities if self._entities.get(entity) not in held]
