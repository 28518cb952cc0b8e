"""Brings all spellings of one thing to one value, and lists other ways to write a value.

`canonical` considers a value alone. `Aliases` knows the corpus: it joins "Dr. Vargas" and "E.
Vargas" to "Elena Vargas", and "PVH" to "Pleasant Valley Hospital", if they can mean no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from linkmask import schema
from linkmask.graph import dates, normalization
from linkmask.graph.date_spellings import date_spellings
from linkmask.graph.full_names import NAMED_ALIKE, FullNames
from linkmask.graph.names import (
    NAMES,
    name,
    name_forms,
    only_candidate,
    person,
    person_name,
    title_keys,
)
from linkmask.graph.organizations import ORGANIZATION_TYPES, Organizations
from linkmask.graph.phrases import PHRASES, Phrases, other_number
from linkmask.graph.short_names import SURNAME, short_forms
from linkmask.records import Mention
from linkmask.text.letters import fold_value, plain_letters

DATES = schema.types_of("date")
PERSONS = schema.types_of("person")
ADDRESSES = schema.types_of("address")
MAILBOXES = schema.types_of("email")
ANY_TITLE = min(title_keys())
"""Key of a title that stands for all of them."""


class Meaning(NamedTuple):
    """What a value stands for: type and value, and type and value of the person it also names."""

    type: str
    value: str
    person: tuple[str, str] | None = None


def lower_and_collapse(surface: str) -> str:
    """Return the thesis's form: lower case, whitespace collapsed, no more (formulas.md §2.3)."""
    return " ".join(surface.lower().split())


@lru_cache(maxsize=1 << 16)
def canonical(entity_type: str, surface: str, *, day_first: bool = False) -> str:
    """Return the value that all spellings of one thing share; not empty unless `surface` is blank.

    Dates: ISO forms (`dates`). Ages: digits ("48", "25-40", "18 months", "late 50s"). Phones:
    digits as dialled at home, or `+` and digits. Ids: letters and digits, small. Names: `name`.
    All else: `fold_value`. `day_first` decides 03/04/2024.
    """
    if entity_type in DATES:
        value = dates.read(surface, day_first) or ""
    else:
        value = _VALUES.get(schema.forms().get(entity_type, ""), fold_value)(surface)
    return value or fold_value(surface) or lower_and_collapse(surface)


def forms(entity_type: str, value: str, *, day_first: bool | None = None) -> tuple[str, ...]:
    """Return the common ways of writing a value given by `canonical`, for a search without case.

    All of them mean this value only: a bare "48" and a lone surname are left out, and 03/04/2024
    unless `day_first` is known. Ordered, without repeats; may be empty.
    """
    if entity_type in DATES:
        ways = date_spellings(value, day_first)
    else:
        write = _FORMS.get(schema.forms().get(entity_type, ""))
        ways = write(value) if write else []
    return tuple(dict.fromkeys(way for way in ways if way))


SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?")

_VALUES: dict[str, Callable[[str], str]] = {
    "id": normalization.identifier,
    "person": person_name,
    "provider": name,
    "age": normalization.age,
    "phone": normalization.phone,
    "email": lambda surface: re.sub(r"-?\s", "", plain_letters(surface)),
    "url": lambda surface: SCHEME.sub("", plain_letters(surface)).rstrip("/"),
    "network": lambda surface: plain_letters(surface).replace("-", ":"),
    "address": normalization.address,
}
"""Value by the form of a type; forms left out are folded."""

_FORMS: dict[str, Callable[[str], list[str]]] = {
    "age": normalization.age_forms,
    "address": normalization.address_forms,
    "phone": normalization.phone_forms,
    "id": normalization.id_forms,
    "person": name_forms,
    "provider": name_forms,
}


def _forms_by(facts: str, entity_type: str, value: str) -> tuple[str, ...]:
    """Return all forms of a value with these facts; see `Aliases.facts`."""
    ways = forms(entity_type, value)
    if entity_type in PHRASES:
        return (*ways, number) if (number := other_number(value)) else ways
    current, *brief = facts.split("\n")
    short = short_forms(current, entity_type, value) if entity_type in NAMES else []
    return tuple(dict.fromkeys([*ways, *brief, *short]))


