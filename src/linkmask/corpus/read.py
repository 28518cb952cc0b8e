"""Reads files into documents: each file and row is one, or is set aside with its reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import (
    Collection,
    Container,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import closing, suppress
from copy import copy
from dataclasses import replace
from pathlib import Path

from linkmask.config import Settings
from linkmask.corpus.fields import shape_of
from linkmask.corpus.file_kinds import KINDS, REDACTED
from linkmask.corpus.files import File, Flaw, stamp
from linkmask.corpus.formats import FORMATS
from linkmask.corpus.listing import listing, listing_digest
from linkmask.corpus.normalize import UniqueIds
from linkmask.corpus.prefetch import read_each
from linkmask.corpus.readers.ocr import is_command
from linkmask.errors import InputError
from linkmask.records import Document, SetAside

HASHED = re.compile(r"[0-9a-f]{32}\Z")
"""What `normalize.document_id` appends."""


KEPT = 1 << 24
"""Characters of documents that are kept at most: 5000 short letters, which take some 30 MB."""
BESIDE = 2000
"""Characters that count for what a document takes beside its texts."""
SMALL = 1 << 16
"""Bytes up to which a file is kept that may hold several documents."""


class _Kept(dict[str, list[Document | SetAside]]):
    """What small files hold, by name; `left`: how many characters may still be kept."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left

    def read(
        self, file: File, found: Iterable[Document | SetAside]
    ) -> Iterable[Document | SetAside]:
        """Return what a file holds, and keep it if there is room."""
        if self.left <= 0 or (KINDS[file.kind].several and file.size > SMALL):
            return found
        held = self[file.name] = list(found)
        documents = (item for item in held if isinstance(item, Document))
        self.left -= sum(len(text) for one in documents for _, text in one.fields())
        self.left -= BESIDE * len(held)
        return held


class Corpus:
    """A corpus as it was when it was listed: each reading gives the same documents in one order.

    A run reads it several times. A file that came later is not in it; one that has changed since,
    or is gone, is set aside by every reading from then on, unless it was kept (`keep`).

    Args:
        may_be_empty: a folder need not hold a file that can be read.

    Raises:
        InputError: there is nothing to read at `source`, two fields have one name, there is no
            such command as `ocr` names, or no kind of file that `redacted_pdf` could write.
    """

    def __init__(self, source: Path, settings: Settings, may_be_empty: bool = False) -> None:
        names = (*shape_of(settings).texts, settings.id_field, settings.metadata_field)
        for name in names:
            if names.count(name) > 1:
                raise InputError(
                    f"text, id and metadata must be different fields: {name!r} is twice"
                )
        if settings.ocr and not is_command(settings.ocr):
            raise InputError(
                "ocr names no command of this machine: give one as 'tesseract stdin stdout'"
            )
        if settings.redacted_pdf and not REDACTED:
            raise InputError("redacted_pdf: no kind of file that is read can be written redacted")
        self.source, self.settings = source, settings
        self.entries = listing(source, may_be_empty)
        self.came: Counter[str] | None = None
        """How many documents and set-asides the first whole reading found, by file."""
        self._given: tuple[frozenset[str], frozenset[str]] | None = None
        self.expected: int | None = None
        """How many documents there are, once their ids were read; more where some can't be read."""
        self._digests: dict[str, str] = {}
        self._digest = ""
        self._known: tuple[Mapping[str, str], Container[int]] = {}, ()
        self._ids: Mapping[str, Sequence[str]] = {}
        self._kept: _Kept | None = None

    def __call__(self, only: Collection[str] | None = None) -> Iterator[Document | SetAside]:
        """Read it, as `read` does."""
        items = self._items(only)
        return items if only is not None or self.came is not None else self._counted(items)

    def _counted(self, items: Iterator[Document | SetAside]) -> Iterator[Document | SetAside]:
        came: Counter[str] = Counter()
        for item in items:
            came[item.origin.file] += 1
            yield item
        self.came = came

    def _items(self, only: Collection[str] | None) -> Iterator[Document | SetAside]:
        ids = UniqueIds(*self._ids_given())
        files = [entry for entry in self.entries if isinstance(entry, File)]
        with closing(self._each(files, only is not None)) as each:
            for entry in self.entries:
                if isinstance(entry, File):
                    found = next(each)
                    yield from found if ids.given and only is None else _with_ids(found, ids, only)
                elif only is None:
                    yield entry

    def _each(
        self, files: Sequence[File], alone: bool
    ) -> Generator[Iterable[Document | SetAside], None, None]:
        """Yield what each file holds, in order; what is kept is not read again."""
        kept = _Kept(left=0) if self._kept is None else self._kept
        others = [file for file in files if file.name not in kept]
        with closing(read_each(others, self.settings, alone=alone)) as each:
            for file in files:
                yield kept[file.name] if file.name in kept else kept.read(file, next(each))

    def keep(self) -> None:
        """Keep what small files hold, up to `KEPT` characters, for the next readings.

        The parts of this corpus share it. A kept file that changes is set aside when it is written.
        """
        self._kept = _Kept(KEPT)

    def digest(self) -> str:
        """Hex SHA-256 over names and bytes: says whether an input is still the same."""
        if not self._digest:
            self._digest = listing_digest(self.entries, self._digests, self._known_digest)
        return self._digest

    def remember(self, digests: Mapping[str, str], stamps: Container[int]) -> None:
        """Use these digests, by name, for files that have one of these stamps by them."""
        self._known = digests, stamps

    def _known_digest(self, file: File) -> str:
        """Return the digest of a file that is as it was when it was noted; "" of any other."""
        digests, stamps = self._known
        digest = digests.get(file.name, "")
        return digest if digest and file.state and stamp(file.state, digest) in stamps else ""

    def stamps(self, digests: Mapping[str, str]) -> set[int]:
        """Return the stamps of settled files with these digests, by name."""
        files = (one for one in self.entries if isinstance(one, File) and one.settled)
        return {stamp(f.state, digests[f.name]) for f in files if f.state and f.name in digests}

    def digests(self) -> Mapping[str, str]:
        """Hex SHA-256 of the bytes of each file, by name; of those that can be read."""
        self.digest()
        return self._digests

    def know(self, ids: Mapping[str, Sequence[str]]) -> None:
        """Use these ids of some files, so that the files need not be read for them."""
        self._ids = ids

    def repeated(self) -> frozenset[str]:
        """Return the ids that more than one document has: a hash tells these documents apart."""
        return self._ids_given()[0]

    def _ids_given(self) -> tuple[frozenset[str], frozenset[str]]:
        if self._given is None:
            times = _times(self.entries, self.settings, self._ids)
            self._given, self.expected = _repeated(times), times.total()
        return self._given

    def part(self, files: Container[str]) -> Corpus:
        """Return a corpus of some of the files, in which documents keep their ids.

        Entries that could not be listed are part of it, too.
        """
        self._ids_given()
        part = copy(self)
        part.entries = [
            one for one in self.entries if isinstance(one, SetAside) or one.name in files
        ]
        part.came = part.expected = None
        return part

    def files(self) -> dict[str, File]:
        """Return the files that are read, by name."""
        return {entry.name: entry for entry in self.entries if isinstance(entry, File)}

    def listed(self) -> list[str]:
        """Return the names of all files of the input in order, also of those that are not read."""
        return [one.name if isinstance(one, File) else one.origin.file for one in self.entries]

    def lost(self, out: Mapping[str, int], released: Container[str]) -> list[str]:
        """Name the files whose documents were neither all released nor set aside.

        `out` counts what was released and set aside by file; `released` holds the files of which
        something was released. Of a file that changed while it was read, it is enough that all of
        it was set aside.
        """
        came = self.came or Counter(out.keys())
        names = {
            entry.origin.file if isinstance(entry, SetAside) else entry.name
            for entry in self.entries
        }
        lost = [name for name in names | came.keys() if out.get(name, 0) != max(came[name], 1)]
        files = self.files()
        return sorted(
            name
            for name in lost
            if name in released or not out.get(name) or not _changed(files.get(name))
        )


