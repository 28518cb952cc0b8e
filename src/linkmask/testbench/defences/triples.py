"""Finds triples of a corpus, and which of them are private (Eraser4RAG's graph).

A triple is (head, relation, tail). Where a sentence names a person or the number of a case, that is
the head and the type of any other value there the relation; other values of one sentence go
together. Found by rules, where the authors use a relation extractor.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from linkmask.records import CONTENT, Document, Mention
from linkmask.testbench.generators import sentences
from linkmask.testbench.type_tables import TABLES

ANCHORS: Sequence[str] = TABLES["triples"]["heads"]
"""Types whose values are heads, the first first."""
TOGETHER = "TOGETHER"
"""Relation of two values of which neither is a head."""
PRIVATE = 0.25
"""Share of triples that are drawn as private at first."""

Thing = tuple[str, str]
"""Type and value of an entity."""

Place = tuple[int, int, Thing]
"""Where an entity stands: begin, end, and what it is."""
Needed = Sequence[tuple[Sequence[Thing], Sequence[Thing]]]
"""For each question the entities it names, and those of its answer."""


@dataclass(frozen=True, order=True)
class Triple:
    """A head, a relation and a tail."""

    head: Thing
    relation: str
    tail: Thing


def triples_of(
    documents: Sequence[Document],
    mentions: Mapping[str, Sequence[Mention]],
) -> dict[Triple, list[int]]:
    """Return the triples of a corpus with the numbers of the documents that hold them.

    One relation per pair of entities in a document; over the corpus one tail per head and
    relation, the first; no tail that is a part of its head.
    """
    found: dict[Triple, list[int]] = {}
    first: dict[tuple[Thing, str], Thing] = {}
    for number, document in enumerate(documents):
        pairs: set[frozenset[Thing]] = set()
        for triple in within(document.content, _places(mentions[document.id])):
            pair = frozenset((triple.head, triple.tail))
            if pair in pairs or triple.tail[1] in triple.head[1]:
                continue
            pairs.add(pair)
            if first.setdefault((triple.head, triple.relation), triple.tail) == triple.tail:
                found.setdefault(triple, []).append(number)
    return found


def _places(mentions: Sequence[Mention]) -> list[Place]:
    return [(m.start, m.end, (m.type, m.value)) for m in mentions if m.field == CONTENT]


def within(text: str, places: Iterable[Place]) -> Iterator[Triple]:
    """Yield the triples of a text, sentence by sentence, from where its entities stand.

    A value is in the sentence that it ends in: "Ms." may have been taken for an end.
    """
    here = sorted(places)
    for start, end in sentences(text):
        things = list(dict.fromkeys(t for _, last, t in here if start < last <= end))
        heads = [thing for kind in ANCHORS for thing in things if thing[0] == kind]
        if heads:
            for head in heads:
                yield from (Triple(head, t[0], t) for t in things if t != head)
        else:
            yield from (Triple(a, TOGETHER, b) for a, b in combinations(things, 2))


class Graph:
    """Which entities are connected by triples."""

    def __init__(self, triples: Iterable[Triple] = ()) -> None:
        self._over: dict[Thing, Thing] = {}
        for triple in triples:
            self.join(triple.head, triple.tail)

    def _top(self, thing: Thing) -> Thing:
        while (over := self._over.get(thing, thing)) != thing:
            self._over[thing] = self._over.get(over, over)
            thing = over
        return thing

    def join(self, a: Thing, b: Thing) -> None:
        """Connect two entities."""
        self._over[self._top(a)] = self._top(b)

    def would_connect(self, triple: Triple, pairs: Needed) -> bool:
        """Tell whether a triple would connect what a question is about with its answer."""
        ends = {self._top(triple.head), self._top(triple.tail)}
        ways = ({self._top(a), self._top(b)} for asked, told in pairs for a in asked for b in told)
        return any(way <= ends for way in ways)

    def connected(self, a: Thing, b: Thing) -> bool:
        """Tell whether a path leads from one entity to the other."""
        return self._top(a) == self._top(b)


def split(
    triples: Sequence[Triple],
    rng: random.Random,
    needed: Needed = (),
    *,
    exact: bool = False,
) -> tuple[list[Triple], list[Triple]]:
    """Tell private triples from public ones.

    A share is drawn; none that would connect what a question is about with its answer. What tells
    the same, or lies between ends that private triples connect already, becomes private too, until
    nothing changes. A private triple whose ends the public ones connect anyway is given up.

    Args:
        needed: what must stay unconnected in the private graph, or nobody answers it.
        exact: entities match when equal; else also when one is a part of the other (the authors').

    Returns:
        The private ones and the public ones.
    """
    graph, private = Graph(), Private(exact)
    for triple in rng.sample(list(triples), int(PRIVATE * len(triples))):
        if not graph.would_connect(triple, needed):
            private.add(triple)
            graph.join(triple.head, triple.tail)
    while more := [
        t
        for t in triples
        if t not in private and (graph.connected(t.head, t.tail) or private.says(t))
    ]:
        for triple in more:
            private.add(triple)
            graph.join(triple.head, triple.tail)
    public = Graph(t for t in triples if t not in private)
    kept = {t for t in triples if t in private and not public.connected(t.head, t.tail)}
    return [t for t in triples if t in kept], [t for t in triples if t not in kept]


class Private:
    """Private triples by their ends and relation."""

    def __init__(self, exact: bool) -> None:
        self._exact = exact
        self._heads: dict[tuple[str, Thing], list[Thing]] = {}
        self._known: set[Triple] = set()

    def __contains__(self, triple: Triple) -> bool:
        return triple in self._known

    def add(self, triple: Triple) -> None:
        """Add a triple."""
        self._known.add(triple)
        self._heads.setdefault((triple.relation, triple.tail), []).append(triple.head)

    def says(self, triple: Triple) -> bool:
        """Tell whether a private triple has the same relation and tail, and a matching head."""
        heads = self._heads.get((triple.relation, triple.tail), ())
        return any(matches(triple.head, head, exact=self._exact) for head in heads)


def matches(a: Thing, b: Thing, *, exact: bool) -> bool:
    """Tell whether two entities count as one."""
    return a[1] == b[1] or (not exact and (a[1] in b[1] or b[1] in a[1]))
