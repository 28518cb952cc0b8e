"""Stores the masked documents of a run between redaction and release.

They lie in the run folder in a file without a name, which only this process can open and which is
gone when it ends, however it ends. So nothing of them stays in a run: a command that goes on with
it never meets the masks of another plan, and `forget` has nothing to erase there.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import msgspec

from linkmask.errors import RunError
from linkmask.records import Document, Masked, Replacement

BUFFER = 1 << 20


class MaskedRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What masking made of a document: the fields that it changed, and its replacements.

    All else is as it was read, so that no copy of the originals is kept.
    """

    document: str
    fields: dict[str, str]
    replacements: list[Replacement]

    def over(self, document: Document) -> Masked:
        """Return the masked document, given the one that was read."""
        return Masked(document, document.with_fields(self.fields), self.replacements)


ENCODER = msgspec.json.Encoder()
DECODER = msgspec.json.Decoder(MaskedRow)


def row_of(masked: Masked) -> bytes:
    """Write what masking made of a document as a line of JSON."""
    before = dict(masked.original.every_field()) if masked.written is not masked.original else {}
    fields = {
        name: text
        for name, text in (masked.written.every_field() if before else ())
        if text != before.get(name)
    }
    return ENCODER.encode(MaskedRow(masked.id, fields, list(masked.replacements))) + b"\n"


def row_in(line: bytes) -> MaskedRow:
    """Read a line again."""
    return DECODER.decode(line)


class MaskedFile:
    """Masked documents in input order, appended one by one; any number of readers may read them.

    `documents` are the ids of those that it holds, `copied` of those that another file of the run
    held in the same words.

    Raises:
        RunError: the disk is full, or can't be written.
    """

    def __init__(self, folder: Path) -> None:
        self.documents: set[str] = set()
        self.copied: set[str] = set()
        self._folder = folder
        try:
            self._file = TemporaryFile(  # noqa: SIM115 - open as long as it is needed
                buffering=BUFFER, dir=folder, prefix=".masked-", suffix=".partial"
            )
        except OSError as error:
            raise self._full(error) from None

    def add(self, document: str, line: bytes, copied: bool = False) -> None:
        """Append what masking made of a document (`row_of`).

        Raises:
            RunError: the disk is full, or can't be written.
        """
        self.documents.add(document)
        if copied:
            self.copied.add(document)
        try:
            self._file.write(line)
        except OSError as error:
            raise self._full(error) from None

    def rows(self) -> Iterator[tuple[str, MaskedRow]]:
        """Yield what masking made of each document, with its id, in input order.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        return ((row.document, row) for row in map(row_in, self._lines()))

    def lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield the same as it was written.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        return ((row_in(line).document, line) for line in self._lines())

    def _lines(self) -> Iterator[bytes]:
        try:
            self._file.flush()
        except OSError as error:
            raise self._full(error) from None
        return io.BufferedReader(_Reader(self._file), BUFFER)

    def _full(self, error: OSError) -> RunError:
        return RunError(f"can't write to {self._folder}: {error.strerror}")


class _Reader(io.RawIOBase):
    """Reads an open file from its beginning, apart from all others that read it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._at = file, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = os.preadv(self._file.fileno(), [buffer], self._at)
        self._at += count
        return count
