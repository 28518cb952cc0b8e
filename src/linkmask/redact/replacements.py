"""What was written over, as columns; objects only where somebody looks at one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from linkmask.records import Replacement


class Made(NamedTuple):
    """What was written over in some documents, a row each; the last three go by number."""

    field: Sequence[str]
    start: Sequence[int]
    end: Sequence[int]
    number: Sequence[int]
    text: Sequence[str]
    ids: Sequence[str]
    kinds: Sequence[int]
    types: Sequence[str]


class Replacements(Sequence[Replacement]):
    """The rows `[first, stop)` of `made`."""

    __slots__ = ("_first", "_made", "_stop")

    def __init__(self, made: Made, first: int, stop: int) -> None:
        self._made, self._first, self._stop = made, first, stop

    def __len__(self) -> int:
        return self._stop - self._first

    def __iter__(self) -> Iterator[Replacement]:
        made, rows = self._made, slice(self._first, self._stop)
        columns = (column[rows] for column in made[:5])
        for field, start, end, number, text in zip(*columns, strict=True):
            kind = made.types[made.kinds[number]]
            yield Replacement(field, start, end, made.ids[number], kind, text)

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)  # not all the other rows with them

    def up_to(self, last: Replacements) -> Replacements:
        """Return these and all that follow, to the end of `last`."""
        return Replacements(self._made, self._first, last._stop)
