"""Makes the people of a generated corpus: what is known of each, and in which documents."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from linkmask.testbench.synthetic_values import unrelated_value
from linkmask.testbench.type_tables import TABLES

ALWAYS: Mapping[str, Sequence[str]] = TABLES["people"]["always"]
"""Types that every person of a risk level shows (formulas.md §13.3)."""

PERHAPS: Mapping[str, Sequence[str]] = TABLES["people"]["perhaps"]
"""Types of which a person shows some."""

SIZES = {"HIGH": (8, 11), "MEDIUM": (5, 6), "LOW": (4, 4)}
"""Fewest and most values of a person."""

OVERLAPS = {"HIGH": 0.8, "MEDIUM": 0.5, "LOW": 0.25}
"""Share of the values that stand in two documents or more, where none is asked for."""

TOPIC: Sequence[str] = TABLES["people"]["topic"]
"""What the persons of a group share."""


@dataclass(frozen=True)
class WritingPlan:
    """What to write.

    `documents`: about how many (a cluster has 4 to 6). `overlap`: share of a person's values that
    stand in several documents; None: by risk level, as the strict checks want it. `persons`: people
    mentioned in a document. `decoys`: further persons on a person's topic.
    """

    documents: int = 200
    language: str = "en"
    overlap: float | None = None
    persons: int = 1
    decoys: int = 0
    jsonl: bool = False
    seed: int = 0


@dataclass
class GeneratedPerson:
    """A person: type → value, and which of their cluster's documents hold which types."""

    facts: dict[str, str]
    risk: str
    places: list[list[str]]
    language: str


def person(
    plan: WritingPlan, rng: random.Random, language: str, topic: dict[str, str]
) -> GeneratedPerson:
    """Draw a person; of the types that the group shares, with the topic's values."""
    risk = rng.choices(("HIGH", "MEDIUM", "LOW"), (0.4, 0.4, 0.2))[0]
    count = rng.randint(*SIZES[risk])
    always = ALWAYS[risk]
    kinds = [*always, *rng.sample(PERHAPS[risk], count - len(always))]
    alike = plan.decoys > 0 or plan.persons > 1
    facts: dict[str, str] = {}
    for kind in kinds:
        value = topic[kind] if alike and kind in topic else unrelated_value(kind, rng, language)
        while _within(value, facts.values()):
            value = unrelated_value(kind, rng, language)
        facts[kind] = value
    overlap = OVERLAPS[risk] if plan.overlap is None else plan.overlap
    about = rng.randint(2, 4)
    return GeneratedPerson(facts, risk, _places(rng, kinds, about, overlap), language)


def _within(value: str, others: Iterable[str]) -> bool:
    """Return whether a value and another hold one another: they could not be told apart."""
    here = value.casefold()
    return any(here in other.casefold() or other.casefold() in here for other in others)


def _places(
    rng: random.Random, kinds: Sequence[str], about: int, overlap: float
) -> list[list[str]]:
    """Say which types stand in which document: a share in two or more, the others in one."""
    shared = set(rng.sample(kinds, round(overlap * len(kinds))))
    places: list[list[str]] = [[] for _ in range(about)]
    for kind in kinds:
        count = rng.randint(2, min(3, about)) if kind in shared else 1
        # The emptiest first, so that no document stays without a value.
        for place in sorted(rng.sample(places, about), key=len)[:count]:
            place.append(kind)
    return places
