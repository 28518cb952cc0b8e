"""Opens files of a corpus safely, and defines a flaw in one."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from linkmask.corpus.file_kinds import KINDS, WRITTEN_AS, kind_of, read_name, written_name
from linkmask.records import Origin, SetAside

NO_GZIP = "not a gzip file, or a damaged one"
RATIO = 400
"""Bytes that one byte may be unpacked to; logs reach 100."""
LARGE = 1 << 20
"""Bytes that are read at once for a digest."""
SMALL = 1 << 16
"""Bytes that are read first of a compressed file, whose size within is not known."""


def sha256_of(read: Callable[[int], bytes], size: int) -> Any:
    """Return the SHA-256 of what an open file holds.

    `read` returns so many bytes of it at most, as `os.read` does; `size`: how many it holds, −1 if
    that is not known. A small file is read at once, as corpora have many.
    """
    whole = hashlib.sha256()
    most = min(size, LARGE) + 1 if size >= 0 else SMALL
    while data := read(most):
        whole.update(data)
        size -= len(data)
        if size == 0 and len(data) < most:  # the end: `read` would have gone on
            break
    return whole


WHOLE = -1
"""The row of what is set aside for a whole file."""
Place = dict[str, str | int]
"""Where the input holds a document: `file` and, if the file may hold several, `row`."""


class Flaw(Exception):  # noqa: N818 - a reason to set aside, not an error
    """Why a file or row can't be used, in words that hold no value of it."""


class UnwritableRows(Flaw):
    """Documents of a file that can't be written back, where the others can: row → reason."""

    def __init__(self, rows: dict[int, str]) -> None:
        super().__init__(f"{len(rows)} documents of it can't be written back")
        self.rows = rows


def no_text(what: str, names: Sequence[str]) -> str:
    """Say that no field or column of texts is there, and how to name it."""
    named = " or ".join(map(repr, names))
    return f"no {what} {named}: name the one that holds the text with --text-field"


