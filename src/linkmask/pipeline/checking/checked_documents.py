"""Keeps the result of a check for each masked document, in the run folder and not in memory.

For a million documents these results would be ten million objects, one for each readable value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from linkmask.records import Mention
from linkmask.runs import UnlinkedFile
from linkmask.verify import Inspected


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """The result of checking one masked document.

    `fresh` holds the mentions that detection had not found at their place before masking, in
    offsets of the original. `digest` is that of the masked document; only a document with this
    digest may be released.
    """

    inspected: Inspected
    fresh: Sequence[Mention]
    digest: str


class CheckedRow(msgspec.Struct, array_like=True, gc=False):
    """A `CheckedDocument` as bytes, which one process makes and another keeps.

    `fresh`: whether there is any.
    """

    digest: str
    fresh: bool
    data: bytes

    @classmethod
    def of(cls, one: CheckedDocument) -> CheckedRow:
        """Return a result as a row."""
        return cls(one.digest, bool(one.fresh), ENCODER.encode(one))


ENCODER = msgspec.msgpack.Encoder()
DECODER = msgspec.msgpack.Decoder(CheckedDocument)


class CheckedDocuments:
    """The results of one check, appended document by document.

    `digests`: of each document. `fresh`: the new mentions of documents that have some.

    Raises:
        RunError: the disk is full, or can't be written.
    """

    def __init__(self, folder: Path) -> None:
        self.digests: dict[str, str] = {}
        self.fresh: dict[str, Sequence[Mention]] = {}
        self._file = UnlinkedFile(folder)

    def add(self, document: str, one: CheckedRow) -> None:
        """Append the result of a document, once.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        self.digests[document] = one.digest
        if one.fresh:
            self.fresh[document] = DECODER.decode(one.data).fresh
        self._file.add(one.data)

    def rows(self) -> Iterator[tuple[str, CheckedDocument]]:
        """Yield each document with its result, in the order of the check."""
        return zip(self.digests, map(DECODER.decode, self._file.rows()), strict=True)
