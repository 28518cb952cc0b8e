"""Reads compound files (MS-CFB), the storage of old office formats and of Outlook's messages."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.source import Limits

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LAST = 0xFFFFFFFA
"""Numbers of sectors end below; what follows marks free sectors and ends of chains."""
STORAGE, ROOT = 1, 5
"""Types of entries."""
_ENTRY = 128


class DirectoryEntry(NamedTuple):
    """A storage or stream: its name, where it begins, its size, and its neighbours by number."""

    name: str
    type: int
    left: int
    right: int
    child: int
    start: int
    size: int


class Compound:
    """A compound file, whose streams are read when they are asked for.

    Raises:
        Flaw: it is damaged.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        if not data.startswith(MAGIC) or len(data) < 512:
            raise Flaw("not a compound file, as its ending says, or a damaged one")
        self._data, self._limits = data, limits
        shifts = struct.unpack_from("<HH", data, 0x1E)
        if shifts not in ((9, 6), (12, 6)):
            raise Flaw("a damaged compound file")
        self._sector = 1 << shifts[0]
        tables, directory = struct.unpack_from("<II", data, 0x2C)
        self._cutoff, small, _, more, _ = struct.unpack_from("<5I", data, 0x38)
        self._next = self._numbers(b"".join(map(self._read, self._tables(tables, more))))
        self._entries = list(map(_entry, _pieces(b"".join(self._chain(directory)))))
        if not self._entries or self._entries[0].type != ROOT:
            raise Flaw("a damaged compound file")
        self._small_next = self._numbers(b"".join(self._chain(small)))
        self._small = b"".join(self._chain(self._entries[0].start))

    def children(self, storage: int = 0) -> dict[str, int]:
        """Return the entries of a storage: name → number; the root's without one."""
        found: dict[str, int] = {}
        waiting, seen = [self._entries[storage].child], set[int]()
        while waiting:
            number = waiting.pop()
            if number < len(self._entries) and number not in seen:
                seen.add(number)
                entry = self._entries[number]
                found[entry.name] = number
                waiting += [entry.left, entry.right]
        return dict(sorted(found.items()))

    def is_storage(self, number: int) -> bool:
        """Tell whether an entry holds others."""
        return self._entries[number].type == STORAGE

    def stream(self, number: int) -> bytes:
        """Return what a stream holds."""
        entry = self._entries[number]
        self._limits.spend(entry.size)
        if entry.size >= self._cutoff:
            return b"".join(self._chain(entry.start))[: entry.size]
        numbers = _follow(entry.start, self._small_next)
        return b"".join(self._small[n * 64 : n * 64 + 64] for n in numbers)[: entry.size]

    def _tables(self, count: int, more: int) -> Iterator[int]:
        """Yield the numbers of the sectors that hold the table of chains."""
        numbers = list(struct.unpack_from("<109I", self._data, 0x4C))
        seen = set[int]()
        while more < LAST and more not in seen:
            seen.add(more)
            *held, more = self._numbers(self._read(more))
            numbers += held
        yield from (n for n in numbers[:count] if n < LAST)

    def _chain(self, start: int) -> Iterator[bytes]:
        return map(self._read, _follow(start, self._next))

    def _read(self, number: int) -> bytes:
        begin = (number + 1) * self._sector
        found = self._data[begin : begin + self._sector]
        if not found:
            raise Flaw("a damaged compound file")
        return found.ljust(self._sector, b"\0")

    @staticmethod
    def _numbers(data: bytes) -> tuple[int, ...]:
        return struct.unpack(f"<{len(data) // 4}I", data)


def _follow(start: int, following: tuple[int, ...]) -> Iterator[int]:
    """Yield the numbers of a chain; one that comes back to itself is damaged."""
    for _ in range(len(following) + 1):
        if start >= LAST:
            return
        yield start
        if start >= len(following):
            raise Flaw("a damaged compound file")
        start = following[start]
    raise Flaw("a damaged compound file")


def _pieces(data: bytes) -> Iterator[bytes]:
    return (data[at : at + _ENTRY] for at in range(0, len(data), _ENTRY))


def _entry(data: bytes) -> DirectoryEntry:
    length, kind = struct.unpack_from("<HB", data, 64)
    left, right, child = struct.unpack_from("<III", data, 68)
    start, size = struct.unpack_from("<II", data, 116)
    name = data[: max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
    return DirectoryEntry(name, kind, left, right, child, start, size)