def _changed(file: File | None) -> bool:
    try:
        if file is not None:
            file.check()
    except Flaw:
        return True
    return False


def read(
    source: Path, settings: Settings, *, only: Collection[str] | None = None
) -> Iterator[Document | SetAside]:
    """Yield the documents of a corpus in input order: files by name, rows as they stand.

    `source` is a folder (also nested) or a file; `file_kinds` lists the kinds. What can't be
    read is yielded as `SetAside` in its place, and the rest goes on. An empty text is a document:
    it is released as it is. A document without an id goes by its file's name without the ending,
    or by `file:row` (rows from 1; in JSONL lines, in tables records without the header). Ids that
    repeat get the content's hash appended (`normalize.UniqueIds`); to know them, the ids are read
    once before the first document is. `only` keeps the documents with these ids, and nothing else.

    Raises:
        InputError: there is nothing to read at `source`; raised at the call, not while iterating.
    """
    return Corpus(source, settings)(only)


def _ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the ids in a file as far as it can be read; `found_in` says where it can't."""
    with suppress(Exception):
        yield from FORMATS[file.kind].reader.ids(file, settings)


def _with_ids(
    found: Iterable[Document | SetAside], ids: UniqueIds, only: Collection[str] | None
) -> Iterator[Document | SetAside]:
    """Give documents their ids, and keep those that are asked for."""
    for item in found:
        if isinstance(item, Document):
            distinct = ids.unique(item.id, item.text)
            if only is None or distinct in only:
                yield item if distinct == item.id else replace(item, id=distinct)
        elif only is None:
            yield item


def _times(
    entries: list[File | SetAside], settings: Settings, ids: Mapping[str, Sequence[str]]
) -> Counter[str]:
    """Count how often each id is brought."""
    times: Counter[str] = Counter()
    for entry in entries:
        if isinstance(entry, File):
            times.update(ids[entry.name] if entry.name in ids else _ids(entry, settings))
    return times


def _repeated(times: Counter[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids that more than one document brings, and the others that look hashed."""
    repeated = frozenset(given for given, count in times.items() if count > 1)
    hashed = (given for given in times.keys() - repeated if repeated and HASHED.search(given))
    return repeated, frozenset(hashed)
