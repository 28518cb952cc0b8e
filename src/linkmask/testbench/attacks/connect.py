"""Computes which triples of a corpus are still readable, and which ends are still connected.

These are the measures of Eraser4RAG, for any defence. Triples and their private share are those of
`eraser-lite`. They are searched for in the masked texts by the spellings of their values, without
the detector that found them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from linkmask.testbench.attacks.base import AttackTable, AttackTarget, Raw, row_of
from linkmask.testbench.defences.eraser import Erased, erased_of
from linkmask.testbench.defences.triples import Graph, Place, Triple, within

CONNECTED = AttackTable(
    "What goes with what",
    "Values that one sentence brings together, told apart as eraser-lite does: what of it can "
    "still be read in the texts, and which private ends are still connected by others.",
)


def connect(target: AttackTarget) -> Raw:
    """Read the masked texts for triples.

    `r_pri`, `r_pub`: share of private and public triples with head and tail in one sentence of the
    same document still. `r_connect`: share of private ones whose ends are still connected, by any
    values that stand together anywhere. A triple counts for the person of its first document.
    """
    erased, texts = erased_of(target.builder), target.defended.texts
    readable = [set(within(text, _places(erased, n, text))) for n, text in enumerate(texts)]
    graph = Graph(triple for found in readable for triple in sorted(found))
    private, public = erased.private_and_public
    rows = []
    for number, person in enumerate(target.corpus.persons):
        mine, others = (_of(number, some, target, erased) for some in (private, public))
        rates = {
            "r_pri": _share(mine, [t for t in mine if _stands(t, erased, readable)]),
            "r_pub": _share(others, [t for t in others if _stands(t, erased, readable)]),
            "r_connect": _share(mine, [t for t in mine if graph.connected(t.head, t.tail)]),
        }
        rows.append(row_of(person, rates=rates))
    return {"persons": rows}


def _places(erased: Erased, number: int, text: str) -> list[Place]:
    """Return where the values of a document are read in its masked text."""
    name = erased.builder.corpus.documents[number].id
    things = dict.fromkeys((m.type, m.value) for m in erased.mentions[name])
    return [
        (*match.span(), thing) for thing in things for match in erased.looks[thing].finditer(text)
    ]


def _of(
    number: int, triples: Iterable[Triple], target: AttackTarget, erased: Erased
) -> list[Triple]:
    cluster = target.corpus.cluster
    return [t for t in triples if cluster[erased.triples[t][0]] == number]


def _stands(triple: Triple, erased: Erased, readable: list[set[Triple]]) -> bool:
    """Tell whether head and tail still stand together in a document that held them."""
    ends = {triple.head, triple.tail}
    return any({t.head, t.tail} == ends for d in erased.triples[triple] for t in readable[d])


def _share(of: Collection[Triple], found: Collection[Triple]) -> float | None:
    return len(found) / len(of) if of else None
