"""Stores replacements as columns, and makes an object only when one is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from linkmask.records import Longs, Replacement
from linkmask.redact.locations import EntityIndex
from linkmask.redact.match import Columns


class ReplacementColumns:
    """What was written over in some documents, a row each.

    Args:
        names: those of the texts' fields.
        of: in which text each row is.
        columns: its start and end there, and the number of its entity.
        texts: what stands there now.
        entity_index: ids and types of the entities by number.
    """

    def __init__(
        self,
        names: Sequence[str],
        of: Longs,
        columns: Columns,
        texts: list[str],
        entity_index: EntityIndex,
    ) -> None:
        self._names, self._of, self._columns, self._texts = names, of, columns, texts
        self._entity_index = entity_index

    @cached_property
    def rows(self) -> list[Replacement]:
        """All of them, made when one is asked for."""
        names = [self._names[text] for text in self._of.tolist()]
        starts, ends, numbers = (column.tolist() for column in self._columns)
        ids = map(self._entity_index.ids.__getitem__, numbers)
        types = self._entity_index.types_of(self._columns[2])
        return list(map(Replacement, names, starts, ends, ids, types, self._texts))


class Replacements(Sequence[Replacement]):
    """The rows `[first, stop)` of `made`."""

    __slots__ = ("_first", "_made", "_stop")

    def __init__(self, made: ReplacementColumns, first: int, stop: int) -> None:
        self._made, self._first, self._stop = made, first, stop

    def __len__(self) -> int:
        return self._stop - self._first

    def __iter__(self) -> Iterator[Replacement]:
        return iter(self._made.rows[self._first : self._stop])

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
