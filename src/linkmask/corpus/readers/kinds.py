"""Chooses the reader of a file by the ending of its name, or by its media type in a mail."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from linkmask.corpus.file_kinds import KINDS, FileKind, function_of
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers import gzip_file, office
from linkmask.corpus.readers.source import Inner, Kind, Limits, Source

BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""Bytes that no text in UTF-8 or of single bytes has."""
TEXT_MEDIA = ("text", "multipart", "message")
"""Media types of which those without a reader are read as text."""


def _by_ending(kinds: Iterable[FileKind]) -> dict[str, FileKind]:
    return {ending: kind for kind in kinds for ending in (*kind.endings, *kind.within)}


_READ = [kind for kind in KINDS.values() if kind.reader]
ENDINGS = _by_ending(kind for kind in _READ if not kind.written)
"""Ending of a file's name → its kind, of those that are written as themselves."""
BESIDE = _by_ending(kind for kind in _READ if kind.written)
"""The same of those that are written as another kind."""
MEDIA = {media: kind for kind in _READ for media in kind.media}
"""Media type that a mail says of a part → its kind."""


def read_as(name: str, data: bytes, kind: Kind, limits: Limits) -> Any:
    """Read bytes as those of the kind with a name; what lies in them is read by `read_beside`.

    Raises:
        Flaw: they are not of this kind.
    """
    return function_of(KINDS[name].reader, __package__)(data, kind, limits, read_beside)


def read(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read bytes as the kind that their name and media type tell.

    Raises:
        Flaw: their kind is not read, or they are not of the declared kind.
    """
    by_ending = ENDINGS.get(PurePosixPath(kind.name.lower()).suffix)
    found = by_ending if kind.media in ("", "application/octet-stream") else None
    if not found and (found := MEDIA.get(kind.media)) and found.written:
        found = None
    if not found and kind.media.partition("/")[0] in TEXT_MEDIA:
        found = KINDS["text"]
    found = found or by_ending
    if not found:
        raise Flaw("of a kind that is not read, such as a picture: it is left out")
    source: Source = read_as(found.name, data, kind, limits)
    return source


def read_beside(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read what may be written as another kind (`FileKind.written`), also where it is compressed;
    the others as by `read`. The source of such a kind has its name in `written_as`.

    Raises:
        Flaw: as for `read`.
    """
    name = kind.name.lower()
    named = kind.media.partition("/")[0] not in TEXT_MEDIA
    for ending, one in BESIDE.items():
        if kind.media in one.media or (named and name.endswith(ending)):
            source = read_as(one.name, data, kind, limits)
            source.written_as = one.name
            return source  # type: ignore[no-any-return]
    if named and name.endswith(tuple(f"{ending}.gz" for ending in BESIDE)):
        return gzip_file.Compressed(data, kind, read_beside, limits)
    return read(data, kind, limits)


def read_office(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Source:
    """Read an office document with all of its parts; each of them stays of its kind."""
    return office.Package(data, read, limits)


def read_gzip(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Source:
    """Read a compressed file as the kind that its name has without the ending .gz."""
    return gzip_file.Compressed(data, kind, _read_packed, limits)


def _read_packed(data: bytes, kind: Kind, limits: Limits) -> Source:
    """Read a compressed file; one whose name tells no kind (`syslog.2`) is read as text."""
    if PurePosixPath(kind.name).suffix not in ENDINGS and not BINARY.search(data):
        return read_as("text", data, kind, limits)  # type: ignore[no-any-return]
    return read(data, kind, limits)
