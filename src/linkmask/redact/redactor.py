"""Masked entities, ready to be written over in any document."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from linkmask import schema
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.records import CONTENT, Document, Masked, Mention, Proper, Replacement, entity_id
from linkmask.redact.fold import SEPARATOR, alike, is_word, plain
from linkmask.redact.match import Hit, Matcher
from linkmask.redact.splice import Span, cuts, disjoint, outside, replaced, splice
from linkmask.redact.styles import (
    REVERSIBLE,
    VARIES,
    Means,
    Target,
    Writer,
    style_of,
)
from linkmask.redact.sweep import sought

BATCH = 256
"""Documents searched at once."""
UNKNOWN = -2


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
        self._numbers = {entity: number for number, entity in enumerate(self._ids)}
        self._known: dict[tuple[str, str], int] = {}
        self._by_value = self._only_ones() if all(t.value for t in targets.values()) else None
        types = {target.type for target in targets.values()}
        self._placeholder = schema.placeholders({*table.types, *types})
        self._shared: list[tuple[int, ...]] = []
        self._matcher = Matcher(*self._forms())
        self._prepare(types, key, originals, tokens or {}, days or {})

    def _forms(self) -> tuple[list[str], list[int]]:
        """Return what is looked for and whose it is: a number, below 0 where several own it."""
        owners: dict[str, list[int]] = {}
        spellings = sought(self._targets, self._settings)
        for number, entity in enumerate(self._ids):
            for form in spellings[entity]:
                owners.setdefault(form, []).append(number)
        anyhow = {plain(form) for form in owners if not isinstance(form, Proper)}
        proper = {plain(form) for form in owners if isinstance(form, Proper)}
        self._proper = frozenset(proper - anyhow)
        self._shared = sorted({tuple(own) for own in owners.values() if len(own) > 1})
        edges = [form.strip() for form in owners if form.strip()]
        self._opening = {c for form in edges if not is_word(form[0]) for c in alike(form[0])}
        self._closing = {c for form in edges if not is_word(form[-1]) for c in alike(form[-1])}
        shared = {own: -1 - index for index, own in enumerate(self._shared)}
        return list(owners), [shared.get(tuple(own), own[0]) for own in owners.values()]

    def _only_ones(self) -> dict[str, int]:
        """Return the number of the only masked entity with a value, −1 where there are several."""
        numbers: dict[str, int] = {}
        for number, entity in enumerate(self._ids):
            value = self._targets[entity].value
            numbers[value] = -1 if value in numbers else number
        return numbers

    def _prepare(
        self,
        types: set[str],
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
        styles = {kind: settings.styles.get(kind, settings.style) for kind in types}
        chosen = {e: target.style or styles[target.type] for e, target in targets.items()}
        writers: dict[str, Writer] = {}
        for name in sorted(set(chosen.values())):
            own = {e: target for e, target in targets.items() if chosen[e] == name}
            writers[name] = style_of(name)(own, means)
        kinds = [targets[entity].type for entity in self._ids]
        self._style = [chosen[entity] for entity in self._ids]
        self._writers = {name: writers[name] for name in writers.keys() & VARIES}
        shared: dict[str, str] = {}  # one object for each text: the fewer, the nearer at hand
        self._rows = [
            (entity, kind, "" if style in VARIES else _one(writers[style](entity, ""), shared))
            for entity, kind, style in zip(self._ids, kinds, self._style, strict=True)
        ]

    def _forbidden(self, texts: Sequence[str], known: Matcher) -> list[bool]:
        """Tell of each text whether it is a value of the corpus, or holds a masked one."""
        whole = [
            any((start, end) == (0, len(text)) for start, end, _ in hits)
            for text, hits in zip(texts, known.find(texts), strict=True)
        ]
        held = self._matcher.find(texts)
        return [same or bool(hits) for same, hits in zip(whole, held, strict=True)]

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
        pairs = iter(pairs)
        while batch := list(islice(pairs, BATCH)):
            fields = [self._fields(document) for document, _ in batch]
            hits = self._search([text for own in fields for text in own.values()])
            at = 0
            for (document, mentions), own in zip(batch, fields, strict=True):
                yield self._mask(document, mentions, own, hits[at : at + len(own)])
                at += len(own)

    def style(self, entity: str) -> str:
        """Return the name of the style in which an entity is written."""
        return self._style[self._numbers[entity]]

    def _fields(self, document: Document) -> dict[str, str]:
        if not document.metadata:
            return {CONTENT: document.content}
        return dict(document.fields(self._settings.exclude_fields))

    def _search(self, texts: Sequence[str]) -> list[list[Hit]]:
        found = self._matcher.find([self._blank(t) if "[" in t else t for t in texts])
        if not self._proper:
            return found
        return [
            [hit for hit in hits if self._meant(text, hit)] if hits else hits
            for text, hits in zip(texts, found, strict=True)
        ]

    def _meant(self, text: str, hit: Hit) -> bool:
        """Return whether a hit is no word that only reads like a bare surname (`Proper`)."""
        start, end, _ = hit
        return not text[start].islower() or plain(text[start:end]) not in self._proper

    def _blank(self, text: str) -> str:
        """Make the placeholders of a text unmatchable."""
        return self._placeholder.sub(lambda match: SEPARATOR * len(match[0]), text)

    def _mask(
        self,
        document: Document,
        mentions: Iterable[Mention],
        fields: Mapping[str, str],
        hits: Sequence[list[Hit]],
    ) -> Masked:
        stored = self._stored(document, mentions, fields)
        new: dict[str, str] = {}
        replacements: list[Replacement] = []
        for (name, text), swept in zip(fields.items(), hits, strict=True):
            if swept or name in stored:
                own = stored.get(name, [])
                quick = self._quick(name, text, own, swept)
                if quick is None:
                    spans = self._spans(text, own, swept, stored)
                    made = [Replacement(name, s, e, *self._row(n, text[s:e])) for s, e, n in spans]
                    quick = splice(text, made), made
                new[name] = quick[0]
                replacements += quick[1]
        content = new.pop(CONTENT, document.content)
        metadata = replaced("metadata", document.metadata, new) if new else document.metadata
        return Masked(document, content, metadata, replacements)

    def _quick(
        self, name: str, text: str, own: list[Span], swept: list[Hit]
    ) -> tuple[str, list[Replacement]] | None:
        """Rewrite a field in one loop where nothing needs thought, else return None.

        That is: the hits hold every mention, do not overlap, are one entity's each, and touch
        nothing that their masks could make whole. Nearly all fields of a corpus are like this.
        """
        if self._writers or (own != swept and not (self._anywhere and set(swept).issuperset(own))):
            return None
        rows, opening, closing = self._rows, self._opening, self._closing
        parts: list[str] = []
        made: list[Replacement] = []
        at = 0
        for start, end, number in swept:
            if (
                start < at
                or number < 0
                or text[end : end + 1] in opening
                or text[start - 1 : start] in closing
            ):
                return None
            row = rows[number]
            parts.append(text[at:start])
            parts.append(row[2])
            made.append(_made((name, start, end, *row)))
            at = end
        parts.append(text[at:])
        return "".join(parts), made

    def _stored(
        self, document: Document, mentions: Iterable[Mention], fields: Mapping[str, str]
    ) -> dict[str, list[Span]]:
        """Return the spans of the mentions whose entity is masked, by field."""
        spans: dict[str, list[Span]] = {}
        by_value, rows = self._by_value, self._rows
        for mention in mentions:
            number = -1
            if by_value is not None:
                number = by_value.get(mention.value, UNKNOWN)
                if number == UNKNOWN:
                    continue
            if number < 0 or rows[number][1] != mention.type:
                number = self._number(mention)
                if number < 0:
                    continue
            field, start, end = mention.field, mention.start, mention.end
            if fields.get(field, "")[start:end] != mention.original or not 0 <= start < end:
                raise RunError(
                    f"document {document.id}: a mention does not stand in {field} where the run "
                    "says; the document was changed since, scan it again"
                )
            if field in spans:
                spans[field].append((start, end, number))
            else:
                spans[field] = [(start, end, number)]
        return spans

    def _number(self, mention: Mention) -> int:
        """Return the number of a masked entity, −1 for one that is kept; remember it."""
        key = mention.value, mention.type
        if key not in self._known:
            entity = entity_id(*key, self._settings.id_separator)
            self._known[key] = self._numbers.get(entity, -1)
        return self._known[key]

    def _spans(
        self, text: str, own: list[Span], swept: list[Hit], stored: Mapping[str, list[Span]]
    ) -> list[Span]:
        """Return the disjoint spans to write over in a field with these mentions and hits."""
        here = {span[2] for spans in stored.values() for span in spans}
        swept = self._owned(swept, here)
        if own and "[" in text:
            own = outside(own, [match.span() for match in self._placeholder.finditer(text)])
        more = set(own).difference(swept)
        spans = disjoint([*more, *swept])
        torn = self._touched(text, spans) or any(cuts(text, span[0], span[1]) for span in more)
        while torn:
            blank = [Replacement("", s, e, "", "", SEPARATOR * (e - s)) for s, e, _ in spans]
            found = self._owned(self._search([splice(text, blank)])[0], here)
            spans = disjoint([*spans, *found])
            torn = bool(found)
        return spans

    def _touched(self, text: str, spans: list[Span]) -> bool:
        """Return whether a form that begins or ends with punctuation may touch a span.

        Where a mask makes whole what was not, it is looked for again, so that nothing is found
        when the masked text is masked once more: "ford" when "Hart" is masked in "Hartford", the
        second "#77382" of "#77382#77382".
        """
        opening, closing = self._opening, self._closing
        return any(
            text[end : end + 1] in opening or text[start - 1 : start] in closing
            for start, end, _ in spans
        )

    def _owned(self, hits: list[Hit], here: set[int]) -> list[Span]:
        """Say whose value each hit is: one found in this document, else the weightiest.

        In scope `documents` a hit counts only where its entity was found.
        """
        spans: list[Span] = []
        for start, end, number in hits:
            owners = self._shared[-1 - number] if number < 0 else (number,)
            own = next((owner for owner in owners if owner in here), -1)
            if own >= 0 or self._anywhere:
                spans.append((start, end, own if own >= 0 else owners[0]))
        return spans

    def _row(self, number: int, original: str) -> tuple[str, str, str]:
        """Return entity, type and what is written for it, which may depend on its spelling."""
        entity, kind, text = self._rows[number]
        if write := self._writers.get(self._style[number]):
            text = write(entity, original)
        return entity, kind, text


_made: Callable[[tuple[str, int, int, str, str, str]], Replacement] = partial(
    tuple.__new__, Replacement
)
"""`Replacement._make` without its checks: this is where most of the time of rewriting goes."""


def _one(text: str, shared: dict[str, str]) -> str:
    """Return the one object that stands for equal texts."""
    return shared.setdefault(text, text)
