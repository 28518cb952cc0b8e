"""Covers in unchanged documents what an earlier edition masked there, where less is found by now.

If the documents are gone that say what a name stands for, or it may mean another person by now,
detection and search find less at its place: "elena" where "elena b." was masked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from linkmask import schema
from linkmask.config import Settings
from linkmask.pipeline.values.run_value import RunValue
from linkmask.records import Document, Mention, entity_id
from linkmask.redact import Target, searched_spellings
from linkmask.redact.search import Search
from linkmask.runs.mentions import place
from linkmask.schema import RARE_TERM


class LostSpan(NamedTuple):
    """A span of a field that an earlier edition masked, and a mention of the value there."""

    field: str
    start: int
    end: int
    value: Mention


class LostMasks:
    """What an earlier edition masked in unchanged documents and today's mentions may not cover.

    Args:
        by_document: document → its masked mentions that say something else by now.
        gone: masked entity that the corpus no longer holds → a mention of it.
        values: those of the earlier edition, by entity.
    """

    def __init__(
        self,
        by_document: Mapping[str, Sequence[Mention]],
        gone: Mapping[str, Mention],
        values: Mapping[str, RunValue],
        settings: Settings,
    ) -> None:
        self.by_document = by_document
        anywhere = gone if settings.scope == "corpus" else {}
        every = (one for found in by_document.values() for one in found)
        known = {entity_id(one.value, one.type, settings.id_separator): one for one in every}
        known |= anywhere
        targets = {
            entity: Target(row.type, sorted(row.surfaces), row.forms)
            for entity in known
            if (row := values.get(entity))
        }
        spellings = searched_spellings(targets, settings)
        self._values = [known[entity] for entity in spellings]
        self._gone = {number for number, entity in enumerate(spellings) if entity in anywhere}
        self._search = Search(spellings.values(), schema.placeholders(()), anywhere=True)
        self.spellings = [form for entity in anywhere for form in spellings.get(entity, ())]
        """Those that are searched for in all documents."""

    def spans(self, document: Document) -> Iterator[LostSpan]:
        """Yield the spans of a document that the earlier edition masked."""
        own = self.by_document.get(document.id, ())
        yield from (LostSpan(one.field, one.start, one.end, one) for one in own)
        for field, text in document.fields():
            found = self._search.many([text]).found
            hits = zip(*(column.tolist() for column in found), strict=True)
            for start, end, number in self._search.spans(text, (), list(hits), set()):
                if number in self._gone or any(
                    one.field == field and one.start < end and start < one.end for one in own
                ):
                    yield LostSpan(field, start, end, self._values[number])


def no_longer(
    then: Sequence[Mention], now: Sequence[Mention], masked: Collection[str], separator: str
) -> list[Mention]:
    """Return the masked mentions of a document that are not among those of today."""
    held = {(one.field, one.start, one.end, one.type, one.value) for one in now}
    return [
        one
        for one in then
        if one.type != RARE_TERM
        and (one.field, one.start, one.end, one.type, one.value) not in held
        and entity_id(one.value, one.type, separator) in masked
    ]


def covering(
    document: Document,
    mentions: Sequence[Mention],
    spans: Iterable[LostSpan],
    stated: Callable[[Document, Mention], Mention],
) -> tuple[list[Mention], list[Mention]]:
    """Return the mentions of a document so that they cover some spans, and which of them do so.

    A mention that covers a part of a span gets the rest of it, up to the next mention. `stated`
    returns a mention with the value that it has by now.
    """
    fields, used = dict(document.fields()), set[int]()
    every = sorted(mentions, key=place)
    for field, start, end, value in spans:
        text = fields[field]
        near = [
            number
            for number, one in enumerate(every)
            if one.type != RARE_TERM and one.field == field and one.start < end and start < one.end
        ]
        if not near:
            used.add(len(every))
            every.append(stated(document, _at(value, document, field, start, end)))
            continue
        used.update(near)
        covered = {at for number in near for at in range(every[number].start, every[number].end)}
        if not any(text[at].isalnum() and at not in covered for at in range(start, end)):
            continue
        near.sort(key=lambda number: every[number].start)
        begins = [start, *(every[number].start for number in near[1:])]
        ends = [*(len(text[:begin].rstrip()) for begin in begins[1:]), end]
        for number, first, last in zip(near, begins, ends, strict=True):
            one = every[number]
            every[number] = _at(one, document, field, min(first, one.start), max(last, one.end))
    return sorted(every, key=place), [every[number] for number in sorted(used)]


def _at(mention: Mention, document: Document, field: str, start: int, end: int) -> Mention:
    text = dict(document.fields())[field][start:end]
    return replace(mention, document=document.id, field=field, start=start, end=end, original=text)
