"""Which masked entity has a value, asked for many values at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkmask.records import Longs

NONE, SEVERAL = -1, -2


class Values:
    """The values of all masked entities.

    A dict of them lies all over the memory, and one look into it takes longer than all else that
    is done to a mention. Here the hashes lie in two arrays, and the looks do not wait for one
    another.

    Args:
        values: those of the entities, by number.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self._values = values
        size = 1 << (2 * len(values)).bit_length()
        self._hashes = np.zeros(size, np.int64)
        self._numbers = np.full(size, NONE, np.int64)
        hashes = _hashes(values)
        slots = hashes & (size - 1)
        left = np.arange(len(values))
        while len(left):
            # Of those that want one slot, the last one written has it; the others go on.
            free = self._numbers[slots[left]] == NONE
            self._numbers[slots[left[free]]] = left[free]
            self._hashes[slots[left[free]]] = hashes[left[free]]
            left = left[self._numbers[slots[left]] != left]
            alike = self._hashes[slots[left]] == hashes[left]
            self._numbers[slots[left[alike]]] = SEVERAL
            left = left[~alike]
            slots[left] = (slots[left] + 1) & (size - 1)

    def __reduce__(self) -> tuple[Any, ...]:
        return Values, (self._values,)  # another process hashes otherwise

    def __call__(self, values: Sequence[str]) -> Longs:
        """Return the number of the entity with each value, `NONE`, or `SEVERAL`.

        Two values may have one hash: a number says whose value it can be, if anybody's.
        """
        hashes = _hashes(values)
        slots = hashes & (len(self._numbers) - 1)
        found = np.full(len(values), NONE, np.int64)
        left = np.arange(len(values))
        while len(left):
            numbers = self._numbers[slots]
            same = (self._hashes[slots] == hashes[left]) & (numbers != NONE)
            found[left[same]] = numbers[same]
            on = ~same & (numbers != NONE)
            left, slots = left[on], (slots[on] + 1) & (len(self._numbers) - 1)
        return found


def _hashes(values: Sequence[str]) -> Longs:
    return np.fromiter(map(hash, values), np.int64, len(values))
