"""Adds documents to a corpus, and reads from the masks which values it holds.

What is masked depends on the corpus: a value that other documents share links them, so it is masked
where a value that nobody shares may stay. Each value of a person is asked twice, in a line of its
own: while the person's documents are in the corpus, and while they are not. So present and absent
values have the same form.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from linkmask.records import Document
from linkmask.testbench.attacks.base import AttackTarget, Raw, row_of
from linkmask.testbench.corpus import BenchCorpus, without_persons
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.measures import auc
from linkmask.testbench.synthetic_values import vocabulary

PLAIN = "This is about {}."
"""The line for a type that the vocabulary has no sentence for."""
PARTS = 4
"""Parts of the persons; each is left out of the corpus once."""
ROUNDS = 3 * PARTS
"""Rounds of an attacker who adds few lines at a time, over all parts."""
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


class Round(NamedTuple):
    """Lines that are added at once, and the corpus with these lines behind its documents."""

    probes: Sequence[Probe]
    builder: DefenceBuilder

    def answers(self, texts: Sequence[str]) -> list[float]:
        """Return for each line 1 where its value was masked; `texts` are of the whole corpus."""
        both = zip(self.probes, texts[-len(self.probes) :], strict=True)
        return [float(probe.value.casefold() not in text.casefold()) for probe, text in both]


def oracle(target: AttackTarget, rounds: int = PARTS, person: bool = False) -> Raw:
    """Add a line for each value and say "it is in the corpus" where it comes back masked.

    The lines of a round are added at once, so that a value's line also meets the other lines. By
    person: `members` and `others`, 1 where the value was masked. Over all: the AUC by type.

    Args:
        rounds: into how many rounds the lines are divided, over all parts; a multiple of `PARTS`.
        person: whether a line also says the age of somebody.
    """
    probes, answers = list[Probe](), list[float]()
    for one in rounds_of(target.builder, rounds, person):
        probes += one.probes
        answers += one.answers(target.remade(one.builder).texts)
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


def by_type(probes: Sequence[Probe], answers: Sequence[float]) -> dict[str, float | None]:
    """Return the AUC of the answers for each type of value."""
    found: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for probe, answer in zip(probes, answers, strict=True):
        found[probe.type][not probe.member].append(answer)
    return {f"auc {kind}": auc(*found[kind]) for kind in sorted(found)}


@lru_cache(maxsize=3)
def rounds_of(builder: DefenceBuilder, rounds: int, person: bool = False) -> list[Round]:
    """Return the rounds of an attack.

    Person number n belongs to part n modulo `PARTS`. Without a part, its values are asked, which
    are then absent, and those of the next part, which are present.
    """
    corpus, found = builder.corpus, list[Round]()
    if len(corpus.persons) < 2:
        return found
    parts = min(PARTS, len(corpus.persons))
    values = [values_of(corpus, part, parts) for part in range(parts)]
    for part in range(parts):
        members = [replace(one, member=True) for one in values[(part + 1) % parts]]
        probes = sorted([*values[part], *members], key=lambda probe: (probe.value, probe.person))
        less = without_persons(corpus, range(part, len(corpus.persons), parts))
        for number in range(rounds // PARTS):
            if own := probes[number :: rounds // PARTS]:
                found.append(Round(own, with_lines(builder, less, own, person)))
    return found


def values_of(corpus: BenchCorpus, part: int, parts: int) -> list[Probe]:
    """Return a probe for each value that documents of a part's persons hold, and no others."""
    members, found = range(part, len(corpus.persons), parts), dict[tuple[str, str], Probe]()
    others = without_persons(corpus, members).texts
    for number in members:
        person = corpus.persons[number]
        own = [corpus.documents[d].content for d in person.documents]
        held, elsewhere = (
            {n for text in some for n in person.read(text)} for some in (own, others)
        )
        for n in sorted(held - elsewhere):
            kind, value = person.types[n], person.values[n]
            found.setdefault((kind, value.casefold()), Probe(number, value, kind, member=False))
    return list(found.values())


def with_lines(
    builder: DefenceBuilder, corpus: BenchCorpus, probes: Sequence[Probe], person: bool
) -> DefenceBuilder:
    """Return a corpus with a line for each probe behind its documents."""
    ages = [f" Patient is {YOUNGEST + n} years old." if person else "" for n in range(len(probes))]
    added = tuple(
        Document(f"added-{n}", probe.text + age)
        for n, (probe, age) in enumerate(zip(probes, ages, strict=True))
    )
    larger = replace(
        corpus,
        documents=(*corpus.documents, *added),
        cluster=(*corpus.cluster, *(len(corpus.persons) for _ in added)),
        digest=f"{corpus.digest}+{len(added)}",
    )
    return DefenceBuilder(larger, builder.seed, builder.models, builder.presidio)
