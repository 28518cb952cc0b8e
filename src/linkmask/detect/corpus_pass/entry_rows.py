"""Keeps the entries of a vocabulary as rows of MessagePack; an entry is made when it is read.

A corpus has ten spellings a document. As objects each takes some four hundred bytes, and forked
processes copy them when they read one. An update looks for a few of them in a few documents. So
each row is kept with the first bytes of its spelling: a spelling can stand only in texts that hold
these, and the others are not even decoded.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from linkmask.workers import batches

HEAD, SHORT = 8, 4
"""First bytes of a spelling by which it is told where it can stand; those of a shorter one."""
SLOTS = 1 << 20
MIXER = np.uint64(0x9E3779B97F4A7C15)
"""Odd factor (2^64 divided by the golden ratio) that spreads heads over the slots of a table."""
ROWS = 10_000
"""Entries that are made columns together."""
ENCODER = msgspec.msgpack.Encoder()
PAIR = b"\x92"
"""First byte of a list of two in MessagePack."""


class VocabularyEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a spelling stands for, and how sure that is in [0, 1]; `trigger`: see `trigger_for`.

    `distinctive`: it is looked for where words touch it, too (`touching_words`).
    """

    value: str
    type: str
    score: float
    rule: str
    trigger: str
    distinctive: bool = False


ROW = msgspec.msgpack.Decoder(tuple[str, VocabularyEntry])


class EntryBatch(msgspec.Struct, array_like=True):
    """Rows of a vocabulary as columns.

    `rows`: spelling and entry as MessagePack, row after row, and `sizes` the bytes of each (32
    bits). `hashes`: CRC-32 of each spelling. `heads`: its first `HEAD` bytes as a number of 64
    bits; of one with fewer the first `SHORT`; of one with fewer than these 0.
    """

    rows: bytes = b""
    sizes: bytes = b""
    hashes: bytes = b""
    heads: bytes = b""


def batches_of(entries: Mapping[str, VocabularyEntry]) -> Iterator[EntryBatch]:
    """Yield entries as columns, `ROWS` at a time."""
    return map(batch_of, batches(entries.items(), ROWS))


def batch_of(entries: Iterable[tuple[str, VocabularyEntry]]) -> EntryBatch:
    """Return entries as columns."""
    rows, hashes, heads = list[bytes](), list[int](), list[int]()
    for spelling, entry in entries:
        data = _bytes(spelling)
        rows.append(PAIR + ENCODER.encode(spelling) + ENCODER.encode(entry))
        hashes.append(crc32(data))
        size = HEAD if len(data) >= HEAD else SHORT if len(data) >= SHORT else 0
        heads.append(int.from_bytes(data[:size], "little"))
    sizes = np.array([*map(len, rows)], np.uint32)
    columns = sizes, np.array(hashes, np.uint32), np.array(heads, np.uint64)
    return EntryBatch(b"".join(rows), *(column.tobytes() for column in columns))


