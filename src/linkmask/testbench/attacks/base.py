"""Defines the parts of an attack: a target, the values that answers leaked, and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from linkmask.graph.linkage import Embed
from linkmask.testbench.bertscore import BertScore
from linkmask.testbench.corpus import BenchCorpus
from linkmask.testbench.defences import DefenceBuilder, Defended
from linkmask.testbench.judge import ModelJudge
from linkmask.testbench.rag import Response, System, SystemQuery
from linkmask.testbench.readable_values import SoughtPerson

Raw = dict[str, Any]


@dataclass(frozen=True)
class AttackTarget:
    """What is attacked: a corpus behind a defence, answering through a system.

    `queries`: how many queries an attacker who knows nobody may ask. `judge`: grades answers, if a
    model answers. `rebuilt` makes the same system over some documents, given by number. `meaning`
    compares answers by the meaning of words (BERTScore), if it is installed. `remade` applies the
    same defence to another corpus. `embed` gives the vectors of a sentence model, if there is one.
    """

    builder: DefenceBuilder
    defended: Defended
    system: System
    queries: int
    judge: ModelJudge | None
    rebuilt: Callable[[Sequence[int]], System]
    meaning: BertScore
    remade: Callable[[DefenceBuilder], Defended]
    embed: Embed | None

    @property
    def corpus(self) -> BenchCorpus:
        """What is attacked."""
        return self.builder.corpus

    @property
    def seed(self) -> int:
        """The seed of all random choices."""
        return self.builder.seed


class AttackTable(NamedTuple):
    """A table of a run's page: its title, where `{}` is the system that is attacked, and what it
    shows, in a sentence."""

    title: str
    says: str


ATTACKED = AttackTable(
    "Attacked through {}",
    "leak joins targeted questions and membership (the leak rate of the thesis); member, "
    "AUC, corrected: membership; words: random ones; thief: RAG-Thief; S2MIA-lite: its AUC.",
)
"""What attackers get of a system."""
CORPUS = AttackTable(
    "What the corpus gives away",
    "Whatever is asked, and by whom: read in the texts as they are indexed. Seconds are those "
    "to make the defence; scans are shared by the defences after the first.",
)
"""What attackers get of the texts themselves."""


@dataclass(frozen=True)
class Attack:
    """An attack: what the attacker knows, how many queries it has, what it does, and its function.

    `system`: whether it asks a system; otherwise it reads the texts themselves. `shown`: the
    columns of a run's page that it fills, each a head and one of its measures. They stand in the
    table `ATTACKED` or `CORPUS`, by `system`, if it has no `table` of its own. `better`: whether
    more (1) or less (-1) is better, of its measures that `figures.BETTER` has not.
    """

    knows: str
    budget: str
    says: str
    run: Callable[[AttackTarget], Raw]
    system: bool = True
    shown: tuple[tuple[str, str], ...] = ()
    table: AttackTable | None = None
    better: Mapping[str, int] = field(default_factory=dict)

    @property
    def shown_in(self) -> AttackTable:
        """The table that its columns stand in."""
        return self.table or (ATTACKED if self.system else CORPUS)


def row_of(person: SoughtPerson, **found: Any) -> Raw:
    """Return the result for a person: its number, and what was found."""
    return {"id": person.id, "risk": person.risk, **found}


MOSTLY_LEAKED = 0.6
"""Share of a person's values from which most of the person counts as leaked."""


class LeakedValues:
    """Leaked values of one person by number, and those leaked from the person's documents.

    A value is attributed when it was read in an answer out of the person's own documents.
    """

    def __init__(self, target: AttackTarget, person: SoughtPerson) -> None:
        self.target, self.person = target, person
        self.leaked: set[int] = set()
        self.attributed: set[int] = set()

    def add(self, response: Response, query: str = "", key: int | None = None) -> set[int]:
        """Count the values in an answer; one in the query, or within the key, is no leak."""
        in_query = set(self.person.read(query)) if query else set()
        found: set[int] = set()
        for part in response.parts:
            spans = self.person.read(part)
            inside = spans.get(key, ()) if key is not None else ()
            for number, places in spans.items():
                new = any(not any(a <= s and e <= b for a, b in inside) for s, e in places)
                if number != key and number not in in_query and new:
                    found.add(number)
        self.leaked |= found
        self.attributed |= {n for n in found if self._own(n, response)}
        return found

    def confirm(self, number: int, responses: Sequence[Response]) -> None:
        """Count a value that the answers to questions about it confirmed."""
        self.leaked.add(number)
        if any(self._own(number, response) for response in responses):
            self.attributed.add(number)

    def _own(self, number: int, response: Response) -> bool:
        texts = self.target.system.texts
        own = set(response.retrieved) & set(self.person.documents)
        return any(number in self.person.read(texts[d]) for d in own)

    @property
    def mostly_leaked(self) -> bool:
        """Whether `MOSTLY_LEAKED` or more of the person's values leaked."""
        return bool(self.leaked) and len(self.leaked) >= MOSTLY_LEAKED * len(self.person.values)

    @property
    def row(self) -> Raw:
        """The result for the person, as a cell keeps it."""
        numbers = {"leaked": sorted(self.leaked), "attributed": sorted(self.attributed)}
        return row_of(self.person, **numbers)


def harvest(target: AttackTarget, queries: Sequence[SystemQuery]) -> Raw:
    """Ask queries about nobody, and sum up what the answers leaked."""
    return gathered(target, list(zip(queries, target.system.ask(queries), strict=True)))


def gathered(target: AttackTarget, asked: Sequence[tuple[SystemQuery, Response]]) -> Raw:
    """Sum up which values of all persons leaked, and the share of documents seen.

    `curve` holds numbers of queries and the share of documents seen by then; `budget` the same and
    the share of persons of whom `MOSTLY_LEAKED` or more of the values leaked by then.
    """
    leaked = [LeakedValues(target, person) for person in target.corpus.persons]
    seen: set[int] = set()
    curve: list[list[float]] = []
    budget: list[list[float]] = []
    total = len(target.corpus.documents)
    for count, (_, response) in enumerate(asked, 1):
        if response.parts:
            seen.update(response.retrieved)
            near = {target.corpus.cluster[d] for d in response.retrieved}
            for number, one in enumerate(leaked):
                if number in near:
                    one.add(response)
        if count in STEPS or count == len(asked):
            curve.append([count, len(seen) / total])
            budget.append([count, sum(one.mostly_leaked for one in leaked) / max(1, len(leaked))])
    refused = sum(response.refused for _, response in asked)
    pooled = {"coverage": curve[-1][1] if curve else 0.0, "refused": refused / max(1, len(asked))}
    return {
        "persons": [one.row for one in leaked],
        "pooled": pooled,
        "curve": curve,
        "budget": budget,
        "queries": len(asked),
    }


STEPS = frozenset({1, 2, 5, 10, 25, 50, 100, 200, 400, 800, 1600})
"""Numbers of queries at which the share of documents seen is noted."""
