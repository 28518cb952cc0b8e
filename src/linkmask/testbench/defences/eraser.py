"""Erases private triples, and those that imply them, by rules (the idea of Eraser4RAG).

Triples are found by rules (`triples`), and a private tail is replaced by its relation to the head;
the authors train a model to rewrite. All else stays.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from linkmask.records import CONTENT, Mention
from linkmask.testbench.defences.base import Defended
from linkmask.testbench.defences.builder import DefenceBuilder
from linkmask.testbench.defences.triples import Needed, Thing, Triple, split, triples_of
from linkmask.testbench.readable_values import pattern


@dataclass(frozen=True)
class Erased:
    """The private and public triples of a corpus, the same for the defence and its measure."""

    builder: DefenceBuilder

    @cached_property
    def mentions(self) -> Mapping[str, Sequence[Mention]]:
        """What was detected, by document."""
        return dict(self.builder.scan("embedded").job.run.by_document("mentions"))

    @cached_property
    def triples(self) -> dict[Triple, list[int]]:
        """Triples with the numbers of the documents that hold them."""
        return triples_of(self.builder.corpus.documents, self.mentions)

    @cached_property
    def looks(self) -> dict[Thing, re.Pattern[str]]:
        """How each entity is read in a text, as it was written anywhere."""
        written: dict[Thing, dict[str, None]] = {}
        for mentions in self.mentions.values():
            for m in mentions:
                written.setdefault((m.type, m.value), {})[m.original] = None
        return {thing: pattern(thing[0], *ways) for thing, ways in written.items()}

    @cached_property
    def private_and_public(self) -> tuple[list[Triple], list[Triple]]:
        """The private ones and the public ones."""
        rng = random.Random(f"{self.builder.seed}/eraser")
        return split(sorted(self.triples), rng, self.needed)

    @cached_property
    def needed(self) -> Needed:
        """What each question of the corpus names, and what its answer does."""
        corpus = self.builder.corpus
        found = []
        for asked in corpus.questions:
            here = [corpus.documents[d].id for d in corpus.persons[asked.person].documents]
            things = {(m.type, m.value): m.original for name in here for m in self.mentions[name]}
            question = asked.question
            found.append((_named_things(things, question.q), _named_things(things, question.a)))
        return found


@lru_cache(maxsize=1)
def erased_of(builder: DefenceBuilder) -> Erased:
    """Return the triples of a corpus; those asked for last are remembered."""
    return Erased(builder)


def _named_things(known: Mapping[Thing, str], text: str) -> list[Thing]:
    folded = text.casefold()
    return [thing for thing, original in known.items() if original.casefold() in folded]


def eraser(builder: DefenceBuilder) -> Defended:
    """Erase the tails of private triples in the documents that hold them."""
    erased = erased_of(builder)
    gone: dict[int, set[Thing]] = {}
    for triple in erased.private_and_public[0]:
        for document in erased.triples[triple]:
            gone.setdefault(document, set()).add(triple.tail)
    texts, characters = list(builder.corpus.texts), 0
    for number, things in gone.items():
        name = builder.corpus.documents[number].id
        here = [m for m in erased.mentions[name] if (m.type, m.value) in things]
        texts[number], count = _without(texts[number], here)
        characters += count
    private, public = erased.private_and_public
    return Defended(
        texts,
        entities=len(set().union(*gone.values())),
        entities_of=len({end for t in erased.triples for end in (t.head, t.tail)}),
        characters=characters,
        notes={"private": float(len(private)), "public": float(len(public))},
    )


def _without(text: str, mentions: Sequence[Mention]) -> tuple[str, int]:
    """Return a text with values replaced by what they are, and the characters written over."""
    parts, last, count = [], 0, 0
    for m in sorted((m for m in mentions if m.field == CONTENT), key=lambda m: m.start):
        parts += [text[last : m.start], f"the {m.type.replace('_', ' ').lower()}"]
        last, count = m.end, count + m.end - m.start
    return "".join([*parts, text[last:]]), count
