"""Masked entities, ready to be written over in any document."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from linkmask import schema
from linkmask.config import Settings
from linkmask.records import CONTENT, Document, Masked, Mention
from linkmask.redact.match import Columns, Matcher, text_of
from linkmask.redact.owners import Fields, Owners, Pair, Stored
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

BATCH = 1024
"""Documents masked at once, at most: after each batch the tables of the search are cold again."""
CHARACTERS = 4_000_000
"""Characters from which on a batch is full."""

T = TypeVar("T")


def batches(
    items: Iterable[T], characters: Callable[[T], int], most: int = BATCH
) -> Iterator[list[T]]:
    """Yield the items in batches of at most so many, and of not many more than `CHARACTERS`."""
    batch: list[T] = []
    size = 0
    for item in items:
        batch.append(item)
        size += characters(item)
        if len(batch) == most or size >= CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


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
        self._owners = Owners(self._ids, targets, settings.id_separator)
        forms = sought(targets, settings)
        placeholder = schema.placeholders({*table.types, *self._owners.types})
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
        styles = {kind: settings.styles.get(kind, settings.style) for kind in self._owners.types}
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
        self._masks = np.fromiter(map(number.__getitem__, masks), np.int32, len(masks))

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

    def many(self, pairs: Iterable[Pair]) -> Iterator[Masked]:
        """Mask documents, each with its mentions, in their order.

        Raises:
            RunError: a mention of a masked entity does not stand where it is said to stand.
        """
        for batch in batches(pairs, lambda pair: len(pair[0].content)):
            yield from self._mask(batch)

    def style(self, entity: str) -> str:
        """Return the name of the style in which an entity is written."""
        return self._style[self._owners.numbers[entity]]

    def _mask(self, batch: Sequence[Pair]) -> Iterator[Masked]:
        """Mask some documents at once."""
        exclude = self._settings.exclude_fields
        fields = [
            dict(document.fields(exclude)) if document.metadata else {CONTENT: document.content}
            for document, _ in batch
        ]
        swept = self._search.many([text for own in fields for text in own.values()])
        stored = self._owners.stored(batch, fields, swept)
        spans = self._spans(fields, stored, swept)
        texts, replacements = self._write(fields, swept, spans)
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

    def _spans(self, fields: Fields, stored: Stored, swept: Swept) -> Columns:
        """Return the disjoint spans to write over in the joined texts.

        Where the search found all there is and is clear about it, as in most texts, they are its
        own; the others are thought about one by one.
        """
        clear, begins = swept.clear.copy(), swept.begins
        clear[text_of(stored.starts[stored.hits < 0], begins)] = False
        if not self._anywhere:
            other = np.ones(len(swept.found[0]), np.bool_)
            other[stored.hits[stored.hits >= 0]] = False
            clear[text_of(swept.found[0][other], begins)] = False
        if clear.all():
            return swept.spans
        kept = clear[swept.of]
        spans = list(zip(*(column[kept].tolist() for column in swept.spans), strict=True))
        document = np.repeat(np.arange(len(fields)), [len(own) for own in fields])
        for number in np.flatnonzero(~clear).tolist():
            low, high = begins[number : number + 2].tolist()
            own = stored.of(int(document[number]))
            here = {entity for _, _, entity in own}
            inside = [_moved(span, -low) for span in own if low <= span[0] < high]
            among = slice(*np.searchsorted(swept.found[0], (low, high)))
            hits = zip(*(column[among].tolist() for column in swept.found), strict=True)
            text = swept.text[low : high - 1]
            found = self._search.spans(text, inside, [_moved(hit, -low) for hit in hits], here)
            spans += [_moved(span, low) for span in found]
        columns = np.array(sorted(spans), np.int64).reshape(-1, 3)
        return columns[:, 0], columns[:, 1], columns[:, 2]

    def _write(
        self, fields: Fields, swept: Swept, spans: Columns
    ) -> tuple[list[str], list[Replacements]]:
        """Write over the spans of the joined texts; return each text and its replacements."""
        text, begins = swept.text, swept.begins
        starts, ends, numbers = spans
        left, right = starts.tolist(), ends.tolist()
        if self._writers:
            where = zip(numbers.tolist(), left, right, strict=True)
            masks = [self._mask_for(number, text[start:end]) for number, start, end in where]
        else:
            masks = list(map(self._texts.__getitem__, self._masks[numbers].tolist()))
        parts = [""] * (2 * len(masks) + 1)
        parts[::2] = map(text.__getitem__, map(slice, [0, *right], [*left, len(text)]))
        parts[1::2] = masks
        new = "".join(parts)
        of = text_of(starts, begins)
        longer = np.fromiter(map(len, masks), np.int64, len(masks)) - (ends - starts)
        first = np.searchsorted(starts, begins)
        cuts = begins + np.append(0, np.cumsum(longer))[first]
        texts = [new[a : b - 1] for a, b in pairwise(cuts.tolist())]
        names = [name for own in fields for name in own]
        columns = starts - begins[of], ends - begins[of], numbers
        made = Made(names, of, columns, masks, self._owners)
        return texts, [Replacements(made, a, b) for a, b in pairwise(first.tolist())]

    def _mask_for(self, number: int, original: str) -> str:
        """Return what is written for an entity, which may depend on its spelling."""
        if write := self._writers.get(self._style[number]):
            return write(self._ids[number], original)
        return self._texts[int(self._masks[number])]


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by, span[2]