def values_in(mentions: Iterable[Mention]) -> frozenset[str]:
    """Return the values that a document holds, as `Aliases` takes them, given its mentions.

    A word behind a title is also held with a title, whichever it is: "Mr. Martin" is a surname.
    """
    held = frozenset((one.type, one.value, one.why.rule) for one in mentions)
    titled = (
        f"{ANY_TITLE} {value}"
        for entity_type, value, rule in held
        if entity_type in NAMES and " " not in value and "title" in rule.split("+")
    )
    return frozenset(value for _, value, _ in held).union(titled)


class Aliases:
    """Which short values mean which full one, in a corpus."""

    def __init__(
        self,
        known: Iterable[tuple[str, str, int]],
        listed: Callable[[str], bool] = lambda name: False,
    ) -> None:
        """Take the distinct (type, value, number of documents) of a corpus.

        `listed`: whether small words are a place's name, or no name by themselves.
        """
        self._streets: dict[str, list[str]] = {}
        self._current: tuple[str, str, str] = ("", "", "")
        values: dict[str, set[str]] = {}
        for entity_type, value, _ in known:
            values.setdefault(entity_type, set()).add(value)

        def of(types: Collection[str]) -> list[tuple[str, str]]:
            # Sorting texts takes a tenth of sorting tuples, and not all types need it.
            both = ((one, values[one]) for one in sorted(values) if one in types)
            return [(one, value) for one, own in both for value in sorted(own)]

        self._organizations = Organizations(of(ORGANIZATION_TYPES), values, listed)
        self._phrases = Phrases(of(PHRASES))
        self._names = FullNames(of(NAMES | NAMED_ALIKE))
        for _, value in of(ADDRESSES):
            words = value.split()
            for size in range(3, len(words)):
                self._streets.setdefault(" ".join(words[:size]), []).append(value)

    def resolve(
        self, entity_type: str, value: str, in_document: Collection[str] = ()
    ) -> tuple[str, str]:
        """Return type and full value that a short value means, or its own if that is unclear.

        A short name of a person (`FullNames.resolve`); a street and number without the town; of an
        organization, its own words or initials; a plural, or a phrase with a word left out. Looked
        for among `in_document`, the values in the document, then in the corpus.
        """
        if entity_type in PHRASES:
            return entity_type, self._phrases.resolve(entity_type, value, in_document)
        if entity_type in ORGANIZATION_TYPES:
            entity_type, value = self._organizations.resolve((entity_type, value), in_document)
        if entity_type in ADDRESSES:
            value = only_candidate(self._streets.get(value, []), in_document, value)
        return entity_type, self._names.resolve(entity_type, value, in_document)

    def meaning(self, entity_type: str, value: str, in_document: Collection[str] = ()) -> Meaning:
        """Return what `resolve` does and, of a mail address, the person whom it also names."""
        if entity_type not in MAILBOXES:
            return Meaning(*self.resolve(entity_type, value, in_document))
        local = value.partition("@")[0].partition("+")[0]
        return Meaning(entity_type, value, self._names.of_address(local, in_document))

    def facts(self, entity_type: str, value: str) -> str:
        """Return the facts about a value in this corpus on which its forms depend.

        If they are the same in two corpora, so are `forms` and `spellings`. The first line has
        letters for the facts about a name (`TITLED` …), the others the short names of an
        organization.
        """
        of, named, facts = self._current  # forms of a value are asked for right behind its facts
        if (of, named) != (entity_type, value):
            facts = self._facts(entity_type, value)
            self._current = entity_type, value, facts
        return facts

    def _facts(self, entity_type: str, value: str) -> str:
        facts = self._names.facts(entity_type, value)
        brief = self._organizations.forms(value) if entity_type in ORGANIZATION_TYPES else ()
        return "\n".join([facts, *brief])

    def forms(self, entity_type: str, value: str) -> tuple[str, ...]:
        """Return `forms` and, of a full name, the short ones that mean nobody else here.

        A bare surname and the short names of an organization have capitals, and count only where
        the text has them. Other forms are in lower case.
        """
        return _forms_by(self.facts(entity_type, value), entity_type, value)

    def spellings(self, entity_type: str, value: str) -> tuple[str, ...]:
        """Return `forms` and the bare surname of several persons, which means one of them."""
        facts = self.facts(entity_type, value)
        ways = _forms_by(facts, entity_type, value)
        who = person(value) if SURNAME in facts.partition("\n")[0] else None
        return ways if who is None else tuple(dict.fromkeys([*ways, who.family.title()]))
