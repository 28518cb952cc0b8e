"""Reads the lines of single documents out of a log of mentions, where they stand."""

from __future__ import annotations

import os
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

PIECE = 1 << 22
"""Bytes that are read at once of documents that stand one after another."""


class DocumentLines(Mapping[str, bytes]):
    """The lines of each document in a log, by its id, in the log's order.

    Only what is asked for is read. The log may be replaced meanwhile, but not written over.

    Args:
        path: the log's file.
        sizes: each document of the log with the bytes of its lines, as they follow one another.
    """

    def __init__(self, path: Path, sizes: Iterable[tuple[str, int]]) -> None:
        self._number: dict[str, int] = {}
        self._ends = array("q", [0])
        for document, size in sizes:
            self._number[document] = len(self._number)
            self._ends.append(self._ends[-1] + size)
        self._file = -1
        if self._number:
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            weakref.finalize(self, os.close, self._file)

    def __getitem__(self, document: str) -> bytes:
        number = self._number[document]
        return os.pread(self._file, self.size(document), self._ends[number])

    def __contains__(self, document: object) -> bool:
        return document in self._number

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def __len__(self) -> int:
        return len(self._number)

    def size(self, document: str) -> int:
        """Return the number of bytes of a document's lines."""
        number = self._number[document]
        return self._ends[number + 1] - self._ends[number]

    def joined(self, documents: Iterable[str]) -> Iterator[bytes]:
        """Yield the lines of some documents, of those that stand together at once."""
        begin = end = 0
        for document in documents:
            number = self._number[document]
            if self._ends[number] != end or end - begin > PIECE:
                yield os.pread(self._file, end - begin, begin)
                begin = self._ends[number]
            end = self._ends[number + 1]
        yield os.pread(self._file, end - begin, begin) if end > begin else b""
