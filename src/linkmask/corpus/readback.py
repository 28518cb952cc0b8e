"""What a writer wrote, read again: nothing may stand in a file that was not masked and checked."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from linkmask.config import Settings
from linkmask.corpus import whole
from linkmask.corpus.files import File, Flaw
from linkmask.corpus.formats import FORMATS
from linkmask.records import CONTENT, Document, Masked

COMPARED = {whole: whole.comparable}
"""Formats whose layout may follow what is masked → what of a field is compared."""
DIFFERS = "what was written is not what was masked: it can't be written back"


def record_digest(document: Document) -> str:
    """Return what tells a written document from one that was changed since, 16 hex digits.

    All of its fields count, by name and value, also those that are excluded; its id does not.
    """
    fields = [(CONTENT, document.content), *document.leaves()]
    return sha256(repr(fields).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Expected:
    """The fields of a file's masked documents in order, as hashes of name and text.

    A field takes 8 bytes, a document 4 more. `digests` are those of the documents as they were
    read back (`record_digest`), in order.
    """

    def __init__(self, file: File) -> None:
        self._file = file
        self._same = COMPARED.get(FORMATS[file.kind].reader, _as_it_is)
        self.digests: list[str] = []
        self._hashes, self._counts = array("q"), array("I")

    def passing(self, group: Iterable[Masked]) -> Iterator[Masked]:
        """Pass the masked documents of a file on, and note their fields."""
        for item in group:
            before = len(self._hashes)
            self._hashes.extend(map(self._hash, item.written.every_field()))
            self._counts.append(len(self._hashes) - before)
            yield item

    def check(self, written: Path, settings: Settings) -> None:
        """Read a written file as its original is read, and compare.

        A field may be gone, where its column can't hold a placeholder; none may differ.

        Raises:
            Flaw: a document is missing or too many, or a field has another text than was masked.
        """
        name, kind = self._file.name, self._file.kind
        file = File(name, written, kind, packed=self._file.packed)
        found = FORMATS[kind].reader.documents(file, settings)
        counts, begin = iter(self._counts), 0
        for document in found:
            end = begin + next(counts, 0)
            if not isinstance(document, Document) or not self._holds(document, begin, end):
                raise Flaw(DIFFERS)
            self.digests.append(record_digest(document))
            begin = end
        if next(counts, None) is not None:
            raise Flaw(DIFFERS)

    def _holds(self, document: Document, begin: int, end: int) -> bool:
        """Tell whether each field of a document stands among the hashes [begin, end), in order."""
        left = iter(self._hashes[begin:end])
        return all(self._hash(field) in left for field in document.every_field())

    def _hash(self, field: tuple[str, str]) -> int:
        name, text = field
        return hash((name, self._same(name, text)))


def _as_it_is(name: str, text: str) -> str:
    return text
