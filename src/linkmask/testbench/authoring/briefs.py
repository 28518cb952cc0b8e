"""Writes a brief for each cluster: what the model must write, and must not repeat."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkmask import schema
from linkmask.records import Level
from linkmask.testbench.synthetic_values import unrelated_value
from linkmask.testbench.type_tables import TABLES
from linkmask.testbench.validate import FORBIDDEN, FORMATS

TOPIC = (
    "Comprehensive Health Insurance Ecosystem (Claims, Provider Networks, Patient Journeys, "
    "Research Studies, Policy Changes, News Articles)"
)
"""What clusters are about unless something else is given (formulas.md §13.1)."""

TYPES = tuple(schema.load("thesis").types)
"""The 17 types of the thesis."""

LANGUAGE = {"en": "English", "fr": "French"}

STARTS: Mapping[Level, Sequence[str]] = TABLES["authoring"]["starts"]
"""Types of which a brief gives a value; without them, models write the same story every time."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for.

    `clusters`: how many, each of 4 to 6 documents. `language`: en, fr or both. `strict`: make the
    checks of `validate.STRICT` and ours too, not only the published ones. `at_once`: clusters that
    are written side by side, none of which knows the others. `attempts`: drafts of a cluster before
    it is given up.
    """

    clusters: int = 40
    language: str = "en"
    topic: str = TOPIC
    strict: bool = True
    at_once: int = 1
    attempts: int = 12
    seed: int = 0

    @classmethod
    def of(cls, documents: int, **options: Any) -> Order:
        """Return the order for about so many documents: 5 of each cluster."""
        return cls(clusters=round(documents / 5), **options)


@dataclass(frozen=True, slots=True)
class Brief:
    """A cluster to be written. `start`: values to begin from."""

    number: int
    risk: Level
    documents: int
    formats: tuple[str, ...]
    language: str
    topic: str
    start: tuple[str, ...]

    @property
    def id(self) -> str:
        """The cluster's id."""
        return f"cluster_{self.number}"

    @property
    def stem(self) -> str:
        """The name of the cluster's file, without its ending."""
        return f"cluster_{self.number:02}"

    @property
    def allowed(self) -> tuple[str, ...]:
        """Types that a person of this risk may show (formulas.md §13.3)."""
        return tuple(name for name in TYPES if name not in FORBIDDEN[self.risk])


def briefs(order: Order) -> list[Brief]:
    """Return the briefs of an order: 40 % HIGH, 40 % MEDIUM, the rest LOW, shuffled."""
    part = int(order.clusters * 0.4)
    counts: dict[Level, int] = {"HIGH": part, "MEDIUM": part, "LOW": order.clusters - 2 * part}
    risks = [risk for risk, count in counts.items() for _ in range(count)]
    random.Random(f"{order.seed}/risks").shuffle(risks)
    return [_brief(order, number, risk) for number, risk in enumerate(risks)]


def _brief(order: Order, number: int, risk: Level) -> Brief:
    rng = random.Random(f"{order.seed}/brief/{number}")
    language = rng.choice(sorted(LANGUAGE)) if order.language == "both" else order.language
    documents = rng.randint(4, 6)
    start = tuple(unrelated_value(kind, rng, language) for kind in STARTS[risk])
    formats = tuple(rng.sample(FORMATS, documents))
    return Brief(number, risk, documents, formats, language, order.topic, start)


@dataclass(frozen=True, slots=True)
class Avoid:
    """What a new cluster is asked not to repeat (formulas.md §13.4)."""

    summaries: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    overused: tuple[str, ...] = ()

    def as_lines(self) -> str:
        """Return it as lines of a prompt; empty where there is nothing."""
        lines = []
        if self.summaries:
            lines.append("Don't repeat these latest clusters:")
            lines += [f"- {summary}" for summary in self.summaries]
        if self.conditions:
            lines.append(f"Avoid these conditions: {'; '.join(self.conditions)}")
        if self.overused:
            lines.append(f"Avoid overusing these places and groups: {'; '.join(self.overused)}")
        return "".join(f"{line}\n" for line in lines)


def avoid(earlier: Sequence[dict[str, Any]]) -> Avoid:
    """Return what the latest clusters forbid the next: 5 summaries, 10 values of each type."""

    def latest(listed: str) -> Iterator[str]:
        for kind in TABLES["authoring"][listed]:
            values = [
                value
                for cluster in earlier
                for value, name in cluster["metadata"]["person"]["entities"]
                if name == kind
            ]
            yield from tuple(dict.fromkeys(values[::-1]))[:10]

    summaries = tuple(cluster["metadata"]["content_summary"] for cluster in earlier[-5:])
    return Avoid(summaries, tuple(latest("conditions")), tuple(latest("overused")))
