"""Defines a mention, what found it, and the table of all mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from linkmask.records.arrays import Floats, Ints
from linkmask.records.entity_ids import entity_id


class Why(msgspec.Struct, frozen=True, gc=False):
    """What found a mention: detector, rule within it, and its confidence in [0, 1]."""

    detector: str
    rule: str = ""
    score: float = 1.0


class CapitalizedSpelling(str):
    """A spelling that counts only where it begins with a capital, such as a bare surname."""

    __slots__ = ()


class Mention(msgspec.Struct, frozen=True, gc=False):
    """A span of one field of one document that says something about somebody.

    `text[start:end] == original`. `value` is the normalized form shared by all spellings of one
    thing. `relevance` in [0, 1]: how much this value, in this document, helps to identify the
    person the document is about. `person`: type and value of a name that the value also states,
    as `marta.kowalczyk@example.org` states one.
    """

    document: str
    field: str
    start: int
    end: int
    type: str
    original: str
    value: str
    relevance: float
    why: Why
    person: tuple[str, str] | None = None

    @property
    def entity(self) -> str:
        """The id of the entity this mention belongs to."""
        return entity_id(self.value, self.type)

    def entity_spellings(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the entities of the mention, its own and its person's: (value, type) and spelling.

        The person's spelling is the name in the address. If the address has one word alone
        ("marta@…"), it is the full name, because a single word would be searched for everywhere.
        """
        yield (self.value, self.type), self.original
        if self.person is not None:
            entity_type, value = self.person
            local = self.original.partition("@")[0].partition("+")[0]
            yield (value, entity_type), value if local.isalpha() else local

    def entities(self, separator: str = "::") -> list[str]:
        """Return the ids of the entities of the mention: its own, and its person's."""
        return [entity_id(*one, separator) for one, _ in self.entity_spellings()]


@dataclass(frozen=True, slots=True)
class MentionTable:
    """Mentions as columns, the only form in which millions of them exist.

    Row i says: document `documents[document[i]]` mentions the value `values[value[i]]` of type
    `types[type[i]]` with `relevance[i]`. `documents` lists every document of the corpus in input
    order, also those without a mention; `values` and `types` hold no repeats.
    """

    documents: Sequence[str]
    values: Sequence[str]
    types: tuple[str, ...]
    document: Ints
    value: Ints
    type: Ints
    relevance: Floats

    def __len__(self) -> int:
        return len(self.document)
