"""Finds the values whose facts may have changed after other values were added or removed.

`Aliases.facts` of a person depend on values that share a word with the surname; those of an
organization, on values that share a word with its name, or its initials. So after a small change of
a large corpus nearly all facts are unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from linkmask.graph.entities import NAMED_ALIKE
from linkmask.graph.names import NAMES, person
from linkmask.graph.organizations import (
    ORGANIZATION_TYPES,
    ambiguous_names,
    short_names,
    words_of_name,
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
    words = {word for one in changed for word in _affecting_words(*one)} - {""}

    def affected(entity_type: str, value: str) -> bool:
        if entity_type in ORGANIZATION_TYPES and (names := short_names(value)) is not None:
            own = (word for name in (*names.own, names.initials) for word in name.split())
            if not words.isdisjoint(own):
                return True
        who = person(value) if entity_type in NAMES else None
        return who is not None and bool(who.given) and not words.isdisjoint(who.family.split())

    return affected


def _affecting_words(entity_type: str, value: str) -> Iterable[str]:
    """Yield the words by which a value may change the facts of another."""
    who = person(value) if entity_type in NAMES else None
    if who and who.given:
        yield from who.family.split()
    elif entity_type in NAMES:
        yield from value.split()
    elif entity_type in NAMED_ALIKE:
        yield from re.findall(r"\w+", fold_value(value))
    for name in ambiguous_names(entity_type, value):
        yield from name.split()
    if entity_type in ORGANIZATION_TYPES and (names := short_names(value)) is not None:
        yield from words_of_name(value)
        yield names.initials
