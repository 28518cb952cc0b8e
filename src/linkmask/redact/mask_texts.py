"""Writes the text that stands in the place of a masked entity, by the entity's style."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import Any

import numpy as np

from linkmask.records import Longs
from linkmask.redact.match import Columns, join
from linkmask.redact.placeholders import StyleContext, Target, Writer
from linkmask.redact.styles import TELLS_APART, TRIES, VARIES, style_of
from linkmask.redact.value_index import column


class MaskTexts:
    """What is written over each masked entity.

    Texts that do not vary with the spelling are written once, before any document is masked.

    Args:
        ids: the masked entities, by number.
        styles: the name of the style of each, by number.
        writers: the writer of each style that is asked for every span.
        linkable: whether an entity is written alike in all documents.
        fixed: the text of each entity whose style is not among `writers`, by number; "" elsewhere.
    """

    def __init__(
        self,
        ids: Sequence[str],
        styles: Sequence[str],
        writers: Mapping[str, Writer],
        linkable: bool,
        fixed: Sequence[str] = (),
    ) -> None:
        self._ids, self.styles, self._writers = ids, styles, writers
        self._by_document = frozenset[str]() if linkable else TELLS_APART
        self._trying: dict[str, Any] = {n: one for n, one in writers.items() if n in TRIES}
        texts = list(dict.fromkeys(fixed))
        number = {text: place for place, text in enumerate(texts)}
        self._masks = column([number[mask] for mask in fixed])
        self._texts, self._joined = np.array(texts, np.object_), join(texts)

    @classmethod
    def of(
        cls,
        ids: Sequence[str],
        styles: Sequence[str],
        targets: Mapping[str, Target],
        context: StyleContext,
    ) -> MaskTexts:
        """Prepare the writer of each style for its entities."""
        own: dict[str, dict[str, Target]] = {name: {} for name in sorted(set(styles))}
        chosen = dict(zip(ids, styles, strict=True))
        for entity, target in targets.items():  # surrogates are drawn in this order
            own[chosen[entity]][entity] = target
        context = replace(context, everyone=targets)
        writers = {name: style_of(name)(held, context) for name, held in own.items()}
        asked = VARIES if context.linkable else VARIES | TELLS_APART
        both = zip(ids, styles, strict=True)
        fixed = ["" if style in asked else writers[style](entity, "", "") for entity, style in both]
        kept = {name: writers[name] for name in writers.keys() & asked}
        return cls(ids, styles, kept, context.linkable, fixed)

    @classmethod
    def on_request(
        cls,
        ids: Sequence[str],
        styles: Sequence[str],
        names: Iterable[str],
        targets: Mapping[str, Target],
        context: StyleContext,
    ) -> MaskTexts:
        """Prepare writers that are called for every span, so that no target is read before.

        `names`: the names of all styles among `styles`.
        """
        context = replace(context, everyone=targets)
        writers = {name: style_of(name)(targets, context) for name in names}
        return cls(ids, styles, writers, context.linkable)

    @property
    def attempts(self) -> Mapping[str, int]:
        """The try at which the text of each entity was found, in styles that try (`TRIES`)."""
        found: list[Mapping[str, int]] = [one.attempts for one in self._trying.values()]
        return found[0] if len(found) == 1 else ChainMap(*map(dict, found))

    def text(self, number: int, original: str, document: str = "") -> str:
        """Return what is written over a spelling of an entity in a document."""
        style = self.styles[number]
        if write := self._writers.get(style):
            own = document if style in self._by_document else ""
            return write(self._ids[number], original, own)
        text: str = self._texts[self._masks[number]]
        return text

    def in_style(self, numbers: Longs, names: Container[str]) -> list[tuple[int, str]]:
        """Return which of some entities are written in a style of these names, and in which.

        Each is given by its place among them.
        """
        if not any(name in names for name in self._writers):
            return []
        styles = ((place, self.styles[one]) for place, one in enumerate(numbers.tolist()))
        return [(place, style) for place, style in styles if style in names]

    def by_document(self, number: int) -> bool:
        """Tell whether the mask of an entity differs by document."""
        return self.styles[number] in self._by_document

    def _ready(self, pairs: Iterable[tuple[int, str]]) -> None:
        """Draw the texts of entities, by number, in documents at once."""
        due: dict[str, list[tuple[str, str]]] = {style: [] for style in self._trying}
        for number, document in pairs if due and self._by_document else ():
            if (style := self.styles[number]) in due:
                due[style].append((self._ids[number], document))
        for style, own in due.items():
            self._trying[style].draw(own)

    def over(
        self, text: str, spans: Columns, documents: Sequence[str]
    ) -> tuple[list[str], tuple[str, Longs], Longs]:
        """Return what is written over each span of a text, of which each has its document's id.

        Returns:
            The text for each span; the same texts joined, with where each begins; and for each
            span, which of the joined ones it is.
        """
        starts, ends, numbers = spans
        if not self._writers:
            which = self._masks[numbers]
            return self._texts[which].tolist(), self._joined, which
        where = zip(*(one.tolist() for one in (numbers, starts, ends)), documents, strict=True)
        rows = [(number, text[start:end], name) for number, start, end, name in where]
        self._ready((number, name) for number, _, name in rows)
        masks = list(starmap(self.text, rows))
        return masks, join(masks), np.arange(len(masks))
