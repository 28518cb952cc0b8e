"""Adds documents to a corpus, and reads from the masks which values it holds.

What is masked depends on the corpus: a value that other documents share links them, so it is masked
where a value that nobody shares may stay. One line is added for each value of each person that the
corpus holds, and one for a value of the same type that it does not hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from linkmask.records import Document
from linkmask.testbench.attacks.base import AttackTarget, Raw, row_of
from linkmask.testbench.attacks.known_values import absent_of
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.measures import auc
from linkmask.testbench.synthetic_values import vocabulary

PLAIN = "This is about {}."
"""The line for a type that the vocabulary has no sentence for."""
ROUNDS = 12
"""Rounds of an attacker who adds few lines at a time."""
YOUNGEST = 20
"""Age in the first line of a round of an attacker who also says ages; each further one is older."""


@dataclass(frozen=True)
class Probe:
    """An added line: its person, its value, the value's type, and whether the corpus holds it."""

    person: int
    value: str
    type: str
    member: bool

    @property
    def text(self) -> str:
        """The line."""
        sentences: Sequence[str] = vocabulary("en")["sentences"].get(self.type, [PLAIN])
        return sentences[0].format(self.value)


def oracle(target: AttackTarget, rounds: int = 1, person: bool = False) -> Raw:
    """Add a line for each value and say "it is in the corpus" where it comes back masked.

    The lines of a round are added at once, so that a value's line also meets the other lines. By
    person: `members` and `others`, 1 where the value was masked. Over all: the AUC by type.

    Args:
        rounds: into how many rounds the lines are divided.
        person: whether a line also says the age of somebody.
    """
    probes, answers = probes_of(target.builder), list[float]()
    for number in range(rounds):
        own = tuple(of_round(probes, number, rounds))
        builder = with_lines(target.builder, own, person)
        texts = target.remade(builder).texts[-len(own) :] if own else []
        both = zip(own, texts, strict=True)
        answers += [float(probe.value.casefold() not in text.casefold()) for probe, text in both]
    probes = [probe for n in range(rounds) for probe in of_round(probes, n, rounds)]
    rows = []
    for number, who in enumerate(target.corpus.persons):
        mine = [
            (probe, answer)
            for probe, answer in zip(probes, answers, strict=True)
            if probe.person == number
        ]
        answered = {
            name: [answer for probe, answer in mine if probe.member is inside]
            for name, inside in (("members", True), ("others", False))
        }
        rows.append(row_of(who, **answered))
    return {"persons": rows, "pooled": by_type(probes, answers)}


def of_round(probes: Sequence[Probe], number: int, rounds: int) -> Sequence[Probe]:
    """Return the probes of a round: a value and the absent one of its type stay together."""
    return [probe for n, probe in enumerate(probes) if n // 2 % rounds == number]


def by_type(probes: Sequence[Probe], answers: Sequence[float]) -> dict[str, float | None]:
    """Return the AUC of the answers for each type of value."""
    found: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for probe, answer in zip(probes, answers, strict=True):
        found[probe.type][not probe.member].append(answer)
    return {f"auc {kind}": auc(*found[kind]) for kind in sorted(found)}


@lru_cache(maxsize=1)
def probes_of(builder: DefenceBuilder) -> list[Probe]:
    """Return a probe for each value that a person's documents hold, each before an absent one."""
    corpus = builder.corpus
    probes = []
    for number, (person, absent) in enumerate(zip(corpus.persons, absent_of(builder), strict=True)):
        held = {n for d in person.documents for n in person.read(corpus.documents[d].content)}
        for n in sorted(held):
            kind = person.types[n]
            probes.append(Probe(number, person.values[n], kind, member=True))
            probes.append(Probe(number, absent[n], kind, member=False))
    return probes


@lru_cache(maxsize=2 * ROUNDS)
def with_lines(
    builder: DefenceBuilder, probes: tuple[Probe, ...], person: bool = False
) -> DefenceBuilder:
    """Return the corpus with a line for each probe behind its documents."""
    corpus = builder.corpus
    ages = [f" Patient is {YOUNGEST + n} years old." if person else "" for n in range(len(probes))]
    added = tuple(
        Document(f"added-{n}", probe.text + age)
        for n, (probe, age) in enumerate(zip(probes, ages, strict=True))
    )
    larger = replace(
        corpus,
        documents=(*corpus.documents, *added),
        cluster=(*corpus.cluster, *(probe.person for probe in probes)),
        digest=f"{corpus.digest}+{len(added)}",
    )
    return DefenceBuilder(larger, builder.seed, builder.models, builder.presidio)
