"""Masked entities, ready to be written over in any document."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from linkmask import schema
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.records import CONTENT, Document, Longs, Masked, Mention, entity_id
from linkmask.redact.match import Columns, Matcher, text_of
from linkmask.redact.replacements import Made, Replacements
from linkmask.redact.search import Search, Swept
from linkmask.redact.splice import Span, replaced
from linkmask.redact.styles import (
    REVERSIBLE,
    VARIES,
    Means,
    Target,
    Writer,
    style_of,
)
from linkmask.redact.sweep import sought
from linkmask.redact.values import NONE, SEVERAL, Values

Pair = tuple[Document, Iterable[Mention]]

BATCH = 256
"""Documents masked at once, at most."""
CHARACTERS = 4_000_000
"""Characters from which on a batch is full."""


class Redactor:
    """Writes over the masked entities of a run, document by document.

    Args:
        entities: the masked entities by id. Plain tuples (type, surfaces, forms) will do.
        settings: style, styles, scope, schema, weights, seed, unkeyed, exclude_fields.
        key: for style `pseudonym`; for surrogates only where settings or environment name it.
        originals: every value of the corpus, masked or not: what a surrogate must not be.
        tokens: the random code of each entity that is written as one.
        days: by how many days each date is moved that is written so.

    What is masked: every stored mention of a masked entity; with scope `documents`, all
    occurrences of its surfaces in the documents that mention it; with scope `corpus`, all
    occurrences of its surfaces and forms anywhere that are distinctive (`sweepable`). Where two
    masked values overlap, all of both is covered and the longer one (then the one of larger
    weight, then of smaller id) names it. Placeholders already in a text stay as they are.
    """

    def __init__(
        self,
        entities: Mapping[str, Target | tuple[Any, ...]],
        settings: Settings,
        *,
        key: bytes = b"",
        originals: Iterable[str] = (),
        tokens: Mapping[str, str] | None = None,
        days: Mapping[str, int] | None = None,
    ) -> None:
        table = schema.load(settings.schema)
        weights = {**table.weights, **settings.weights}
        targets = {entity: Target(*target) for entity, target in entities.items()}
        self._settings = settings
        self._anywhere = settings.scope == "corpus"
        self._ids = sorted(targets, key=lambda e: (-weights.get(targets[e].type, 0.0), e))
        self._targets = targets
        self._types = sorted({target.type for target in targets.values()})
        places = {name: place for place, name in enumerate(self._types)}
        self._kinds = array("H", [places[targets[entity].type] for entity in self._ids])
        self._numbers = {entity: number for number, entity in enumerate(self._ids)}
        self._known: dict[tuple[str, str], int] = {}
        values = [targets[entity].value for entity in self._ids]
        self._values = Values(values) if all(values) else None
        forms = sought(targets, settings)
        placeholder = schema.placeholders({*table.types, *self._types})
        self._search = Search([forms[e] for e in self._ids], placeholder, self._anywhere)
        self._prepare(key, originals, tokens or {}, days or {})

    def _prepare(
        self,
        key: bytes,
        originals: Iterable[str],
        tokens: Mapping[str, str],
        days: Mapping[str, int],
    ) -> None:
        """Ready the writer of each entity: a text, or a function where the text varies."""
        settings = self._settings
        known = Matcher(list(dict.fromkeys(originals)))
        means = Means(
            key,
            bool(settings.key_file or os.environ.get("LINKMASK_KEY")),
            settings.unkeyed,
            settings.seed,
            settings.languages,
            lambda texts: self._forbidden(texts, known),
            tokens,
            days,
        )
        targets = self._targets
        styles = {kind: settings.styles.get(kind, settings.style) for kind in self._types}
        chosen = {e: target.style or styles[target.type] for e, target in targets.items()}
        writers: dict[str, Writer] = {}
        for name in sorted(set(chosen.values())):
            own = {e: target for e, target in targets.items() if chosen[e] == name}
            writers[name] = style_of(name)(own, means)
        self._style = [chosen[entity] for entity in self._ids]
        self._writers = {name: writers[name] for name in writers.keys() & VARIES}
        both = zip(self._ids, self._style, strict=True)
        masks = ["" if style in VARIES else writers[style](entity, "") for entity, style in both]
        self._texts = list(dict.fromkeys(masks))
        number = {text: place for place, text in enumerate(self._texts)}
        self._masks = array("i", map(number.__getitem__, masks))

    def _forbidden(self, texts: Sequence[str], known: Matcher) -> list[bool]:
        """Tell of each text whether it is a value of the corpus, or holds a masked one."""
        whole = [
            any((start, end) == (0, len(text)) for start, end, _ in hits)
            for text, hits in zip(texts, known.find(texts), strict=True)
        ]
        return [same or held for same, held in zip(whole, self._search.held(texts), strict=True)]

    @property
    def reversible(self) -> frozenset[str]:
        """Ids of the entities whose masks can be taken back with the vault."""
        both = zip(self._ids, self._style, strict=True)
        return frozenset(entity for entity, style in both if style in REVERSIBLE)

    def written(self, entity: str) -> Iterator[str]:
        """Yield what stands for an entity's spellings, where that is no placeholder."""
        if write := self._writers.get(self.style(entity)):
            yield from (write(entity, surface) for surface in self._targets[entity].surfaces)

    def __call__(self, document: Document, mentions: Iterable[Mention]) -> Masked:
        """Mask one document; `many` is faster for many.

        Raises:
            RunError: a mention of a masked entity does not stand where it is said to stand.
        """
        return next(self.many([(document, mentions)]))

    def many(self, pairs: Iterable[tuple[Document, Iterable[Mention]]]) -> Iterator[Masked]:
        """Mask documents, each with its mentions, in their order.

        Raises:
            RunError: a mention of a masked entity does not stand where it is said to stand.
        """
        batch: list[Pair] = []
        size = 0
        for pair in pairs:
            batch.append(pair)
            size += len(pair[0].content)
            if len(batch) == BATCH or size >= CHARACTERS:
                yield from self._mask(batch)
                batch, size = [], 0
        if batch:
            yield from self._mask(batch)

    def style(self, entity: str) -> str:
        """Return the name of the style in which an entity is written."""
        return self._style[self._numbers[entity]]

    def _fields(self, document: Document) -> dict[str, str]:
        if not document.metadata:
            return {CONTENT: document.content}
        return dict(document.fields(self._settings.exclude_fields))

    def _mask(self, batch: Sequence[Pair]) -> Iterator[Masked]:
        """Mask some documents at once."""
        fields = [self._fields(document) for document, _ in batch]
        names = [name for own in fields for name in own]
        swept = self._search.many([text for own in fields for text in own.values()])
        stored, missed = self._stored(batch, fields, swept)
        spans = self._spans(fields, stored, missed, swept)
        texts, replacements = self._write(names, swept, spans)
        at = 0
        for (document, _), own in zip(batch, fields, strict=True):
            first, at = at, at + len(own)
            if len(own) == 1:
                made = replacements[first]
                content = texts[first] if made else document.content
                yield Masked(document, content, document.metadata, made)
                continue
            written = zip(own, texts[first:at], replacements[first:at], strict=True)
            new = {name: text for name, text, some in written if some}
            content = new.pop(CONTENT, document.content)
            metadata = replaced("metadata", document.metadata, new) if new else document.metadata
            made = replacements[first].up_to(replacements[at - 1])
            yield Masked(document, content, metadata, made)

    def _stored(
        self, batch: Sequence[Pair], fields: Sequence[Mapping[str, str]], swept: Swept
    ) -> tuple[list[list[Span]], list[int]]:
        """Return, by document, where mentions of masked entities stand in the joined texts.

        Return also where those stand that the search did not find.
        """
        found = [list(mentions) for _, mentions in batch]
        mentions = list(chain.from_iterable(found))
        documents = np.repeat(np.arange(len(found)), np.fromiter(map(len, found), np.int64))
        numbers = self._looked_up([mention.value for mention in mentions])
        due = np.flatnonzero(numbers != NONE)
        begins = iter(swept.begins.tolist())
        bases = [dict(zip(own, begins, strict=False)) for own in fields]
        hits = set(swept.hits)
        types, kinds = self._types, self._kinds
        stored: list[list[Span]] = [[] for _ in found]
        missed: list[int] = []
        rows = zip(due.tolist(), numbers[due].tolist(), documents[due].tolist(), strict=True)
        for place, known, document in rows:
            mention, number = mentions[place], known
            if number == SEVERAL or types[kinds[number]] != mention.type:
                number = self._number(mention)
            field, start, end = mention.field, mention.start, mention.end
            base = bases[document].get(field, 0)
            span = base + start, base + end, number
            if span not in hits:
                number = self._number(mention)  # the hash of a value may be another value's
                span = base + start, base + end, number
                if number >= 0:
                    missed.append(span[0])
            if number < 0:
                continue
            text = fields[document].get(field, "")
            if text[start:end] != mention.original or not 0 <= start < end:
                raise RunError(
                    f"document {batch[document][0].id}: a mention does not stand in {field} where "
                    "the run says; the document was changed since, scan it again"
                )
            stored[document].append(span)
        return stored, missed

    def _looked_up(self, values: Sequence[str]) -> Longs:
        """Return whose each value may be: a number, `NONE`, or `SEVERAL`."""
        return np.full(len(values), SEVERAL) if self._values is None else self._values(values)

    def _spans(
        self,
        fields: Sequence[Mapping[str, str]],
        stored: Sequence[Sequence[Span]],
        missed: list[int],
        swept: Swept,
    ) -> Columns:
        """Return the disjoint spans to write over in the joined texts.

        Where the search found all there is and is clear about it, as in most texts, they are its
        own; the others are thought about one by one.
        """
        clear, begins = swept.clear.copy(), swept.begins
        clear[text_of(np.array(missed, np.int64), begins)] = False
        if not self._anywhere:
            known = {span for spans in stored for span in spans}
            other = [hit[0] for hit in swept.hits if hit not in known]
            clear[text_of(np.array(other, np.int64), begins)] = False
        if clear.all():
            return swept.spans
        kept = clear[swept.of]
        starts, ends, numbers = (column[kept].tolist() for column in swept.spans)
        spans = list(zip(starts, ends, numbers, strict=True))
        number = 0
        for own, mentioned in zip(fields, stored, strict=True):
            here = {entity for _, _, entity in mentioned}
            for text in own.values():
                if not clear[number]:
                    low, high = int(begins[number]), int(begins[number + 1])
                    inside = [_moved(span, -low) for span in mentioned if low <= span[0] < high]
                    hits = swept.hits[
                        bisect_left(swept.hits, (low,)) : bisect_left(swept.hits, (high,))
                    ]
                    found = self._search.spans(text, inside, [_moved(h, -low) for h in hits], here)
                    spans += [_moved(span, low) for span in found]
                number += 1
        columns = np.array(sorted(spans), np.int64).reshape(-1, 3)
        return columns[:, 0], columns[:, 1], columns[:, 2]

    def _write(
        self, names: Sequence[str], swept: Swept, spans: Columns
    ) -> tuple[list[str], list[Replacements]]:
        """Write over the spans of the joined texts; return each text and its replacements."""
        text, begins = swept.text, swept.begins
        starts, ends, numbers = (column.tolist() for column in spans)
        masks = [self._texts[self._masks[number]] for number in numbers]
        if self._writers:
            where = zip(numbers, starts, ends, strict=True)
            masks = [self._mask_for(number, text[start:end]) for number, start, end in where]
        parts = [""] * (2 * len(masks) + 1)
        parts[::2] = map(text.__getitem__, map(slice, [0, *ends], [*starts, len(text)]))
        parts[1::2] = masks
        new = "".join(parts)
        of = text_of(spans[0], begins)
        longer = np.fromiter(map(len, masks), np.int64, len(masks)) - (spans[1] - spans[0])
        first = np.searchsorted(spans[0], begins)
        cuts = begins + np.append(0, np.cumsum(longer))[first]
        texts = [new[a : b - 1] for a, b in pairwise(cuts.tolist())]
        columns = (spans[0] - begins[of]).tolist(), (spans[1] - begins[of]).tolist(), numbers
        fields = [names[number] for number in of.tolist()]
        made = Made(fields, *columns, masks, self._ids, self._kinds, self._types)
        return texts, [Replacements(made, a, b) for a, b in pairwise(first.tolist())]

    def _number(self, mention: Mention) -> int:
        """Return the number of a masked entity, −1 for one that is kept; remember it."""
        key = mention.value, mention.type
        if key not in self._known:
            entity = entity_id(*key, self._settings.id_separator)
            self._known[key] = self._numbers.get(entity, -1)
        return self._known[key]

    def _mask_for(self, number: int, original: str) -> str:
        """Return what is written for an entity, which may depend on its spelling."""
        if write := self._writers.get(self._style[number]):
            return write(self._ids[number], original)
        return self._texts[self._masks[number]]


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by, span[2]
