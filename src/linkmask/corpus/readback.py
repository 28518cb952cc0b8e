"""Reads written files again and compares them with what was masked and checked."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.corpus import document_files, json_read
from linkmask.corpus.fields import Parts
from linkmask.corpus.files import File, Flaw, UnwritableRows
from linkmask.corpus.formats import FORMATS
from linkmask.records import Document, Masked

COMPARED = {document_files: document_files.comparable}
"""Formats whose layout may follow what is masked → what of a field is compared."""
DIFFERS = "what was written is not what was masked: it can't be written back"


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


ENCODER = msgspec.json.Encoder(enc_hook=_plain, order="deterministic")


def record_digest(document: Document | Parts) -> str:
    """Return the digest of a written document, 16 hex digits, which shows later changes.

    All of its fields count, by name and value, also those that are excluded; its id does not. The
    order of keys does not count, nor a key without a value: a table has a null in each row that
    lacks the key.
    """
    fields: Any = document.content, document.metadata, document.others
    data = _encoded(fields)
    if b":null" in data:
        data = _encoded(_without_nulls(fields))
    return sha256(data).hexdigest()[:16]


def _encoded(fields: Any) -> bytes:
    try:
        return ENCODER.encode(fields)
    except UnicodeEncodeError:  # half a character
        return json.dumps(fields, default=_plain, sort_keys=True, separators=(",", ":")).encode()


def _without_nulls(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(one) for one in value]
    return value


def readback_check(file: File) -> Expected:
    """Return the check that compares a written file with its masked documents."""
    return ExpectedRecords(file) if FORMATS[file.kind].reader is json_read else Expected(file)


class Expected:
    """The fields of a file's masked documents in order, as hashes of name and text.

    A field takes 8 bytes, a document 8 more. `digests` are those of the documents as they were
    read back (`record_digest`), in order.
    """

    def __init__(self, file: File) -> None:
        self._file = file
        self._same = COMPARED.get(FORMATS[file.kind].reader, _as_it_is)
        self.digests: list[str] = []
        self._hashes, self._counts, self._rows = array("q"), array("I"), array("I")

    def passing(self, group: Iterable[Masked]) -> Iterator[Masked]:
        """Pass the masked documents of a file on, and note their fields."""
        for item in group:
            before = len(self._hashes)
            self._hashes.extend(map(self._hash, item.written.every_field()))
            self._counts.append(len(self._hashes) - before)
            self._rows.append(item.origin.row)
            yield item

    def check(self, written: Path, settings: Settings) -> None:
        """Read a written file as its original is read, and compare.

        A field may be gone, where its column can't hold a placeholder; none may differ.

        Raises:
            UnwritableRows: documents have another text than was masked, where the file holds
                several and as many as were written.
            Flaw: the same of a file of one document; one is missing or too many.
        """
        file = self._as_written(written)
        counts, begin, differ = iter(self._counts), 0, list[int]()
        for number, document in enumerate(FORMATS[file.kind].reader.documents(file, settings)):
            end = begin + next(counts, 0)
            if isinstance(document, Document) and self._holds(document, begin, end):
                self.digests.append(record_digest(document))
            else:
                differ.append(number)
            begin = end
            if number >= len(self._counts):
                raise Flaw(DIFFERS)
        if next(counts, None) is not None:
            raise Flaw(DIFFERS)
        if differ and FORMATS[file.kind].reader is document_files and len(self._counts) > 1:
            raise UnwritableRows({self._rows[number]: DIFFERS for number in differ})
        if differ:
            raise Flaw(DIFFERS)

    def _as_written(self, written: Path) -> File:
        return File(self._file.name, str(written), self._file.kind, packed=self._file.packed)

    def _holds(self, document: Document, begin: int, end: int) -> bool:
        """Tell whether each field of a document stands among the hashes [begin, end), in order."""
        expected = iter(self._hashes[begin:end])
        return all(self._hash(field) in expected for field in document.every_field())

    def _hash(self, field: tuple[str, str]) -> int:
        name, text = field
        return hash((name, self._same(name, text)))


class ExpectedRecords(Expected):
    """The masked records of a JSON file, as their digests: 8 bytes each.

    JSON holds every value as it was masked, so whole records are compared. No documents are made
    of what is read back, which takes a third of the time.
    """

    def passing(self, group: Iterable[Masked]) -> Iterator[Masked]:
        """Pass the masked documents of a file on, and note their digests."""
        for item in group:
            self._hashes.append(_signed(record_digest(item.written)))
            yield item

    def check(self, written: Path, settings: Settings) -> None:
        """Read a written file, and compare each record.

        Raises:
            Flaw: a record is missing, too many or broken, or has another value than was masked.
        """
        records = json_read.parts(self._as_written(written), settings)
        self.digests = list(map(record_digest, records))
        if array("q", map(_signed, self.digests)) != self._hashes:
            raise Flaw(DIFFERS)


def _signed(digest: str) -> int:
    """Return a digest of 16 hex digits as a number of eight bytes."""
    return int(digest, 16) - (1 << 63)


def _as_it_is(name: str, text: str) -> str:
    return text