class EntryRows(Mapping[str, VocabularyEntry]):
    """The entries of a vocabulary by spelling, in their order."""

    def __init__(self, batches: Iterable[EntryBatch]) -> None:
        columns = [*zip(*map(msgspec.structs.astuple, batches), strict=True)] or [()] * 4
        self._rows, sizes, hashes, heads = map(b"".join, columns)
        self._sizes, self._heads = np.frombuffer(sizes, np.uint32), np.frombuffer(heads, np.uint64)
        self._hashes = np.frombuffer(hashes, np.uint32)
        self._ends = array("q", np.append(0, np.cumsum(self._sizes, dtype=np.int64)).tobytes())
        order = np.argsort(self._hashes).astype(np.int32)
        self._order = array("i", order.tobytes())
        self._sorted = array("I", self._hashes[order].tobytes())

    def __len__(self) -> int:
        return len(self._sizes)

    def __iter__(self) -> Iterator[str]:
        return (self._row(number)[0] for number in range(len(self)))

    def __getitem__(self, spelling: str) -> VocabularyEntry:
        return self.at(self._number(spelling))

    def at(self, number: int) -> VocabularyEntry:
        """Return the entry of the spelling with this number."""
        return self._row(number)[1]

    def in_texts(self, texts: Iterable[str]) -> dict[str, VocabularyEntry]:
        """Return all entries whose spelling stands in one of some texts, and some others."""
        joined = _bytes("\n".join(texts))
        heads = np.concatenate([[np.uint64(0)], *(_windows(joined, n) for n in (HEAD, SHORT))])
        near = np.zeros(SLOTS, np.bool_)
        near[_slots(heads)] = True
        hits = np.flatnonzero(near[_slots(self._heads)])
        hits = hits[np.isin(self._heads[hits], heads)]
        return dict(map(self._row, hits.tolist()))

    def without(self, spellings: Iterable[str]) -> EntryBatch:
        """Return the rows of all other spellings."""
        stay = np.ones(len(self), np.bool_)
        stay[[self._number(one) for one in spellings if one in self]] = False
        edges = np.flatnonzero(np.diff(stay, prepend=False, append=False)).tolist()
        runs = zip(edges[::2], edges[1::2], strict=True)
        rows = b"".join(self._rows[self._ends[a] : self._ends[b]] for a, b in runs)
        columns = self._sizes, self._hashes, self._heads
        return EntryBatch(rows, *(column[stay].tobytes() for column in columns))

    def _row(self, number: int) -> tuple[str, VocabularyEntry]:
        return ROW.decode(self._rows[self._ends[number] : self._ends[number + 1]])

    def _number(self, spelling: str) -> int:
        """Return the number of a spelling's row.

        Raises:
            KeyError: it has none.
        """
        wanted = crc32(_bytes(spelling))
        at = bisect_left(self._sorted, wanted)
        while at < len(self._sorted) and self._sorted[at] == wanted:
            if self._row(self._order[at])[0] == spelling:
                return self._order[at]
            at += 1
        raise KeyError(spelling)


class GrownEntries(Mapping[str, VocabularyEntry]):
    """Entries that were kept, except those of some spellings, and new ones behind them.

    `changed`: the spellings that were decided anew; `new`: the entries that these have now.
    """

    def __init__(
        self, kept: EntryRows, changed: Collection[str], new: Mapping[str, VocabularyEntry]
    ) -> None:
        self._kept, self._changed, self._new = kept, frozenset(changed), new
        self._length = len(kept) - sum(one in kept for one in self._changed) + len(new)

    def __getitem__(self, spelling: str) -> VocabularyEntry:
        return self._new[spelling] if spelling in self._changed else self._kept[spelling]

    def __iter__(self) -> Iterator[str]:
        yield from (spelling for spelling in self._kept if spelling not in self._changed)
        yield from self._new

    def __len__(self) -> int:
        return self._length

    def in_texts(self, texts: Iterable[str]) -> dict[str, VocabularyEntry]:
        """Return all entries whose spelling stands in one of some texts, and some others."""
        near = self._kept.in_texts(texts)
        return {s: one for s, one in near.items() if s not in self._changed} | {**self._new}

    def batches(self) -> Iterator[EntryBatch]:
        """Yield the entries as they are kept."""
        yield self._kept.without(self._changed)
        yield batch_of(self._new.items())


def _windows(data: bytes, size: int) -> NDArray[np.uint64]:
    """Return each piece of so many bytes as a number, each once."""
    if len(data) < size:
        return np.zeros(0, np.uint64)
    held = np.frombuffer(data, np.uint8)
    whole = np.zeros(len(data) - size + 1, np.uint64)
    for at in range(size):
        whole |= held[at : len(data) - size + 1 + at].astype(np.uint64) << np.uint64(8 * at)
    return np.unique(whole)


def _slots(heads: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return (heads * MIXER) >> np.uint64(44)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
