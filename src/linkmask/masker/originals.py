"""Finds masks in texts, and the originals that they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from linkmask.masker.holders import Holders
from linkmask.records import Replacement
from linkmask.redact import REVERSIBLE, VARIES, Redactor, Target
from linkmask.redact.match import Matcher
from linkmask.redact.splice import Span, disjoint_spans, splice
from linkmask.runs.arrays import TextArray, text_arrays


class Originals:
    """The original of each mask that can be undone.

    A placeholder stands for the spelling nearest to its entity's value, or else the longest; a
    surrogate for the spelling that it was made of. A mask that stands for several entities stays.
    """

    def __init__(self, matcher: Matcher, originals: Sequence[str]) -> None:
        self._matcher, self._originals = matcher, originals

    @classmethod
    def of(cls, redactor: Redactor, holders: Holders) -> Originals:
        """Return the originals of all masks that a redactor writes.

        Args:
            holders: the documents of entities that are written otherwise in each.
        """
        means: dict[str, tuple[str, str]] = {}
        for entity, target in redactor.targets.items():
            style = redactor.style(entity)
            if style not in REVERSIBLE:
                continue
            spellings = _spellings(target, every=style in VARIES)
            documents = ["", *holders[redactor.entity_index.numbers[entity]]]
            for spelling, document in product(spellings, documents):
                mask = redactor.mask_for(entity, spelling, document)
                if means.setdefault(mask, (entity, spelling))[0] != entity:
                    means[mask] = ("", mask)
        masks = [mask for mask, (entity, _) in means.items() if entity]
        return cls(Matcher(masks), [means[mask][1] for mask in masks])

    @classmethod
    def stored(cls, columns: Mapping[str, Any]) -> Originals:
        """Return originals over the arrays that `columns` gave."""
        texts = TextArray(columns["originals"], columns["original_begins"])
        return cls(Matcher.stored(columns), texts)

    def columns(self) -> dict[str, Any]:
        """Return all of it as arrays by name."""
        data, begins = text_arrays(self._originals)
        return {**self._matcher.columns(), "originals": data, "original_begins": begins}

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return where masks stand in each text, disjoint, each with its number."""
        return [disjoint_spans(hits) for hits in self._matcher.find(texts)]

    def put_back(self, text: str) -> str:
        """Return a text with the originals of its masks."""
        (spans,) = self.spans([text])
        pieces = [Replacement("", s, e, "", "", self._originals[number]) for s, e, number in spans]
        return splice(text, pieces)


def _spellings(target: Target, every: bool) -> list[str]:
    """Return an entity's spellings: that of its normalized value, then by falling length.

    Unless `every`, only the first of them is returned.
    """

    def place(spelling: str) -> tuple[bool, int]:
        return spelling.casefold() != target.value, -len(spelling)

    spellings = [*target.surfaces, *target.forms]
    if every or not spellings:
        return sorted(spellings, key=place)
    return [min(spellings, key=place)]
