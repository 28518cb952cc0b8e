"""Finds the values that a small change of a large corpus may affect: nearly all are as they were.

`Aliases.facts` of a person depend on values that share a word with the surname, or the given name
and the surname's initial; those of an organization, on values that may bear one of its short names,
whole. What a value means (`Aliases.meaning`) depends on the values that may be meant by it: these
have a name in common with what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator

from linkmask.graph.entities import ADDRESSES, MAILBOXES
from linkmask.graph.full_names import NAMED_ALIKE, parts_of_user_names
from linkmask.graph.names import NAMES, Person, name, person
from linkmask.graph.organizations import (
    ORGANIZATION_TYPES,
    ambiguous_names,
    names_to_resolve,
    short_names,
)
from linkmask.graph.phrases import PHRASES, other_number
from linkmask.graph.short_names import PERSONS
from linkmask.text.letters import fold_value

Value = tuple[str, str]
"""Type and value."""
_WORD = re.compile(r"[^\W_]+")


def affected_by(changed: Iterable[Value]) -> Callable[[str, str], bool]:
    """Return a function that tells whether the facts of a type and value may differ.

    Args:
        changed: the values that only one of two corpora holds. The facts of these are unknown,
            whatever the function returns.
    """
    every = list(changed)
    words = {word for one in every for word in _words_of_names(*one)} - {""}
    short = {name for one in every for name in _short_names(*one)} - {""}

    def affected(entity_type: str, value: str) -> bool:
        names = short_names(value) if entity_type in ORGANIZATION_TYPES else None
        if names is not None and not short.isdisjoint((*names.own, names.initials)):
            return True
        who = person(value) if entity_type in NAMES else None
        return who is not None and bool(who.given) and not words.isdisjoint(_words_of_person(who))

    return affected


def _words_of_person(who: Person) -> list[str]:
    """Return the words of the surname, and the given name with its initial."""
    return [*who.family.split(), f"{who.given[0]} {who.family[0]}"]


def _words_of_names(entity_type: str, value: str) -> Iterable[str]:
    """Yield the words by which a value may change the facts of a person."""
    who = person(value) if entity_type in NAMES else None
    if who and who.given:
        yield from _words_of_person(who)
    elif entity_type in NAMES:
        yield from value.split()
    elif entity_type in NAMED_ALIKE:
        yield from re.findall(r"\w+", fold_value(value))


def _short_names(entity_type: str, value: str) -> Iterable[str]:
    """Yield the names by which a value may change the facts of an organization."""
    yield from ambiguous_names(entity_type, value)
    yield from _short_organizations(entity_type, value)


def _short_organizations(entity_type: str, value: str) -> Iterable[str]:
    """Yield the short names of an organization."""
    if entity_type in ORGANIZATION_TYPES and (names := short_names(value)) is not None:
        yield from names.starts
        yield names.initials


def meaning_affected_by(
    changed: Iterable[Value], stay: Iterable[Value], values: Iterable[Value]
) -> set[Value]:
    """Return those of some values that may mean another value by now.

    In a document, a value may also mean another one because a full name in it does; then that full
    name is returned. A bare surname that is no value itself is not (`surnames`).

    Args:
        changed: the values that only one of two corpora holds.
        stay: those that both hold.
    """
    new, every = list(changed), list(values)
    taken = {name for one in stay for name in ambiguous_names(*one)}
    short = {name for one in (*new, *every) for name in _short_organizations(*one)}
    common = {word for one in new for word in _words_elsewhere(*one)}
    full = (one for one in (*new, *every) if one[0] in NAMES and _has_one_of(common, one[1]))
    borne = {who.family for _, value in full if (who := person(value)) and who.given}
    names = {("person", word) for word in common & borne}
    names.update(name for one in new for name in _names(*one) if name[1])
    found = set[Value]()
    while names:
        # A value has a word of each name that it asks for; of a phrase in the plural, the first.
        words = {word for _, name in names for word in _WORD.findall(name) or [""]}
        near = every if "" in words else [one for one in every if _has_one_of(words, one[1])]
        asked = ((one, _asked_names(*one, short, taken)) for one in near)
        more = {one for one, own in asked if not names.isdisjoint(own)} - found
        found |= more
        # An organization that is meant may mean a larger one in turn.
        larger = (name for one in more if one[0] in ORGANIZATION_TYPES for name in _names(*one))
        names = {name for name in larger if name[1]}
    return found


def _has_one_of(words: set[str], text: str) -> bool:
    return not words.isdisjoint(_WORD.findall(text))


def _words_elsewhere(entity_type: str, value: str) -> Iterable[str]:
    """Return words of a value that name another thing, which matters if they are surnames, too."""
    if entity_type in NAMES:
        who = person(value)
        alike = who is None or not (who.given or entity_type in PERSONS)
    else:
        alike = entity_type in NAMED_ALIKE
    return re.findall(r"\w+", fold_value(value)) if alike else ()


Asked = tuple[str, str]
"""A name, behind the kind of things among which it is looked for."""


def _names(entity_type: str, value: str) -> Iterator[Asked]:
    """Yield the names under which `Aliases` finds a value, or learns that they are ambiguous."""
    who = person(value) if entity_type in NAMES else None
    if who and who.given:
        first, family = who.given[0], who.family
        every = [family, f"{first[0]} {family}", f"{first} {family[0]}"]
        for part in parts_of_user_names(who.given):
            every += (part + family, family + part)
        yield from (("person", name) for name in every)
    yield from (("organization", name) for name in _short_names(entity_type, value))
    if entity_type in PHRASES:
        yield from (("phrase", value), ("phrase", _ends(value)))
    if entity_type in ADDRESSES:
        words = value.split()
        yield from (("address", " ".join(words[:size])) for size in range(3, len(words)))


def surnames(values: Iterable[Value]) -> set[str]:
    """Return the surnames in some values, which a bare one in a document may mean."""
    persons = (person(value) for entity_type, value in values if entity_type in NAMES)
    return {who.family for who in persons if who}


def bare_surnames(spelled: Iterable[tuple[str, Iterable[str]]], families: set[str]) -> set[str]:
    """Return the spellings that are one of some surnames without a given name, perhaps titled.

    Args:
        spelled: values of persons, each with its spellings.
    """
    words = {word for family in families for word in _WORD.findall(family)}
    near = (own for value, own in spelled if _has_one_of(words, value))
    return {one for own in near for one in own if _surname_alone(one) in families}


def _surname_alone(spelling: str) -> str:
    """Return the surname that stands alone; "" if a given name is there, or no name at all."""
    who = person(name(spelling))
    return who.family if who and not who.given else ""


def _asked_names(
    entity_type: str, value: str, short: Container[str], taken: Container[str]
) -> Iterator[Asked]:
    """Yield the names by which `Aliases.meaning` looks for what a value means.

    Args:
        short: the short names of organizations; no other name can mean one, whoever else bears it.
        taken: names that both corpora have for something else: such a short name means none.
    """
    if entity_type in PHRASES:
        single = other_number(value) if value.endswith("s") else ""
        yield from (("phrase", name) for name in (single, _ends(value), _ends(single)))
    if entity_type in ORGANIZATION_TYPES:
        name, *wholes = names_to_resolve(value)
        own = wholes or ([] if name in taken else [name])
        yield from (("organization", one) for one in own if one in short)
    if entity_type in ADDRESSES:
        yield "address", value
    yield from (("person", name) for name in _asked_persons(entity_type, value))


def _asked_persons(entity_type: str, value: str) -> Iterator[str]:
    """Yield the names of persons by which it looks."""
    if entity_type in MAILBOXES:
        words = re.split(r"[._-]+", value.partition("@")[0].partition("+")[0])
        yield from (words[0], f"{words[0][:1]} {words[-1]}", f"{words[-1][:1]} {words[0]}")
    who = person(value) if entity_type in NAMES else None
    if who and who.given:
        yield from (f"{who.given[0][0]} {who.family}", value)
    elif who:
        yield who.family


def _ends(phrase: str) -> str:
    """Return the first and the last word of a phrase, by which longer ones are found."""
    words = phrase.split()
    return f"{words[0]} … {words[-1]}" if len(words) > 1 else ""
