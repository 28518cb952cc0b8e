"""Writes the text that stands in the place of a masked entity, by the entity's style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from linkmask.records import Longs
from linkmask.redact.match import Columns, join
from linkmask.redact.placeholders import StyleContext, Target, Writer
from linkmask.redact.styles import VARIES, style_of
from linkmask.redact.value_index import column


class MaskTexts:
    """What is written over each masked entity.

    Texts that do not vary with the spelling are written once, before any document is masked.

    Args:
        ids: the masked entities, by number.
        styles: the name of the style of each, by number.
        writers: the writer of each style that is asked for every span.
        fixed: the text of each entity whose style is not among `writers`, by number; "" elsewhere.
    """

    def __init__(
        self,
        ids: Sequence[str],
        styles: Sequence[str],
        writers: Mapping[str, Writer],
        fixed: Sequence[str] = (),
    ) -> None:
        self._ids, self.styles, self._writers = ids, styles, writers
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
        means: StyleContext,
    ) -> MaskTexts:
        """Ready the writer of each style for the entities that are written in it."""
        own: dict[str, dict[str, Target]] = {name: {} for name in sorted(set(styles))}
        chosen = dict(zip(ids, styles, strict=True))
        for entity, target in targets.items():  # surrogates are drawn in this order
            own[chosen[entity]][entity] = target
        writers = {name: style_of(name)(held, means) for name, held in own.items()}
        both = zip(ids, styles, strict=True)
        fixed = ["" if style in VARIES else writers[style](entity, "") for entity, style in both]
        return cls(ids, styles, {n: writers[n] for n in writers.keys() & VARIES}, fixed)

    @classmethod
    def asked(
        cls,
        ids: Sequence[str],
        styles: Sequence[str],
        names: Iterable[str],
        targets: Mapping[str, Target],
        means: StyleContext,
    ) -> MaskTexts:
        """Ready writers that are asked for every span, so that no target need be read before.

        `names`: the names of all styles among `styles`.
        """
        return cls(ids, styles, {name: style_of(name)(targets, means) for name in names})

    @property
    def attempts(self) -> Mapping[str, int]:
        """The try at which each surrogate was drawn; empty where none is written."""
        writer = self._writers.get("surrogate")
        return getattr(writer, "attempts", {})

    def text(self, number: int, original: str) -> str:
        """Return what is written over a spelling of an entity."""
        if write := self._writers.get(self.styles[number]):
            return write(self._ids[number], original)
        text: str = self._texts[self._masks[number]]
        return text

    def varies(self, number: int) -> bool:
        """Tell whether what is written over an entity may be another text for each spelling."""
        return self.styles[number] in self._writers

    def over(self, text: str, spans: Columns) -> tuple[list[str], tuple[str, Longs], Longs]:
        """Return what is written over each span of a text.

        Returns:
            The text for each span; the same texts joined, with where each begins; and for each
            span, which of the joined ones it is.
        """
        starts, ends, numbers = spans
        if not self._writers:
            which = self._masks[numbers]
            return self._texts[which].tolist(), self._joined, which
        where = zip(numbers.tolist(), starts.tolist(), ends.tolist(), strict=True)
        masks = [self.text(number, text[start:end]) for number, start, end in where]
        return masks, join(masks), np.arange(len(masks))
