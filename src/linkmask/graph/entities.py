"""Brings all spellings of one thing to one value, and lists other ways to write a value.

`canonical` considers a value alone. `Aliases` knows the corpus: it joins "Dr. Vargas" and "E.
Vargas" to "Elena Vargas", and "PVH" to "Pleasant Valley Hospital", if they can mean no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from linkmask import schema
from linkmask.graph import dates, normalization
from linkmask.graph.date_spellings import date_spellings
from linkmask.graph.names import (
    MANY,
    NAMES,
    Person,
    given_names,
    given_names_fit,
    lone_surname,
    name,
    name_forms,
    only_candidate,
    person,
    person_name,
    usual_titles,
)
from linkmask.graph.organizations import ORGANIZATION_TYPES, Organizations
from linkmask.graph.phrases import PHRASES, Phrases, other_number
from linkmask.text.letters import fold_value, plain_letters

DATES = schema.types_of("date")
PERSONS = schema.types_of("person")
ADDRESSES = schema.types_of("address")


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


def _letters(words: list[str]) -> tuple[int, list[str]]:
    return sum(map(len, words)), words


NAMED_ALIKE = schema.types_of("place", "organization", "clinical")
"""Types of things that bear surnames: Hamilton, the Mayo Clinic, Parkinson's disease."""


NAMESAKES = 256
"""Largest number of full names with one surname, in a document and in the corpus, among which a
short name is resolved. If there are more it means nobody, so that lists of names take linear
time."""


USER = 7
"""Smallest length of an initial and a surname in one word ("obrandvold") that is searched for;
shorter ones may be words."""


TITLED, INITIALLED, SURNAME, DISTINCTIVE = "tisd"
"""Facts about a full name in a corpus: it is the only one with its surname ("Dr. Vargas" then means
it); the only one with surname and initial; its bare surname names no other thing; its bare surname
is that of one person."""


