"""ZIP archives: each file in one is a document of its own, and its name is a field of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from zipfile import ZipInfo

from linkmask.corpus.files import Flaw, written_name
from linkmask.corpus.readers.package import packed, unpacked
from linkmask.corpus.readers.pdf import Pdf
from linkmask.corpus.readers.source import Inner, Kind, Limits, Source, within
from linkmask.corpus.readers.view import View, rewritten

_IN_IT = "a file in it: "


class Member:
    """A file of an archive."""

    def __init__(self, info: ZipInfo, source: Source) -> None:
        self._info, self._source = info, source
        path = info.filename
        self._ending = "".join(PurePosixPath(path).suffixes[-2:])
        view = View(path)
        view.copy(0, len(path) - len(self._ending), "name")
        self._name = list(view.field("file name", running=False))
        self.fields = [*source.fields, *self._name]
        self.removed = source.removed

    def write(self) -> bytes:
        """Return what the file holds, with the edits of its fields made."""
        return self._source.write()

    def info(self) -> ZipInfo:
        """Return the file's name, masked where it is to be, and its time."""
        name = rewritten(self._info.filename, self._name, lambda text, kind: _in_name(text))
        name = written_name(name, "pdf") if isinstance(self._source, Pdf) else name
        info = ZipInfo(name, self._info.date_time)
        info.compress_type, info.external_attr = self._info.compress_type, self._info.external_attr
        return info


def members(data: bytes, inner: Inner, limits: Limits) -> Iterator[tuple[str, Member | Flaw]]:
    """Yield name and content of each file in an archive, or why that can't be read.

    Raises:
        Flaw: the archive is damaged or encrypted, or grows too large.
    """
    for info, held in unpacked(data, limits):
        if info.filename.endswith("/"):
            continue
        try:
            yield info.filename, Member(info, inner(held, Kind(info.filename), limits.inner()))
        except Flaw as flaw:
            yield info.filename, flaw


def archived(kept: Iterable[Member]) -> bytes:
    """Return an archive of these files."""
    return packed((one.info(), one.write()) for one in kept)


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
                within(place, one.fields)
                self.removed += [f"{place}: {reason}" for reason in one.removed]
        if self.removed and not self._kept:
            raise Flaw(self.removed[0])
        self.fields = [field for one in self._kept for field in one.fields]

    def write(self) -> bytes:
        """Return an archive of the files that were read, with the edits of their fields made."""
        return archived(self._kept)


def _in_name(text: str) -> str:
    return text.replace("/", "_").replace("\\", "_")
