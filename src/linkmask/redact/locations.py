"""Assigns the mentions of many documents to their places in the concatenated texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from linkmask.errors import RunError
from linkmask.records import CONTENT, Document, Flags, Longs, Mention, entity_id
from linkmask.redact.match import Columns
from linkmask.redact.placeholders import Target
from linkmask.redact.search import SearchResult
from linkmask.redact.splice import Span
from linkmask.redact.value_index import NONE, SEVERAL, Values, column
from linkmask.text.added import label_spans, line_ends

Pair = tuple[Document, Iterable[Mention]]


REMEMBERED = 1 << 20
"""Values whose numbers are remembered."""


class Numbers(Protocol):
    """A mapping from the ids of masked entities to their numbers, such as a dict."""

    def get(self, entity: str, default: int, /) -> int:
        """Return an entity's number, or the default."""

    def __getitem__(self, entity: str, /) -> int: ...


class Fields(NamedTuple):
    """The texts of some documents and the names of their fields, a row each.

    Those of document i are the rows `[first[i], first[i + 1])`; the content comes first. `owners`
    has the document of each row in which readers may have added something (`Document.by_place`).
    """

    names: list[str]
    texts: list[str]
    first: list[int]
    owners: dict[int, Document]

    def added(self, row: int) -> list[tuple[int, int]]:
        """Return the spans of a text that stand nowhere in its file, sorted and disjoint."""
        owner, text = self.owners[row], self.texts[row]
        labels, _ = label_spans(text, owner.labels - owner.repeated)
        return sorted([*labels, *line_ends(text)]) if owner.is_list(self.names[row]) else labels


def fields_of(batch: Sequence[Pair]) -> Fields:
    """Return the texts of some documents, except the fields that are excluded."""
    fields = Fields([], [], [0], {})
    names, texts, first, owners = fields
    for document, _ in batch:
        if document.metadata or document.others:
            own = dict(document.fields())
            names += own
            texts += own.values()
        else:
            names.append(CONTENT)
            texts.append(document.content)
        if document.by_place:
            owners |= dict.fromkeys(range(first[-1], len(texts)), document)
        first.append(len(texts))
    return fields


class LocatedMentions(NamedTuple):
    """Mentions of masked entities, a row each, by document.

    `starts` and `ends` are places in the joined texts, `numbers` those of the entities. `hits`
    says which of the search's hits each one is, −1 where the search did not find it.
    """

    documents: Longs
    starts: Longs
    ends: Longs
    numbers: Longs
    hits: Longs

    def of(self, document: int) -> list[Span]:
        """Return the mentions in one document, sorted."""
        own = slice(*np.searchsorted(self.documents, (document, document + 1)))
        columns = (column[own].tolist() for column in self[1:4])
        return sorted(zip(*columns, strict=True))


