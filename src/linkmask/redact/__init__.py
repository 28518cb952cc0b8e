"""Document + plan → masked document: find what is to be masked, write it over, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from linkmask import schema
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.records import CONTENT, Document, Masked, Mention, Replacement, entity_id
from linkmask.redact.fold import SEPARATOR, is_word
from linkmask.redact.match import Hit, Matcher
from linkmask.redact.place import Finder
from linkmask.redact.splice import Span, disjoint, outside, replaced, splice
from linkmask.redact.styles import REVERSIBLE, STYLES, VARIES, Means, Target, style_of
from linkmask.redact.sweep import sought, sweepable

__all__ = ["REVERSIBLE", "STYLES", "VARIES", "Finder", "Redactor", "Target", "sought", "sweepable"]

BATCH = 256
"""Documents searched at once."""


class Redactor:
    """Writes over the masked entities of a run, document by document.

    Args:
        entities: the masked entities by id. Plain tuples (type, surfaces, forms) will do.
        settings: style, styles, scope, schema, weights, seed, unkeyed, exclude_fields.
        key: for style `pseudonym`.
        originals: every value of the corpus, masked or not: what a surrogate must not be.

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
        types = {target.type for target in targets.values()}
        self._placeholder = schema.placeholders({*table.types, *types})
        forms, self._owners = self._forms()
        self._matcher = Matcher(forms)
        self._prepare(types, key, originals)

    def _forms(self) -> tuple[list[str], list[tuple[int, ...]]]:
        """Return what is looked for, and the entities that each form may stand for."""
        spellings = sought(self._targets, self._settings)
        owners: dict[str, list[int]] = {}
        for number, entity in enumerate(self._ids):
            for form in spellings[entity]:
                owners.setdefault(form, []).append(number)
        return list(owners), [tuple(numbers) for numbers in owners.values()]

    def _prepare(self, types: set[str], key: bytes, originals: Iterable[str]) -> None:
        """Ready the writer of each entity: a text, or a function where the text varies."""
        settings = self._settings
        means = Means(key, settings.unkeyed, settings.seed, settings.languages)
        targets = self._targets
        styles = {kind: settings.styles.get(kind, settings.style) for kind in types}
        writers: dict[str, Callable[[str, str], str]] = {}
        for name in sorted(set(styles.values())):
            own = {e: t for e, t in targets.items() if styles[t.type] == name}
            writers[name] = style_of(name)(own, means)
        self._style = [styles[targets[e].type] for e in self._ids]
        self._writers = [writers[name] for name in self._style]
        self._texts = [
            "" if name in VARIES else write(e, "")
            for e, name, write in zip(self._ids, self._style, self._writers, strict=True)
        ]

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
            hits = iter(self._search([text for own in fields for text in own.values()]))
            for (document, mentions), own in zip(batch, fields, strict=True):
                yield self._mask(document, mentions, own, {name: next(hits) for name in own})

    def style(self, entity: str) -> str:
        """Return the name of the style in which an entity is written."""
        return self._style[self._numbers[entity]]

    def _fields(self, document: Document) -> dict[str, str]:
        if not document.metadata:
            return {CONTENT: document.content}
        return dict(document.fields(self._settings.exclude_fields))

    def _search(self, texts: Sequence[str]) -> list[list[Hit]]:
        return self._matcher.find([self._blank(t) if "[" in t else t for t in texts])

    def _blank(self, text: str) -> str:
        """Make the placeholders of a text unmatchable."""
        return self._placeholder.sub(lambda match: SEPARATOR * len(match[0]), text)

    def _mask(
        self,
        document: Document,
        mentions: Iterable[Mention],
        fields: Mapping[str, str],
        hits: Mapping[str, list[Hit]],
    ) -> Masked:
        stored = self._stored(document, mentions, fields)
        here = {number for spans in stored.values() for _, _, number in spans}
        new: dict[str, str] = {}
        replacements: list[Replacement] = []
        for name, text in fields.items():
            if not hits[name] and name not in stored:
                continue
            spans = self._settle(text, stored.get(name, []), self._named(hits[name], here), here)
            pieces = [(start, end, self._text(n, text[start:end])) for start, end, n in spans]
            if pieces:
                new[name] = splice(text, pieces)
                for (start, end, n), (_, _, written) in zip(spans, pieces, strict=True):
                    entity = self._ids[n]
                    kind = self._targets[entity].type
                    replacements.append(Replacement(name, start, end, entity, kind, written))
        content = new.pop(CONTENT, document.content)
        metadata = replaced("metadata", document.metadata, new) if new else document.metadata
        return Masked(document, content, metadata, replacements)

    def _stored(
        self, document: Document, mentions: Iterable[Mention], fields: Mapping[str, str]
    ) -> dict[str, list[Span]]:
        """Return the spans of the mentions whose entity is masked, by field."""
        spans: dict[str, list[Span]] = {}
        for mention in mentions:
            number = self._number(mention.value, mention.type)
            if number < 0:
                continue
            start, end = mention.start, mention.end
            text = fields.get(mention.field, "")
            if text[start:end] != mention.original or not 0 <= start < end:
                raise RunError(
                    f"document {document.id}: a mention does not stand in {mention.field} where "
                    "the run says; the document was changed since, scan it again"
                )
            spans.setdefault(mention.field, []).append((start, end, number))
        return spans

    def _number(self, value: str, kind: str) -> int:
        """Return the number of a masked entity, −1 for one that is kept."""
        number = self._known.get((value, kind))
        if number is None:
            entity = entity_id(value, kind, self._settings.id_separator)
            number = self._known[value, kind] = self._numbers.get(entity, -1)
        return number

    def _named(self, hits: Iterable[Hit], here: set[int]) -> list[Span]:
        """Say whose value each hit is: one found in this document, else the weightiest."""
        spans: list[Span] = []
        for start, end, form in hits:
            owners = self._owners[form]
            own = next((number for number in owners if number in here), -1)
            if own >= 0 or self._anywhere:
                spans.append((start, end, own if own >= 0 else owners[0]))
        return spans

    def _settle(
        self, text: str, stored: list[Span], swept: list[Span], here: set[int]
    ) -> list[Span]:
        """Return the disjoint spans to write over.

        A stored mention may end within a word, as when "Hart" is masked in "Hartford"; what is
        left there has become a word, and is looked for again, so that nothing is found when the
        masked text is masked once more.
        """
        if stored and "[" in text:
            kept = [match.span() for match in self._placeholder.finditer(text)]
            stored = outside(stored, kept)
        spans = disjoint(stored + swept)
        whole = {(start, end) for start, end, _ in swept}
        torn = any(
            (start, end) not in whole and _cuts(text, start, end) for start, end, _ in stored
        )
        while torn:
            rest = splice(text, [(s, e, SEPARATOR * (e - s)) for s, e, _ in spans])
            found = self._named(self._search([rest])[0], here)
            spans = disjoint(spans + found)
            torn = bool(found)
        return spans

    def _text(self, number: int, original: str) -> str:
        if self._style[number] in VARIES:
            return self._writers[number](self._ids[number], original)
        return self._texts[number]


def _cuts(text: str, start: int, end: int) -> bool:
    """Return whether a span's edge lies within a word or a number such as 52.5."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return (
        is_word(before[-1:])
        or is_word(after[:1])
        or (before[-1:] in (".", ",") and is_word(before[:1]))
        or (after[:1] in (".", ",") and is_word(after[1:]))
    )
