"""Reads the entries of a kept vocabulary row by row, so that an update decodes only what it needs.

A corpus has ten spellings a document, and an update looks for a few of them in a few documents. So
each row is kept with the first bytes of its spelling: a spelling can stand only in texts that hold
these, and the others are not even decoded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from linkmask.detect.corpus_pass.entry_table import VocabularyEntry

HEAD, SHORT = 8, 4
"""First bytes of a spelling by which it is told where it can stand; those of a shorter one."""
SLOTS = 1 << 20
MIXER = np.uint64(0x9E3779B97F4A7C15)
"""Odd factor (2^64 divided by the golden ratio) that spreads heads over the slots of a table."""
ENCODER = msgspec.msgpack.Encoder()
ROW = msgspec.msgpack.Decoder(tuple[str, VocabularyEntry])
PAIR = b"\x92"
"""First byte of a list of two in MessagePack."""


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


def batch_of(entries: Iterable[tuple[str, VocabularyEntry]]) -> EntryBatch:
    """Return entries as columns."""
    rows, hashes, heads = list[bytes](), list[int](), list[int]()
    for spelling, entry in entries:
        data = spelling.encode("utf-8", "surrogatepass")
        rows.append(PAIR + ENCODER.encode(spelling) + ENCODER.encode(entry))
        hashes.append(crc32(data))
        size = HEAD if len(data) >= HEAD else SHORT if len(data) >= SHORT else 0
        heads.append(int.from_bytes(data[:size], "little"))
    sizes = np.array([*map(len, rows)], np.uint32)
    columns = sizes, np.array(hashes, np.uint32), np.array(heads, np.uint64)
    return EntryBatch(b"".join(rows), *(column.tobytes() for column in columns))


class EntryRows(Mapping[str, VocabularyEntry]):
    """The entries of a vocabulary that was kept, by spelling, in their order."""

    def __init__(self, batches: Sequence[EntryBatch]) -> None:
        def column(name: str, kind: Any) -> NDArray[Any]:
            return np.frombuffer(b"".join(getattr(one, name) for one in batches), kind)

        self._rows = b"".join(one.rows for one in batches)
        self._sizes = column("sizes", np.uint32)
        self._hashes, self._heads = column("hashes", np.uint32), column("heads", np.uint64)
        self._ends = np.append(0, np.cumsum(self._sizes, dtype=np.int64))
        self._order = np.argsort(self._hashes)
        self._sorted = self._hashes[self._order]

    def __len__(self) -> int:
        return len(self._sizes)

    def __iter__(self) -> Iterator[str]:
        return (self._row(number)[0] for number in range(len(self)))

    def __getitem__(self, spelling: str) -> VocabularyEntry:
        for _, entry in self._at([spelling]).values():
            return entry
        raise KeyError(spelling)

    def __contains__(self, spelling: object) -> bool:
        return isinstance(spelling, str) and bool(self._at([spelling]))

    def found(self, spellings: Collection[str]) -> dict[str, VocabularyEntry]:
        """Return the entries of those of some spellings that have one."""
        return dict(self._at(spellings).values())

    def in_texts(self, texts: Iterable[str]) -> dict[str, VocabularyEntry]:
        """Return all entries whose spelling stands in one of some texts, and some others."""
        joined = "\n".join(texts).encode("utf-8", "surrogatepass")
        heads = np.concatenate([[np.uint64(0)], *(_windows(joined, n) for n in (HEAD, SHORT))])
        near = np.zeros(SLOTS, np.bool_)
        near[_slots(heads)] = True
        hits = np.flatnonzero(near[_slots(self._heads)])
        hits = hits[np.isin(self._heads[hits], heads)]
        return dict(map(self._row, hits.tolist()))

    def without(self, spellings: Collection[str]) -> EntryBatch:
        """Return the rows of all other spellings."""
        stay = np.ones(len(self), np.bool_)
        stay[list(self._at(spellings))] = False
        edges = np.flatnonzero(np.diff(stay, prepend=False, append=False)).tolist()
        runs = zip(edges[::2], edges[1::2], strict=True)
        rows = b"".join(self._rows[self._ends[a] : self._ends[b]] for a, b in runs)
        columns = self._sizes, self._hashes, self._heads
        return EntryBatch(rows, *(column[stay].tobytes() for column in columns))

    def _row(self, number: int) -> tuple[str, VocabularyEntry]:
        return ROW.decode(self._rows[self._ends[number] : self._ends[number + 1]])

    def _at(self, spellings: Collection[str]) -> dict[int, tuple[str, VocabularyEntry]]:
        """Return the rows of those of some spellings that have one, by their numbers."""
        wanted = list(spellings)
        data = (one.encode("utf-8", "surrogatepass") for one in wanted)
        hashes = np.fromiter(map(crc32, data), np.uint32, len(wanted))
        begins = np.searchsorted(self._sorted, hashes, "left").tolist()
        ends = np.searchsorted(self._sorted, hashes, "right").tolist()
        found = {}
        for spelling, begin, end in zip(wanted, begins, ends, strict=True):
            for number in self._order[begin:end].tolist() if end > begin else ():
                row = self._row(number)
                if row[0] == spelling:
                    found[number] = row
        return found


class GrownEntries(Mapping[str, VocabularyEntry]):
    """Entries that were kept, except those of some spellings, and new ones behind them.

    `changed`: the spellings that were decided anew; `new`: the entries that these have now.
    """

    def __init__(
        self, kept: EntryRows, changed: Collection[str], new: Mapping[str, VocabularyEntry]
    ) -> None:
        self._kept, self._changed, self._new = kept, frozenset(changed), new
        self._length = len(kept) - len(kept.found(self._changed)) + len(new)

    def get(self, spelling: str, default: Any = None, /) -> Any:
        """Return the entry of a spelling, or the default."""
        if spelling in self._changed:
            return self._new.get(spelling, default)
        return self._kept.get(spelling, default)

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