class EntityIndex:
    """Finds the masked entity of a mention.

    Args:
        ids: of the masked entities, by number.
        numbers: by id.
        types: their names.
        kinds: which of the types each entity has.
        separator: what stands between value and type where an id is made.
        values: those of all entities, to look many up at once.
    """

    def __init__(
        self,
        ids: Sequence[str],
        numbers: Numbers,
        types: Sequence[str],
        kinds: NDArray[Any],
        separator: str,
        values: Values | None = None,
    ) -> None:
        self.ids, self.numbers, self.types = ids, numbers, types
        self._names = np.array(types, np.object_)
        self._kinds = np.append(kinds, [0, 0])  # `SEVERAL`: any
        self._separator = separator
        self._known: dict[tuple[str, str], int] = {}
        self._values = values

    @classmethod
    def of(cls, ids: Sequence[str], targets: Mapping[str, Target], separator: str) -> EntityIndex:
        """Return the index of masked entities with these numbers, types and values."""
        types = sorted({target.type for target in targets.values()})
        places = {name: place for place, name in enumerate(types)}
        kinds = np.fromiter((places[targets[one].type] for one in ids), np.int16, len(ids))
        numbers = {entity: number for number, entity in enumerate(ids)}
        values = [targets[entity].value for entity in ids]
        index = Values(values) if all(values) else None
        return cls(ids, numbers, types, kinds, separator, index)

    @property
    def kinds(self) -> NDArray[Any]:
        """Which of the types each entity has, by number."""
        return self._kinds[:-2]

    def types_of(self, numbers: Longs) -> list[str]:
        """Return the types of some entities."""
        names: list[str] = self._names[self._kinds[numbers]].tolist()
        return names

    def number(self, mention: Mention) -> int:
        """Return the number of a masked entity, −1 for one that is kept; remember it."""
        key = mention.value, mention.type
        number = self._known.get(key)
        if number is None:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            number = self.numbers.get(entity_id(*key, self._separator), -1)
            self._known[key] = number
        return number

    def stored(self, batch: Sequence[Pair], fields: Fields, swept: SearchResult) -> LocatedMentions:
        """Return where the mentions of masked entities stand.

        If the search found the entity at this place, in any spelling, that decides; only the other
        mentions are compared one by one.

        Raises:
            RunError: one of them does not stand where it is said to stand.
        """
        found = [own if isinstance(own, list) else list(own) for _, own in batch]
        mentions = list(chain.from_iterable(found))
        numbers = self._looked_up(mentions)
        due = np.flatnonzero(numbers != NONE)
        numbers, rows = numbers[due], [mentions[place] for place in due.tolist()]
        counts = np.fromiter(map(len, found), np.int64, len(found))
        documents = np.repeat(np.arange(len(found)), counts)[due]
        contents = np.array(fields.first)[documents]
        begins = swept.begins[contents]
        starts = begins + column([mention.start for mention in rows])
        ends = begins + column([mention.end for mention in rows])
        sure = (starts >= begins) & (starts < swept.begins[contents + 1])
        sure &= _equal([mention.field for mention in rows], [CONTENT] * len(rows))
        sure &= _equal([mention.type for mention in rows], self.types_of(numbers))
        hits = _among(swept.found, starts, ends, numbers)
        slow = np.flatnonzero(~sure | (numbers < 0) | (hits < 0))
        places: dict[str, int] = {}
        of = -1
        for row in slow.tolist():
            number = numbers[row] = self.number(rows[row])
            if number >= 0:
                mention, document = rows[row], int(documents[row])
                if document != of:
                    of, own = document, range(*fields.first[document : document + 2])
                    places = dict(zip(fields.names[own.start : own.stop], own, strict=True))
                text = _place(mention, batch[document][0], fields, places)
                starts[row], ends[row] = swept.begins[text] + (mention.start, mention.end)
        hits[slow] = _among(swept.found, starts[slow], ends[slow], numbers[slow])
        kept = numbers >= 0
        return LocatedMentions(documents[kept], starts[kept], ends[kept], numbers[kept], hits[kept])

    def _looked_up(self, mentions: Sequence[Mention]) -> Longs:
        """Return whose the value of each may be: a number, `NONE`, or `SEVERAL`."""
        return np.full(len(mentions), SEVERAL) if self._values is None else self._values(mentions)


def _place(mention: Mention, document: Document, fields: Fields, places: Mapping[str, int]) -> int:
    """Return the row of the field that a mention stands in, if it does stand there.

    `places` are the rows of its document's fields, by name.
    """
    place = places.get(mention.field, -1)
    start, end = mention.start, mention.end
    if place < 0 or not 0 <= start < end or fields.texts[place][start:end] != mention.original:
        raise RunError(
            f"document {document.id}: a mention does not stand in {mention.field} where the run "
            "says; the document was changed since, scan it again"
        )
    return place


def _equal(left: list[str], right: list[str]) -> Flags:
    """Tell which strings equal those beside them."""
    if left == right:
        return np.ones(len(left), np.bool_)
    return np.fromiter(map(str.__eq__, left, right), np.bool_, len(left))


def _among(found: Columns, starts: Longs, ends: Longs, numbers: Longs) -> Longs:
    """Return which of the hits each row is, −1 for none; the hits are sorted."""
    hits = np.full(len(starts), -1)
    unresolved, at = np.arange(len(starts)), np.searchsorted(found[0], starts)
    while len(unresolved):
        here = at < len(found[0])
        here[here] = found[0][at[here]] == starts[unresolved[here]]
        unresolved, at = unresolved[here], at[here]
        same = (found[1][at] == ends[unresolved]) & (found[2][at] == numbers[unresolved])
        hits[unresolved[same]] = at[same]
        unresolved, at = unresolved[~same], at[~same] + 1
    return hits