@dataclass(frozen=True, slots=True)
class File:
    """A file of the corpus: its name relative to the input (with `/`), its path and its kind.

    `state`: its state when it was listed; if empty, it may have any. `size`: its bytes then.
    `packed`: gzip has compressed it, and its content is read. `settled`: see `is_settled`.
    """

    name: str
    path: str
    kind: str
    state: int | None = None
    packed: bool = False
    size: int = 0
    settled: bool = False

    def open(self) -> io.BufferedReader:
        """Open it for reading; a link, pipe or device that took its place is refused.

        Raises:
            Flaw: it is gone, can't be opened, is not a regular file, or has changed.
        """
        file, size = self._opened()
        return io.BufferedReader(Unpacked(file, size) if self.packed else file, 1 << 16)

    def read(self, limit: int) -> bytes:
        """Read the whole file, of at most `limit` bytes.

        Raises:
            Flaw: as for `open`; or it can't be read, or is larger.
        """
        file, size = self._opened()
        with file:
            if size > limit:
                raise Flaw("too large: raise max_characters, or split it")
            try:
                held = Unpacked(file, size) if self.packed else file
                reader = io.BufferedReader(held)
                # `read` takes memory for all that it is asked for: for a small file not `limit`.
                first = min(limit, SMALL if self.packed else size) + 1
                data = reader.read(first)
                if len(data) == first:
                    data += reader.read(limit + 1 - first)
                if len(data) > limit:
                    raise Flaw("too large: raise max_characters, or split it")
                return data
            except OSError as error:
                raise Flaw(f"can't be read: {error.strerror}") from None

    def digest(self) -> Any:
        """Return the SHA-256 of what the file holds, unpacked.

        Raises:
            Flaw: as for `open`; or what is packed is damaged.
            OSError: it can't be read.
        """
        descriptor, size = self._descriptor()
        if self.packed:
            with io.FileIO(descriptor, "rb") as file:
                return sha256_of(Unpacked(file, size).read, -1)
        try:
            return sha256_of(partial(os.read, descriptor), size)
        finally:
            os.close(descriptor)

    def check(self) -> None:
        """Check that the file is as it was when it was listed.

        Raises:
            Flaw: it is gone, or it has changed.
        """
        os.close(self._descriptor()[0])

    def _opened(self) -> tuple[io.FileIO, int]:
        descriptor, size = self._descriptor()
        return io.FileIO(descriptor, "rb"), size

    def _descriptor(self) -> tuple[int, int]:
        """Open a regular file without following a link, and tell its size in bytes."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(self.path, flags)
        except FileNotFoundError:
            raise Flaw("it disappeared after the folder was listed") from None
        except OSError as error:
            raise Flaw(f"can't be read: {error.strerror}") from None
        about = os.fstat(descriptor)
        flaw = None
        if not stat.S_ISREG(about.st_mode):
            flaw = "not a regular file"
        elif self.state is not None and self.state != state_of(about):
            flaw = "changed since the folder was listed: mask it again"
        if flaw:
            os.close(descriptor)
            raise Flaw(flaw)
        return descriptor, about.st_size


class Unpacked(io.RawIOBase):
    """What a file compressed with gzip holds.

    Raises:
        Flaw: it is damaged, or grows too large; raised where it is read.
    """

    def __init__(self, file: BinaryIO, size: int) -> None:
        if not size:
            raise Flaw(NO_GZIP)
        self._packed, self._held = file, gzip.GzipFile(fileobj=file)
        self._most = RATIO * size + 4096

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read on.

        Raises:
            Flaw: the content is broken, or longer than its limit.
        """
        try:
            count = self._held.readinto(buffer)
        except (OSError, EOFError, zlib.error):
            raise Flaw(NO_GZIP) from None
        if self._held.tell() > self._most:
            raise Flaw("too large when it is unpacked: raise max_characters, or split it")
        return count

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Read on from another place; backwards, all is unpacked again."""
        return self._held.seek(offset, whence)

    def tell(self) -> int:
        """Return the place in what is unpacked."""
        return self._held.tell()

    def close(self) -> None:
        """Close it, and the file."""
        super().close()
        self._packed.close()


def state_of(about: os.stat_result) -> int:
    """Return a number that changes whenever a file is written to or replaced."""
    return hash((about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns))


SETTLED = 2_000_000_000
"""Nanoseconds within which a file system may give two writes of a file the same time."""


def is_settled(about: os.stat_result) -> bool:
    """Tell whether a file was left alone so long that its next change gives it another state."""
    return max(about.st_ctime_ns, about.st_mtime_ns) < time.time_ns() - SETTLED


def stamp(state: int, digest: str) -> int:
    """Return a number of 64 bits for a file in a state (`state_of`) with this hex digest.

    Where it was noted of a settled file, a file in this state has this digest, and is not read.
    """
    return hash((state, int.from_bytes(digest.encode(), "big")))


def named(name: str, path: Path | str, about: os.stat_result | None = None) -> File:
    """Return a file of the kind that its name shows, named as it is written.

    Raises:
        Flaw: no kind that is read has this ending.
    """
    kind, packed = kind_of(name)
    if not kind:
        raise Flaw("not a kind of file that is read: see linkmask mask --help")
    written = written_name(name, kind)
    if about is None:
        return File(written, str(path), kind, packed=packed)
    return File(written, str(path), kind, state_of(about), packed, about.st_size, is_settled(about))


def set_aside_row(name: str, reason: str, row: int = WHOLE, document: str = "") -> SetAside:
    """Set aside a file or one of its rows; without an id of its own it is named by its place."""
    shown = name.encode(errors="backslashreplace").decode()
    return SetAside(document or shown, "read", reason, Origin(shown, row))


def place_in_input(origin: Origin, files: Mapping[str, File]) -> Place:
    """Return where the input, whose files are given by name, holds a document.

    The row is that of a table, a line, an object of a list, a message or a file of an archive, from
    1; of a whole file there is none.
    """
    kind = files[origin.file].kind if origin.file in files else ""
    name = read_name(origin.file) if kind in WRITTEN_AS else origin.file
    row = origin.row + (kind != "json")  # the objects of a list are counted from 1, a lone one is 0
    several = kind in KINDS and KINDS[kind].several
    return {"file": name, "row": row} if several and row > 0 else {"file": name}


def byte_limit(max_characters: int) -> int:
    """Bytes beyond which a JSON document can't be under `max_characters` (`\\uXXXX` twice each)."""
    return 12 * max_characters + (1 << 20)
