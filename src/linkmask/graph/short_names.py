"""Lists the short names of a person, and the facts in a corpus on which they depend."""

from __future__ import annotations

from linkmask import schema
from linkmask.graph.names import lone_surname, person, usual_titles

PERSONS = schema.types_of("person")

USER = 7
"""Smallest length of a user name made of an initial and a surname ("obrandvold") that is searched
for; shorter ones may be words."""
TITLED, INITIALLED, ABBREVIATED, SURNAME, DISTINCTIVE = "tiasd"
"""Facts about a full name in a corpus: it is the only one with its surname ("Dr. Vargas" then means
it); the only one with surname and initial; the only one with its given name and the initial of its
surname ("Elena V."); its bare surname names no other thing; its bare surname is that of one
person."""


def short_forms(facts: str, entity_type: str, value: str) -> list[str]:
    """Return the short names of a full name with these facts, which mean nobody else."""
    who = person(value)
    if who is None or not who.given or len(who.given[0]) == 1:
        return []
    first, initial = who.given[0], who.given[0][0]
    short: list[str] = []
    if TITLED in facts:
        short += [f"{title} {who.family}" for title in usual_titles()]
    if INITIALLED in facts:
        short += [f"{initial}. {who.family}", f"{who.family}, {initial}."]
        short += _user_names(initial, who.family)
        if len(who.given) > 1:
            short.append(f"{first} {who.family}")
    if entity_type in PERSONS:
        given = " ".join(who.given)
        short += [f"{who.family}/{given}", f"{given}/{who.family}"]
        if ABBREVIATED in facts:
            short.append(f"{first} {who.family[0]}.")
        if DISTINCTIVE in facts:
            short.append(who.family.title() if who.family.isalpha() else who.family)
    return short


def _user_names(initial: str, family: str) -> list[str]:
    """Return how an initial and a surname make a user name, if it can't be a word."""
    if len(initial + family) < USER or not family.isalpha() or not lone_surname(family):
        return []
    return [initial + family, family + initial, f"{initial}.{family}"]
