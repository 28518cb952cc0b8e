"""Finds the values whose facts may have changed after other values were added or removed.

`Aliases.facts` of a person depend on values that share a word with the surname, or the given name
and the surname's initial; those of an organization, on values that may bear one of its short names,
whole. So after a small change of a large corpus nearly all facts are unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from linkmask.graph.full_names import NAMED_ALIKE
from linkmask.graph.names import NAMES, Person, person
from linkmask.graph.organizations import (
    ORGANIZATION_TYPES,
    ambiguous_names,
    short_names,
)
from linkmask.text.letters import fold_value

Value = tuple[str, str]
"""Type and value."""


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
    if entity_type in ORGANIZATION_TYPES and (names := short_names(value)) is not None:
        yield from names.starts
        yield names.initials
