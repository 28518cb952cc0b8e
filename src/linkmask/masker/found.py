"""Masks new texts by the values that a run knows, and by those that detection finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from linkmask.detect import written_language_of
from linkmask.detect.lexicon.name_words import no_name
from linkmask.graph.entities import canonical
from linkmask.graph.names import NAMES
from linkmask.masker.masked_text import MaskedSpan, MaskedText
from linkmask.pipeline.detection.detector import Detector
from linkmask.pipeline.planning.generalization import is_exact
from linkmask.records import Document, Masked, Mention, Replacement
from linkmask.redact import Redactor, UnknownEntities
from linkmask.redact.grammar import FITTED, fit
from linkmask.redact.splice import Span, disjoint_spans, spans_outside, splice
from linkmask.text.codes import is_word

StatusOf = Callable[[Mention], tuple[Mention, bool | None]]
"""A mention → the same under the value of its entity, and whether the run masks it (True), keeps
it (False), or does not know it (None)."""


class FoundMasker:
    """Masks the run's values, and values that detection finds and the run does not know.

    Args:
        redactor: writes over the entities that the run masks.
        unknown: writes over entities that the run does not know.
        detector: finds mentions in documents by themselves.
        status_of: tells what the run does with a mention.
        floor: types that are masked where the run does not know the entity.
        masks: finds the run's own masks in texts: what stands in one is no value.
    """

    def __init__(
        self,
        redactor: Redactor,
        unknown: UnknownEntities,
        detector: Detector,
        status_of: StatusOf,
        floor: frozenset[str],
        masks: Callable[[Sequence[str]], list[list[Span]]],
    ) -> None:
        self._redactor = redactor
        self._unknown = unknown
        self._detector = detector
        self._status_of = status_of
        self._floor = floor
        self._masks = masks

    def texts(self, texts: Sequence[str]) -> list[MaskedText]:
        """Mask some texts, each by itself."""
        documents = [Document("", text) for text in texts]
        return [self._as_text(masked) for masked in self.documents(documents)]

    def documents(self, documents: Sequence[Document], everything: bool = False) -> list[Masked]:
        """Mask some documents; with `everything`, all that is detected, whatever the run keeps."""
        found = self._detector.first_passes([(document, []) for document in documents])
        pairs, others = [], []
        for document, mentions in zip(documents, found, strict=True):
            texts = dict(document.fields())
            whole = [_whole_words(mention, texts[mention.field]) for mention in mentions]
            judged = list(map(self._status_of, self._outside_masks(whole, texts)))
            pairs.append((document, [mention for mention, masked in judged if masked]))
            others.append(
                [
                    mention
                    for mention, masked in judged
                    if not masked and (everything or self._is_due(mention, masked))
                ]
            )
        masked = self._redactor.many(pairs)
        return [
            self._with_others(one, rest) if rest else one
            for one, rest in zip(masked, others, strict=True)
        ]

    def _outside_masks(
        self, mentions: Sequence[Mention], texts: Mapping[str, str]
    ) -> list[Mention]:
        """Return the mentions that overlap no mask of the run; a surrogate looks like a value."""
        fields = list({mention.field for mention in mentions})
        found = self._masks([texts[field] for field in fields]) if fields else []
        spans = dict(zip(fields, found, strict=True))
        return [
            mention
            for mention in mentions
            if all(
                end <= mention.start or mention.end <= start
                for start, end, _ in spans[mention.field]
            )
        ]

    def _is_due(self, mention: Mention, masked: bool | None) -> bool:
        """Tell whether a mention is unknown to the run and its type is always masked."""
        if masked is not None:
            return False
        settings = self._detector.settings
        return mention.type in self._floor or is_exact(
            mention.type, mention.value, mention.original, settings
        )

    def _with_others(self, masked: Masked, others: Iterable[Mention]) -> Masked:
        """Return a masked document with further mentions written over."""
        document = masked.original
        language = written_language_of(document, self._detector.settings)
        by_field: dict[str, list[Replacement | Mention]] = {}
        others = list(chain.from_iterable(self._beside_names(one, masked) for one in others))
        every_one: list[Replacement | Mention] = [*masked.replacements, *others]
        for one in every_one:
            by_field.setdefault(one.field, []).append(one)
        texts = dict(document.fields())
        new, every = {}, []
        for field, text in texts.items():
            pieces = self._united(text, by_field.get(field, ()), language, document)
            every += pieces
            if pieces:
                new[field] = splice(text, pieces)
        return Masked(document, document.with_fields(new), every)

    def _beside_names(self, mention: Mention, masked: Masked) -> Iterator[Mention]:
        """Yield the parts of an unknown name that are not known names.

        In "Ask T. Roe", the run knows T. Roe, and "Ask" is no name. In "Jane Roe-Poe" the other
        words stay masked.
        """
        inside = [
            (max(one.start, mention.start), min(one.end, mention.end))
            for one in masked.replacements
            if one.field == mention.field and one.start < mention.end and mention.start < one.end
            if {one.type, mention.type} <= NAMES
        ]
        if not inside:
            yield mention
            return
        text = dict(masked.original.fields())[mention.field]
        for start, end, _ in spans_outside([(mention.start, mention.end, 0)], inside):
            for word in re.finditer(r"\w+", text[start:end]):
                if not no_name(word[0].lower()):
                    low, high = start + word.start(), start + word.end()
                    value = canonical(mention.type, word[0])
                    yield msgspec.structs.replace(
                        mention, start=low, end=high, original=word[0], value=value
                    )

    def _united(
        self, text: str, found: Sequence[Replacement | Mention], language: str, of: Document
    ) -> list[Replacement]:
        """Return the spans to mask in a text; overlapping ones are united under the longest."""
        pieces = list[Replacement]()
        document, by_place = of.id, of.by_place
        for start, end, number in disjoint_spans(
            (one.start, one.end, number) for number, one in enumerate(found)
        ):
            one, begin = found[number], start
            if isinstance(one, Mention):
                entity = self._unknown.entity(one.type, one.value)
                new = self._unknown(one.type, one.value, text[start:end], language, document)
                if (style := self._unknown.style(one.type)) in FITTED and not by_place:
                    free = pieces[-1].end if pieces else 0
                    begin, new = fit(text, free, start, end, new, style)
            elif (one.start, one.end) == (start, end):
                entity, new = one.entity, one.text
            else:
                entity, new = (
                    one.entity,
                    self._redactor.mask_for(one.entity, text[start:end], document),
                )
            pieces.append(Replacement(one.field, begin, end, entity, one.type, new))
        return pieces

    def _as_text(self, masked: Masked) -> MaskedText:
        spans, shift = [], 0
        for one in masked.replacements:
            start = one.start + shift
            shift += len(one.text) - (one.end - one.start)
            style = self._redactor.style_if_masked(one.entity)
            spans.append(
                MaskedSpan(
                    one.entity,
                    one.type,
                    style or self._unknown.style(one.type),
                    one.start,
                    one.end,
                    start,
                    start + len(one.text),
                    bool(style),
                )
            )
        return MaskedText(masked.content, tuple(spans))


def _whole_words(mention: Mention, text: str) -> Mention:
    """Return a mention extended to whole words, so that no mask stands within one."""
    start, end = mention.start, mention.end
    while start > 0 and is_word(text[start - 1]) and is_word(text[start]):
        start -= 1
    while end < len(text) and is_word(text[end]) and is_word(text[end - 1]):
        end += 1
    if (start, end) == (mention.start, mention.end):
        return mention
    return msgspec.structs.replace(mention, start=start, end=end, original=text[start:end])
