"""Reads ZIP archives: each file is a document, and its name is a field of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from zipfile import ZipInfo

from linkmask.corpus.file_kinds import ending_of, written_name
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.package import stem_of, zip_entries, zip_of
from linkmask.corpus.readers.source import Inner, Kind, Limits, Source, fields_within, written_as
from linkmask.corpus.readers.source_view import View, with_field_edits

_IN_IT = "a file in it: "


class Member:
    """A file of an archive; `before` are the names of the files before it in the archive."""

    def __init__(self, info: ZipInfo, source: Source, before: Collection[str]) -> None:
        self._info, self._source = info, source
        stem = stem_of(info.filename, before)
        self._path = stem + ending_of(info.filename)
        view = View(self._path)
        view.copy(0, len(stem), "name")
        self._name = list(view.field("file name", running=False))
        self.fields = [*source.fields, *self._name]
        self.removed = source.removed

    def write(self) -> bytes:
        """Return what the file holds, with the edits of its fields made."""
        return self._source.write()

    def info(self) -> ZipInfo:
        """Return the file's name, masked where it is to be, and its time."""
        name = with_field_edits(self._path, self._name, lambda text, kind: text)
        if name.count("/") != self._path.count("/"):  # a mask holds one: it makes no folder
            name = with_field_edits(self._path, self._name, lambda text, kind: _in_name(text))
        info = ZipInfo(written_name(name, written_as(self._source)), self._info.date_time)
        info.compress_type, info.external_attr = self._info.compress_type, self._info.external_attr
        return info


def members(data: bytes, inner: Inner, limits: Limits) -> Iterator[tuple[str, Member | Flaw]]:
    """Yield name and content of each file in an archive, or why that can't be read.

    Raises:
        Flaw: the archive is damaged or encrypted, or grows too large.
    """
    before = set[str]()
    for info, held in zip_entries(data, limits):
        name = info.filename
        if name.endswith("/"):
            continue
        try:
            yield name, Member(info, inner(held, Kind(name), limits.inner()), before)
        except Flaw as flaw:
            yield name, flaw
        before.add(name)


def read_archive(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Source:
    """Read an archive that lies in another file as one document."""
    return Archive(data, inner, limits)


class Archive:
    """An archive that lies in another file: the files in it are read as one.

    Raises:
        Flaw: none of them can be read; else as for `members`.
    """

    def __init__(self, data: bytes, inner: Inner, limits: Limits) -> None:
        self._kept: list[Member] = []
        self.removed: list[str] = []
        for _, one in members(data, inner, limits):
            if isinstance(one, Flaw):
                self.removed.append(_IN_IT + str(one).removeprefix(_IN_IT))
            else:
                self._kept.append(one)
                place = f"file {len(self._kept)}"
                fields_within(place, one.fields)
                self.removed += [f"{place}: {reason}" for reason in one.removed]
        if self.removed and not self._kept:
            raise Flaw(self.removed[0])
        self.fields = [field for one in self._kept for field in one.fields]

    def write(self) -> bytes:
        """Return an archive of the files that were read, with the edits of their fields made."""
        return zip_of((one.info(), one.write()) for one in self._kept)


def _in_name(text: str) -> str:
    return text.replace("/", "_").replace("\\", "_")
