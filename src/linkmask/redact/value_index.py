"""Looks up the masked entities of many values at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkmask.records import Flags, Longs, Mention

NONE, SEVERAL = -1, -2


class Values:
    """The values of all masked entities.

    A look-up in a dict of them takes longer than all other work on a mention, because it waits for
    memory. Here hash and number are one entry of one array, and look-ups do not wait for each
    other.

    Args:
        values: those of the entities, by number.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self._values = values
        # The lower bits of an entry: 0 where it is free, all 1 where several entities have the
        # value, else 1 + the number. Above them: as much of the hash as there is room for.
        self._bits = (len(values) + 1).bit_length()
        self._lower = (1 << self._bits) - 1
        self._entries = np.zeros(4 << len(values).bit_length(), np.int64)
        hashes = column([hash(value) for value in values])
        entries = (hashes << self._bits) + np.arange(1, len(values) + 1)
        slots = hashes & (len(self._entries) - 1)
        unplaced = np.arange(len(values))
        while len(unplaced):
            # Of those that want one slot, the last one written has it; the others go on.
            free = self._entries[slots[unplaced]] == 0
            self._entries[slots[unplaced[free]]] = entries[unplaced[free]]
            unplaced = unplaced[self._entries[slots[unplaced]] != entries[unplaced]]
            alike = ~self._other(self._entries[slots[unplaced]], entries[unplaced])
            self._entries[slots[unplaced[alike]]] |= self._lower
            unplaced = unplaced[~alike]
            slots[unplaced] = (slots[unplaced] + 1) & (len(self._entries) - 1)

    def __reduce__(self) -> tuple[Any, ...]:
        return Values, (self._values,)  # another process hashes otherwise

    def __call__(self, mentions: Sequence[Mention]) -> Longs:
        """Return the number of the entity with each mention's value, `NONE`, or `SEVERAL`.

        Two values may have one hash: a number says whose value it can be, if anybody's.
        """
        hashes = column([hash(mention.value) for mention in mentions])
        slots, wanted = hashes & (len(self._entries) - 1), hashes << self._bits
        found: Longs = self._entries[slots]
        unresolved = np.flatnonzero(self._other(found, wanted) & (found != 0))
        while len(unresolved):
            slots[unresolved] = (slots[unresolved] + 1) & (len(self._entries) - 1)
            there = found[unresolved] = self._entries[slots[unresolved]]
            unresolved = unresolved[self._other(there, wanted[unresolved]) & (there != 0)]
        found &= self._lower
        found[found == self._lower] = SEVERAL + 1
        return found - 1

    def _other(self, entries: Longs, wanted: Longs) -> Flags:
        """Tell which entries are of another hash than the one that is wanted."""
        other: Flags = (entries ^ wanted) >> self._bits != 0
        return other


def column(numbers: Sequence[int]) -> Longs:
    """Return numbers as an array."""
    return np.fromiter(numbers, np.int64, len(numbers))
