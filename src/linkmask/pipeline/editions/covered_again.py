"""Covers in unchanged documents what an earlier edition masked there, where less is found by now.

If the documents are gone that say what a name stands for, or it may mean another person by now,
detection and search find less at its place: "elena" where "elena b." was masked. A title is no
part of a name, and isn't covered: "Ms." may be shown beside a mask that hid it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from linkmask import schema
from linkmask.config import Settings
from linkmask.graph.names import name, title_keys
from linkmask.pipeline.values.run_value import RunValue
from linkmask.records import Document, Mention, entity_id
from linkmask.redact import Target, searched_spellings
from linkmask.redact.search import Search
from linkmask.runs.mentions import place
from linkmask.schema import RARE_TERM


class LostMasks:
    """Finds values that an edition masked and of which less is known by now.

    Args:
        lost: entity → a mention of it. In scope `documents`, they are found only in documents that
            mentioned them.
        values: those of the earlier edition, by entity.
    """

    def __init__(
        self, lost: Mapping[str, Mention], values: Mapping[str, RunValue], settings: Settings
    ) -> None:
        targets = {
            entity: Target(row.type, sorted(row.surfaces), list(filter(_untitled, row.forms)))
            for entity in lost
            if (row := values.get(entity))
        }
        self.spellings = searched_spellings(targets, settings)
        self._number = {entity: number for number, entity in enumerate(self.spellings)}
        self._lost = [lost[entity] for entity in self.spellings]
        self._separator, everywhere = settings.id_separator, settings.scope == "corpus"
        self._search = Search(self.spellings.values(), schema.placeholders(()), everywhere)

    def places(self, document: Document, then: Iterable[Mention]) -> Iterator[Mention]:
        """Yield mentions for what stands in a document, beside those that it had then."""
        separator = self._separator
        here = {self._number.get(entity_id(one.value, one.type, separator), -1) for one in then}
        for field, text in document.fields():
            found = self._search.many([text]).found
            hits = zip(*(column.tolist() for column in found), strict=True)
            for start, end, number in self._search.spans(text, (), list(hits), here):
                yield _at(self._lost[number], document, field, start, end)


def covering(
    document: Document,
    mentions: Sequence[Mention],
    masked: Iterable[Mention],
    stated: Callable[[Document, Mention], Mention],
) -> tuple[list[Mention], list[Mention]]:
    """Return the mentions of a document so that they cover all that was masked, and which do so.

    If some cover only a part of what was masked, the longest of them takes all, and the others go.
    `stated` returns a mention with the value that it has by now.
    """
    fields, every, used = dict(document.fields()), list(mentions), list[Mention]()
    for one in masked:
        near = [other for other in every if other.type != RARE_TERM and _overlap(one, other)]
        if not near:
            near = [stated(document, one)]
            every += near
        inside = set(range(one.start, one.end))
        bare = inside.difference(*(range(other.start, other.end) for other in near))
        if any(fields[one.field][at].isalnum() for at in bare):
            every = [other for other in every if other not in near]
            longest = max(near, key=lambda other: other.end - other.start)
            start, end = min(one.start, near[0].start), max(one.end, near[-1].end)
            near = [_at(longest, document, one.field, start, end)]
            every = sorted([*every, *near], key=place)
        used += near
    return sorted(every, key=place), [one for one in used if one in every]


def _overlap(one: Mention, other: Mention) -> bool:
    return one.field == other.field and one.start < other.end and other.start < one.end


def _untitled(form: str) -> bool:
    return name(form).partition(" ")[0] not in title_keys()


def _at(mention: Mention, document: Document, field: str, start: int, end: int) -> Mention:
    text = dict(document.fields())[field][start:end]
    return replace(mention, document=document.id, field=field, start=start, end=end, original=text)
