"""Stores the masked documents of a run between redaction and release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from linkmask.records import Document, Masked, Replacement
from linkmask.runs.unlinked_file import UnlinkedFile


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
    """Write what masking made of a document as JSON."""
    before = dict(masked.original.every_field()) if masked.written is not masked.original else {}
    fields = {
        name: text
        for name, text in (masked.written.every_field() if before else ())
        if text != before.get(name)
    }
    return ENCODER.encode(MaskedRow(masked.id, fields, list(masked.replacements)))


def row_in(line: bytes) -> MaskedRow:
    """Read it again."""
    return DECODER.decode(line)


class MaskedFile:
    """Masked documents in input order, appended one by one; any number of readers may read them.

    `documents` are the ids of those that it holds, `copied` of those that another file of the run
    held in the same words; `untouched` of those among them that were not masked again.

    Raises:
        RunError: the disk is full, or can't be written.
    """

    def __init__(self, folder: Path) -> None:
        self.documents: dict[str, None] = {}
        self.copied: set[str] = set()
        self.untouched: set[str] = set()
        self._file = UnlinkedFile(folder)

    def add(self, document: str, line: bytes, copied: bool = False) -> None:
        """Append what masking made of a document (`row_of`).

        Raises:
            RunError: the disk is full, or can't be written.
        """
        self.documents[document] = None
        if copied:
            self.copied.add(document)
        self._file.add(line)

    def rows(self) -> Iterator[tuple[str, MaskedRow]]:
        """Yield what masking made of each document, with its id, in input order.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        return ((row.document, row) for row in map(row_in, self._file.rows()))

    def lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield the same as it was written.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        return zip(self.documents, self._file.rows(), strict=True)
