"""Stores ids of entities by the million as one text; a string is made when one is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

WIDTH = 32
"""Hex digits of an id (`records.entity_id`)."""


class Strings(Sequence[str]):
    """A sequence that makes each string when it is asked for, by `_at`; a slice is a list."""

    __slots__ = ()

    def _at(self, index: int) -> str:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(len(self)))]
        return self._at(index)


class Ids(Strings):
    """A sequence of ids that is one text, without a string for each.

    Args:
        text: the ids, `WIDTH` hex digits each, nothing between them.

    Raises:
        ValueError: the text is no whole number of ids, or not ASCII.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        if len(text) % WIDTH or not text.isascii():
            raise ValueError("not a whole number of ids")
        self.text = text

    def __len__(self) -> int:
        return len(self.text) // WIDTH

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ids) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __iter__(self) -> Iterator[str]:
        size = len(self.text)
        ends = range(WIDTH, size + 1, WIDTH)
        return map(self.text.__getitem__, map(slice, range(0, size, WIDTH), ends))

    def _at(self, index: int) -> str:
        at = range(len(self))[index] * WIDTH
        return self.text[at : at + WIDTH]

    def take(self, numbers: Any) -> Ids:
        """Return the ids at these places, an array of whole numbers, in its order."""
        letters = np.frombuffer(self.text.encode(), dtype=f"S{WIDTH}")
        return Ids(letters[numbers].tobytes().decode())


def texts_at(texts: Sequence[str], numbers: Any) -> Sequence[str]:
    """Return the texts at some places, an array of whole numbers, in its order."""
    return texts.take(numbers) if isinstance(texts, Ids) else [texts[n] for n in numbers.tolist()]
