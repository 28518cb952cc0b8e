"""Files → documents: every file and row becomes a `Document`, or is set aside with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from linkmask.config import Settings
from linkmask.corpus import jsons, parquet, tables, texts
from linkmask.corpus.files import File, aside, listing
from linkmask.corpus.normalize import Ids
from linkmask.errors import InputError
from linkmask.records import Document, SetAside

FORMATS = {"json": jsons, "jsonl": jsons, "csv": tables, "parquet": parquet, "text": texts}
"""Kind of file → module with `documents(file, settings)` and `ids(file, settings)`."""


def read(
    source: Path, settings: Settings, *, only: Collection[str] | None = None
) -> Iterator[Document | SetAside]:
    """Yield the documents of a corpus in input order: files by name, rows as they stand.

    `source` is a folder (nested ones too) or a file; the kinds are in `files.KINDS`. What can't be
    read is yielded as `SetAside` in its place, and the rest goes on. An empty text is a document:
    it is released as it is. A document without an id goes by its file's name without the ending,
    or by `file:row` (rows from 1; in JSONL lines, in tables records without the header). Ids that
    repeat get the content's hash appended (`normalize.Ids`); to know them, the ids are read once
    before the first document is. `only` keeps the documents with these ids, and nothing else.

    Raises:
        InputError: there is nothing to read at `source`; raised at the call, not while iterating.
    """
    names = (settings.text_field, settings.id_field, settings.metadata_field)
    if len(set(names)) < len(names):
        raise InputError("text, id and metadata must be three fields: two of them have one name")
    return _read(listing(source), settings, only)


def _read(
    entries: list[File | SetAside], settings: Settings, only: Collection[str] | None
) -> Iterator[Document | SetAside]:
    ids = Ids(_repeated(entries, settings))
    for entry in entries:
        if isinstance(entry, File):
            found = _found(entry, settings)
            yield from found if ids.given and only is None else _named(found, ids, only)
        elif only is None:
            yield entry


def _found(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield what a file holds; a table or list without a row is said to hold nothing."""
    found = FORMATS[file.kind].documents(file, settings)
    first = next(found, None)
    yield first or aside(file.name, "no document in it: it has no row, or blank lines only")
    yield from found


def _named(
    found: Iterable[Document | SetAside], ids: Ids, only: Collection[str] | None
) -> Iterator[Document | SetAside]:
    """Give documents their ids, and keep those that are asked for."""
    for item in found:
        if isinstance(item, Document):
            known = ids.unique(item.id, item.content)
            if only is None or known in only:
                yield item if known == item.id else replace(item, id=known)
        elif only is None:
            yield item


def _repeated(entries: list[File | SetAside], settings: Settings) -> frozenset[str]:
    """Return the ids that more than one document brings."""
    times: Counter[str] = Counter()
    for entry in entries:
        if isinstance(entry, File):
            times.update(FORMATS[entry.kind].ids(entry, settings))
    return frozenset(given for given, count in times.items() if count > 1)
