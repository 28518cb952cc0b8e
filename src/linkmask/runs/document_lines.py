"""Reads the lines of single documents from a log of mentions."""

from __future__ import annotations

import os
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from linkmask.runs.damaged_file import damaged
from linkmask.runs.mentions import line_head

PIECE = 1 << 22
"""Bytes that are read at once of consecutive documents."""


class DocumentLines(Mapping[str, bytes]):
    """The lines of each document in a log, by its id, in the log's order.

    Only what is asked for is read. The log may be replaced meanwhile, but not written over.
    A `RunError` tells that lines are damaged.

    Args:
        path: the log's file.
        documents: those of the log, each once, as they follow one another.
        sizes: the bytes of the lines of each.
    """

    def __init__(self, path: Path, documents: Sequence[str], sizes: Sequence[int]) -> None:
        self._path = path
        self._number = dict(zip(documents, range(len(documents)), strict=True))
        self._ends = array("q", [0])
        self._ends.frombytes(np.cumsum(sizes, dtype=np.int64).tobytes())
        self._other: DocumentLines | None = None
        self._differing: Sequence[str] = ()
        self._file = -1
        if self._number:
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            weakref.finalize(self, os.close, self._file)

    def __getitem__(self, document: str) -> bytes:
        number = self._number[document]
        size = self.size(document)
        lines = os.pread(self._file, size, self._ends[number])
        if len(lines) != size or (size and not lines.startswith(line_head(document))):
            raise damaged(self._path)  # or else another document's mentions would be masked in it
        return lines

    def __contains__(self, document: object) -> bool:
        return document in self._number

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def __len__(self) -> int:
        return len(self._number)

    def differing(self, other: DocumentLines) -> Sequence[str]:
        """Return the documents whose lines differ in another log, or that only this one has.

        Of the log that was compared last, the answer is known.
        """
        if self._other is not other:
            self._other, self._differing = other, list(self._found_differing(other))
        return self._differing

    def _found_differing(self, other: DocumentLines) -> Iterator[str]:
        """Compare documents that stand together in both logs at once."""
        together: list[str] = []
        begin, end, there, held = 0, 0, 0, -1
        for document, number in self._number.items():
            known = other._number.get(document, -1)
            first, last = self._ends[number], self._ends[number + 1]
            if known < 0 or other.size(document) != last - first:
                yield document
                continue
            at = other._ends[known]
            if first != end or at != held or end - begin > PIECE:
                yield from self._compared(other, together, begin, end, there)
                together, begin, there = [], first, at
            together.append(document)
            end, held = last, at + last - first
        yield from self._compared(other, together, begin, end, there)

    def _compared(
        self, other: DocumentLines, together: Sequence[str], begin: int, end: int, there: int
    ) -> Iterator[str]:
        size = end - begin
        if size and os.pread(self._file, size, begin) != os.pread(other._file, size, there):
            yield from (one for one in together if self[one] != other[one])

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