def _forms_by(facts: str, entity_type: str, value: str) -> tuple[str, ...]:
    """Return all forms of a value with these facts; see `Aliases.facts`."""
    ways = forms(entity_type, value)
    if entity_type in PHRASES:
        return (*ways, number) if (number := other_number(value)) else ways
    said, *brief = facts.split("\n")
    who = person(value) if entity_type in NAMES else None
    if who is None or not who.given or len(who.given[0]) == 1:
        return (*ways, *brief)
    initial = who.given[0][0]
    short: list[str] = []
    if TITLED in said:
        short += [f"{title} {who.family}" for title in usual_titles()]
    if INITIALLED in said:
        short += [f"{initial}. {who.family}", f"{who.family}, {initial}."]
        user = initial + who.family
        if len(user) >= USER and user.isalpha() and lone_surname(user):
            short.append(user)
    if entity_type in PERSONS:
        given = " ".join(who.given)
        short += [f"{who.family}/{given}", f"{given}/{who.family}"]
        if DISTINCTIVE in said:
            short.append(who.family.title() if who.family.isalpha() else who.family)
    return tuple(dict.fromkeys([*ways, *brief, *short]))


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
        self._full: dict[tuple[str, str, str], dict[str, None]] = {}
        self._streets: dict[str, list[str]] = {}
        self._surnames: dict[str, set[str]] = {}
        self._distinctive: dict[str, bool] = {}
        self._elsewhere: set[str] = set()
        self._said: tuple[str, str, str] = ("", "", "")
        by_type: dict[str, set[str]] = {}  # sorting texts takes a tenth of sorting tuples
        for entity_type, value, _ in known:
            by_type.setdefault(entity_type, set()).add(value)
        corpus = [(one, value) for one in sorted(by_type) for value in sorted(by_type[one])]
        self._organizations = Organizations(corpus, listed)
        self._phrases = Phrases(corpus)
        for entity_type, value in corpus:
            if entity_type in NAMES:
                who = person(value)
                if who and who.given:
                    self._surnames.setdefault(who.family, set()).add(value)
                elif who is None or entity_type not in PERSONS:
                    self._elsewhere.update(value.split())
                if who and who.given and len(who.given[0]) > 1:
                    for initial in ("", who.given[0][0]):
                        self._full.setdefault((entity_type, who.family, initial), {})[value] = None
            elif entity_type in ADDRESSES:
                words = value.split()
                for size in range(3, len(words)):
                    self._streets.setdefault(" ".join(words[:size]), []).append(value)
            elif entity_type in NAMED_ALIKE:
                self._elsewhere.update(re.findall(r"\w+", fold_value(value)))

    def resolve(
        self, entity_type: str, value: str, in_document: Collection[str] = ()
    ) -> tuple[str, str]:
        """Return type and full value that a short value means, or its own if that is unclear.

        A surname with a title, initials with a surname, a full name without its middle name; a
        street and number without the town; of an organization, its own words or initials; a plural,
        or a phrase with a word left out. Looked for among `in_document`, the values in the
        document, then in the corpus; a bare surname there only where it can mean nothing and nobody
        else.
        """
        if entity_type in PHRASES:
            return entity_type, self._phrases.resolve(entity_type, value, in_document)
        if entity_type in ORGANIZATION_TYPES:
            entity_type, value = self._organizations.resolve((entity_type, value), in_document)
        return entity_type, self._in_full(entity_type, value, in_document)

    def _in_full(self, entity_type: str, value: str, in_document: Collection[str]) -> str:
        if entity_type in ADDRESSES:
            return only_candidate(self._streets.get(value, []), in_document, value)
        who = person(value) if entity_type in NAMES else None
        if who is None:
            return value
        initial = who.given[0][0] if who.given else ""
        full: Collection[str] = self._full.get((entity_type, who.family, initial), {})
        lone = " " not in value and not (entity_type in PERSONS and self._is_distinctive(value))
        if lone or len(full) > MANY:
            few, many = sorted((full, in_document), key=len)
            if len(few) > NAMESAKES:
                return value
            full = sorted(one for one in few if one in many)
        fitting = [
            one for one in full if one != value and given_names_fit(who.given, given_names(one))
        ]
        return only_candidate(fitting, in_document, value)

    def facts(self, entity_type: str, value: str) -> str:
        """Return the facts about a value in this corpus on which its forms depend.

        If they are the same in two corpora, so are `forms` and `spellings`. The first line has
        letters for the facts about a name (`TITLED` …), the others the short names of an
        organization.
        """
        of, named, facts = self._said  # forms of a value are asked for right behind its facts
        if (of, named) != (entity_type, value):
            facts = self._facts(entity_type, value)
            self._said = entity_type, value, facts
        return facts

    def _facts(self, entity_type: str, value: str) -> str:
        said, who = "", person(value) if entity_type in NAMES else None
        if who is not None and who.given:
            initial = who.given[0][0]
            if len(who.given[0]) > 1:
                said += TITLED * self._alone(entity_type, who, "")
                said += INITIALLED * self._alone(entity_type, who, initial)
            if entity_type in PERSONS:
                said += SURNAME * self._is_surname(who.family)
                said += DISTINCTIVE * self._is_distinctive(who.family)
        brief = self._organizations.forms(value) if entity_type in ORGANIZATION_TYPES else ()
        return "\n".join([said, *brief])

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

    def _is_surname(self, family: str) -> bool:
        """Tell whether a bare surname is neither a word nor another thing's name here."""
        return lone_surname(family) and self._elsewhere.isdisjoint(family.split())

    def _is_distinctive(self, family: str) -> bool:
        """Tell whether a bare surname is one person's here, and no word or other thing's name."""
        if family not in self._distinctive:
            self._distinctive[family] = self._is_surname(family) and self._is_one_person(family)
        return self._distinctive[family]

    def _is_one_person(self, family: str) -> bool:
        """Tell whether all full names with a surname can be one person's."""
        everybody = sorted(map(given_names, self._surnames.get(family, ())), key=_letters)
        return bool(everybody) and all(given_names_fit(given, everybody[-1]) for given in everybody)

    def _alone(self, entity_type: str, who: Person, initial: str) -> bool:
        """Tell whether all full names with this surname, and initial, can be one person's."""
        full = self._full.get((entity_type, who.family, initial), {})
        return len(full) <= MANY and all(
            given_names_fit(who.given, names) or given_names_fit(names, who.given)
            for names in map(given_names, full)
        )
