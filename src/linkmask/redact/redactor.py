"""Holds the masked entities of a plan, prepared for replacing them in any document."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from linkmask import schema
from linkmask.config import Settings
from linkmask.records import CONTENT, Document, Masked, Mention
from linkmask.redact.batch_size import CHARACTERS, batch_weight
from linkmask.redact.changes import Changes, Rules
from linkmask.redact.grammar import FITTED, fit_all
from linkmask.redact.locations import EntityIndex, Fields, Pair, fields_of
from linkmask.redact.mask_texts import MaskTexts
from linkmask.redact.match import Columns, Matcher, join, text_of
from linkmask.redact.placeholders import StyleContext, Target
from linkmask.redact.rare_words import join_rare_words
from linkmask.redact.replacements import ReplacementColumns, Replacements
from linkmask.redact.search import Search, SearchResult
from linkmask.redact.spans_to_mask import spans_to_mask
from linkmask.redact.splice import write_over
from linkmask.redact.styles import DRAWN, REVERSIBLE, VARIES, days_to_move
from linkmask.redact.sweep import searched_spellings
from linkmask.schema import RARE_TERM
from linkmask.workers import batches


class Redactor:
    """Writes over the masked entities of a run, document by document.

    Args:
        entities: the masked entities by id. Plain tuples (type, surfaces, forms) will do.
        settings: style, styles, scope, schema, weights, seed, unkeyed.
        key: for style `pseudonym`; for surrogates only where settings or environment name it.
        originals: every value of the corpus, masked or not: no surrogate may be one of them.
        tokens: the code of each entity in a style that has codes.
        days: those by which the dates of each entity's person are moved.
        given: whether the user gave the key; by default, whether settings or environment name one.
        attempts: the number of the try at which each entity's text was found, where known.
        context: what another redactor of the same entities writes with; it replaces the arguments
            `key` to `attempts`.
        spellings: the spellings that are searched for, by entity; by default those of
            `searched_spellings`.

    What is masked: every stored mention of a masked entity; with scope `documents`, all
    occurrences of its surfaces in the documents that mention it; with scope `corpus`, all
    occurrences of its surfaces and forms anywhere that are distinctive (`sweepable`). Where two
    masked values overlap, all of both is covered and the longer one (then the one of larger
    weight, then of smaller id) names it. Rare words in a row have one mask. Placeholders already in
    a text stay as they are.
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
        given: bool | None = None,
        attempts: Mapping[str, int] | None = None,
        context: StyleContext | None = None,
        spellings: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        table = settings.entity_types
        weights = {**table.weights, **settings.weights}
        targets = {e: t if isinstance(t, Target) else Target(*t) for e, t in entities.items()}
        self._settings = settings
        self._anywhere = settings.scope == "corpus"
        self._ids: Sequence[str] = sorted(
            sorted(targets), key=lambda e: -weights.get(targets[e].type, 0.0)
        )
        self._targets: Mapping[str, Target] = targets
        self._entity_index = EntityIndex.of(self._ids, targets, settings.id_separator)
        self._forms = searched_spellings(targets, settings) if spellings is None else spellings
        self._placeholder = schema.placeholders({*table.types, *self._entity_index.types})
        forms = [self._forms.get(entity, ()) for entity in self._ids]
        self._search = Search(forms, self._placeholder, self._anywhere)
        if given is None:
            given = bool(settings.key_file or os.environ.get("LINKMASK_KEY"))
        matcher = Matcher(list(dict.fromkeys(originals)))
        if context is None:
            forbidden = partial(self._forbidden, matcher=matcher)
            context = StyleContext.of(
                settings, key, given, forbidden, tokens or {}, days or {}, attempts
            )
            context = replace(context, days=days_to_move(targets, context))
        self.style_context = context
        styles = {
            kind: settings.styles.get(kind, settings.style) for kind in self._entity_index.types
        }
        chosen = [targets[e].style or styles[targets[e].type] for e in self._ids]
        self._masks = MaskTexts.of(self._ids, chosen, targets, self.style_context)

    @classmethod
    def stored(
        cls,
        targets: Mapping[str, Target],
        settings: Settings,
        entity_index: EntityIndex,
        search: Search,
        styles: Sequence[str],
        names: Iterable[str],
        context: StyleContext,
    ) -> Redactor:
        """Return a redactor whose search and styles another redactor prepared, perhaps in a file.

        `styles`: the style of each entity, by number; `names`: the names of all styles among them.
        """
        redactor = cls.__new__(cls)
        redactor._settings, redactor._targets = settings, targets
        redactor._anywhere = settings.scope == "corpus"
        redactor._ids, redactor._entity_index, redactor._search = (
            entity_index.ids,
            entity_index,
            search,
        )
        redactor._masks = MaskTexts.on_request(entity_index.ids, styles, names, targets, context)
        redactor.style_context = context
        return redactor

    @property
    def spellings(self) -> Mapping[str, Sequence[str]]:
        """The spellings that are looked for, by entity."""
        return self._forms

    @property
    def search(self) -> Search:
        """What looks for the spellings of the masked entities."""
        return self._search

    @property
    def entity_index(self) -> EntityIndex:
        """The masked entities by number."""
        return self._entity_index

    @property
    def targets(self) -> Mapping[str, Target]:
        """The masked entities by id."""
        return self._targets

    @property
    def styles(self) -> Sequence[str]:
        """The name of the style in which each masked entity is written, by number."""
        return self._masks.styles

    @property
    def attempts(self) -> Mapping[str, int]:
        """The try at which the text of each entity was found, in styles that try."""
        return self._masks.attempts

    def _forbidden(self, texts: Sequence[str], matcher: Matcher) -> list[bool]:
        """Tell of each text whether it is a value of the corpus, or holds a masked one."""
        whole = [
            any((start, end) == (0, len(text)) for start, end, _ in hits)
            for text, hits in zip(texts, matcher.find(texts), strict=True)
        ]
        return [
            same or held for same, held in zip(whole, self._search.hold_any(texts), strict=True)
        ]

    @property
    def reversible(self) -> frozenset[str]:
        """Ids of the entities whose masks the vault can undo."""
        both = zip(self._ids, self.styles, strict=True)
        return frozenset(
            entity
            for entity, style in both
            if style in REVERSIBLE or self._targets[entity].type == RARE_TERM
        )

    def mask_for(self, entity: str, original: str, document: str = "") -> str:
        """Return what is written over a spelling of a masked entity in a document."""
        return self._masks.text(self._entity_index.numbers[entity], original, document)

    def by_document(self, entity: str) -> bool:
        """Tell whether the mask of an entity differs by document."""
        return self._masks.by_document(self._entity_index.numbers[entity])

    def style_if_masked(self, entity: str) -> str:
        """Return the name of the style in which an entity is written, or "" if it is not masked."""
        number = self._entity_index.numbers.get(entity, -1)
        return "" if number < 0 else self.styles[number]

    def written(self, entity: str) -> Iterator[str]:
        """Yield what stands for an entity's spellings, where that is no placeholder."""
        if self.styles[number := self._entity_index.numbers[entity]] in VARIES:
            yield from (self._masks.text(number, s) for s in self._targets[entity].surfaces)

    def rules(self) -> Rules:
        """Return what this redactor does, without its search, which takes most of its memory."""
        rules = {entity: self._rule(entity) for entity in self._targets}
        return Rules(rules, self._forms, self._placeholder)

    def changes(self, before: Rules) -> Changes:
        """Return the differences from another redactor with the same settings."""
        both = self._targets.keys() | before.rules.keys()
        changed = sorted(
            entity
            for entity in both
            if before.rules.get(entity) != (self._rule(entity) if entity in self._targets else None)
        )
        known = self._forms, before.forms
        forms = {form for own in known for entity in changed for form in own.get(entity, ())}
        placeholders = self._placeholder != before.placeholder
        return Changes(frozenset(changed), Matcher(sorted(forms)), placeholders)

    def _rule(self, entity: str) -> tuple[Any, ...]:
        """Return all that decides where a masked entity is masked, and what is written there."""
        target, number = self._targets[entity], self._entity_index.numbers[entity]
        style, spelled = self.styles[number], self._forms.get(entity, ())
        originals = (*target.surfaces, *target.forms) if style in DRAWN else ()
        masks = [self._masks.text(number, form) for form in originals]
        return target, spelled, list(map(type, spelled)), style, masks

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
        for batch in batches(pairs, CHARACTERS, lambda pair: batch_weight(pair[0].content)):
            yield from self._mask(batch)

    def style(self, entity: str) -> str:
        """Return the name of the style in which an entity is written."""
        return self.styles[self._entity_index.numbers[entity]]

    def _mask(self, batch: Sequence[Pair]) -> list[Masked]:
        """Mask some documents at once."""
        fields = fields_of(batch)
        swept = self._search.many(fields.texts)
        stored = self._entity_index.stored(batch, fields, swept)
        spans = spans_to_mask(fields, stored, swept, self._search, self._anywhere)
        texts, made = self._write(fields, swept, spans, [document for document, _ in batch])
        masked = []
        for (document, _), (first, stop) in zip(batch, pairwise(fields.first), strict=True):
            replacements, new = made[first], {}
            if texts[first] is not fields.texts[first]:
                new[CONTENT] = texts[first]
            if stop > first + 1:
                own = slice(first + 1, stop)
                rows = zip(fields.names[own], fields.texts[own], texts[own], strict=True)
                new |= {name: text for name, old, text in rows if text is not old}
                replacements = replacements.up_to(made[stop - 1])
            masked.append(Masked(document, document.with_fields(new), replacements))
        return masked

    def _write(
        self, fields: Fields, swept: SearchResult, spans: Columns, documents: Sequence[Document]
    ) -> tuple[list[str], list[Replacements]]:
        """Write over the spans of the joined texts; return each text and its replacements.

        Where a text is a view of markup (`by_place`), no span grows: it could leave its element.
        """
        begins = swept.begins
        own = np.searchsorted(fields.first, text_of(spans[0], begins), side="right") - 1
        names = [documents[number].id for number in own.tolist()]
        may_grow = np.array([not document.by_place for document in documents])[own]
        masks, joined, which = self._masks.over(swept.text, spans, names)
        types_of = self._entity_index.types_of
        joined_spans = join_rare_words(swept.text, spans, masks, types_of, may_grow)
        (starts, ends, numbers), kept = joined_spans
        masks, which = [masks[place] for place in kept.tolist()], which[kept]
        due = self._masks.in_style(numbers, FITTED)
        if due := [(place, style) for place, style in due if may_grow[kept[place]]]:
            starts, masks = fit_all(swept.text, (starts, ends, numbers), masks, due)
            joined, which = join(masks), np.arange(len(masks))
        of, first = text_of(starts, begins), np.searchsorted(starts, begins)
        new = write_over(swept.text, starts, ends, *joined, which, self._search.compiled)
        longer = np.append(0, np.cumsum(np.diff(joined[1])[which] - 1 - (ends - starts)))
        cuts = pairwise((begins + longer[first]).tolist())
        rows = list(pairwise(first.tolist()))
        both = zip(fields.texts, rows, cuts, strict=True)
        texts = [new[a : b - 1] if low < high else old for old, (low, high), (a, b) in both]
        columns = starts - begins[of], ends - begins[of], numbers
        made = ReplacementColumns(fields.names, of, columns, masks, self._entity_index)
        return texts, [Replacements(made, low, high) for low, high in rows]
