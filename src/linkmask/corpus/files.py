"""The files of a corpus: which ones there are, how they are opened, what they are encoded in."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from linkmask.errors import InputError
from linkmask.records import Origin, SetAside

KINDS = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".txt": "text",
    ".md": "text",
    ".markdown": "text",
    ".log": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".eml": "eml",
    ".mbox": "mbox",
    ".xml": "xml",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".docx": "docx",
    ".odt": "odt",
    ".gz": "gz",
    ".zip": "zip",
    ".pdf": "pdf",
}
PACKED = ("json", "jsonl", "csv", "pdf")
"""Kinds that are read as they are by themselves also where gzip has compressed them."""
WHOLE = ("html", "eml", "mbox", "xml", "yaml", "docx", "odt", "gz", "zip")
"""Kinds whose files are read and written whole, by `corpus.readers`."""
READ = f"a folder of files, or one file, of the kinds that are read ({', '.join(KINDS)})"


_ROTATED = re.compile(r"\.log\.[0-9]{1,8}$")
_OF_PDF = re.compile(r"(.*\.pdf)\.md(\.gz)?", re.IGNORECASE | re.DOTALL)
RATIO = 400
"""Bytes that one byte may be unpacked to; logs reach 100."""


class Flaw(Exception):  # noqa: N818 - a reason to set aside, not an error
    """Why a file or row can't be used, in words that hold no value of it."""


def no_text(what: str, names: Sequence[str]) -> str:
    """Say that no field or column of texts is there, and how to name it."""
    named = " or ".join(map(repr, names))
    return f"no {what} {named}: name the one that holds the text with --text-field"


@dataclass(frozen=True, slots=True)
class File:
    """A file of the corpus: its name relative to the input (with `/`), its path and its kind.

    `state`: how it was when it was listed, without one, it may be in any; `size`: its bytes then.
    `packed`: gzip has compressed it; what is read is what it holds.
    """

    name: str
    path: Path
    kind: str
    state: int | None = None
    packed: bool = False
    size: int = 0

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
                data = io.BufferedReader(held).read(limit + 1)
                if len(data) > limit:
                    raise Flaw("too large: raise max_characters, or split it")
                return data
            except OSError as error:
                raise Flaw(f"can't be read: {error.strerror}") from None

    def check(self) -> None:
        """See that the file is as it was when it was listed.

        Raises:
            Flaw: it is gone, or it has changed.
        """
        self._opened()[0].close()

    def _opened(self) -> tuple[io.FileIO, int]:
        """Open a regular file without following a link, and tell its size in bytes."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(self.path, flags)
        except FileNotFoundError:
            raise Flaw("gone since the folder was listed") from None
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
        return io.FileIO(descriptor, "rb"), about.st_size


class Unpacked(io.RawIOBase):
    """What a file compressed with gzip holds.

    Raises:
        Flaw: it is damaged, or grows too large; raised where it is read.
    """

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._packed, self._held = file, gzip.GzipFile(fileobj=file)
        self._most = RATIO * size + 4096

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read on."""
        try:
            count = self._held.readinto(buffer)
        except (OSError, EOFError, zlib.error):
            raise Flaw("not a gzip file, or a damaged one") from None
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


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file's text is encoded: a codec, and the byte order mark in front of it."""

    codec: str = "utf-8"
    mark: bytes = b""

    @property
    def is_plain_utf8(self) -> bool:
        """True for UTF-8 without a mark."""
        return self.codec == "utf-8" and not self.mark


ENCODINGS = (  # the longer marks first: UTF-32's begins with UTF-16's
    Encoding("utf-32-le", codecs.BOM_UTF32_LE),
    Encoding("utf-32-be", codecs.BOM_UTF32_BE),
    Encoding("utf-8", codecs.BOM_UTF8),
    Encoding("utf-16-le", codecs.BOM_UTF16_LE),
    Encoding("utf-16-be", codecs.BOM_UTF16_BE),
)


def listing(source: Path) -> list[File | SetAside]:
    """List the corpus: every file below a folder sorted by name, or the one file given.

    Nothing is skipped in silence: links, special files, files of other kinds and hidden files of
    a kind that is read come back as `SetAside`. Hidden folders and hidden files of other kinds
    (`.git`, `.DS_Store`) are not part of a corpus.

    Raises:
        InputError: there is nothing to read at `source`.
    """
    try:
        if source.is_dir():
            entries = list(_files_below(source))
        else:
            about = source.stat()
            if not stat.S_ISREG(about.st_mode):
                raise InputError(f"{source} can't be read as a corpus: give {READ}")
            return [named(source.name, source.resolve(), about)]
    except Flaw:
        raise InputError(f"{source} can't be read as a corpus: give {READ}") from None
    except OSError as error:
        raise InputError(f"can't read {source}: {error.strerror}; give {READ}") from None
    if not any(isinstance(entry, File) for entry in entries):
        raise InputError(f"no document in {source}: give {READ}")
    return list(_named_apart(entries))


def _named_apart(entries: list[File | SetAside]) -> Iterator[File | SetAside]:
    """Set aside what would be written under the name of another file."""
    others = {e.name for e in entries if isinstance(e, File) and e.kind != "pdf"}
    for entry in entries:
        if isinstance(entry, File) and entry.kind == "pdf" and entry.name in others:
            taken = "its text would be written under the name of another file: rename that one"
            yield aside(pdf_name(entry.name), taken)
        else:
            yield entry


def _files_below(folder: Path) -> Iterator[File | SetAside]:
    """Yield the files below `folder` in order of name; links are named, not followed.

    A stack of its own: folders may be nested deeper than Python calls.
    """
    nested = [("", _sorted(folder))]
    while nested:
        prefix, entries = nested[-1]
        entry = next(entries, None)
        if entry is None:
            nested.pop()
            continue
        name = prefix + entry.name
        try:
            if not entry.is_dir(follow_symlinks=False):
                if file := _file(entry, name):
                    yield file
            elif not entry.name.startswith("."):
                nested.append((f"{name}/", _sorted(entry.path)))
        except OSError as error:
            yield aside(name, f"can't be read: {error.strerror}")
        except Flaw as flaw:
            yield aside(name, str(flaw))


def _sorted(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return iter(sorted(found, key=lambda entry: entry.name))


def _file(entry: os.DirEntry[str], name: str) -> File | None:
    hidden = entry.name.startswith(".")
    if hidden and not kind_of(entry.name)[0]:
        return None
    if entry.is_symlink():
        raise Flaw("a symbolic link: not followed; put the file itself there")
    if not entry.is_file(follow_symlinks=False):
        raise Flaw("not a regular file")
    if hidden:
        raise Flaw("a hidden file: rename it to have it read")
    found = named(name, Path(entry.path), entry.stat(follow_symlinks=False))
    if not _printable(name):
        raise Flaw("its name is not UTF-8: rename it")
    return found


def format_of(name: str) -> str:
    """Return the ending that tells how a file of a corpus is read: `eml`; of others `other`.

    `name` may be that of what is written: the text of a PDF.
    """
    name = pdf_name(name)
    ending = os.path.splitext(name)[1].lower()  # noqa: PTH122 - no Path per file of a large folder
    return ending[1:] if ending in KINDS else "other"


def named(name: str, path: Path, about: os.stat_result | None = None) -> File:
    """Return a file of the corpus, of the kind that its name tells; a PDF goes by its text's name.

    Raises:
        Flaw: no kind that is read has this ending.
    """
    kind, packed = kind_of(name)
    if not kind:
        raise Flaw("not a kind of file that is read: see --help for the kinds")
    written = markdown_name(name) if kind == "pdf" else name
    if about is None:
        return File(written, path, kind, packed=packed)
    return File(written, path, kind, state_of(about), packed, about.st_size)


def markdown_name(name: str) -> str:
    """Return under which name the text of a PDF file is written; one compressed stays so."""
    packed = name[-3:] if name.lower().endswith(".gz") else ""
    return f"{name.removesuffix(packed)}.md{packed}"


def pdf_name(name: str) -> str:
    """Return the name of the PDF file whose text is written under a name; others stay."""
    found = _OF_PDF.fullmatch(name)
    return found[1] + (found[2] or "") if found else name


def kind_of(name: str) -> tuple[str, bool]:
    """Return how a file is read, "" where it is not, and whether gzip has compressed its table."""
    stem, ending = os.path.splitext(_ROTATED.sub(".log", name.lower()))  # noqa: PTH122 - no Path each
    kind = KINDS.get(ending, "")
    inner = KINDS.get(os.path.splitext(stem)[1], "") if kind == "gz" else ""  # noqa: PTH122
    return (inner, True) if inner in PACKED else (kind, False)


def _printable(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def aside(name: str, reason: str, row: int = 0, document: str = "") -> SetAside:
    """Set aside a file or one of its rows; without an id of its own it goes by its place."""
    shown = name.encode(errors="backslashreplace").decode()
    return SetAside(document or shown, "read", reason, Origin(shown, row))


def byte_limit(max_characters: int) -> int:
    """Bytes beyond which a JSON document can't be under `max_characters` (`\\uXXXX` twice each)."""
    return 12 * max_characters + (1 << 20)


HEAD = 4096
"""Bytes of a file that tell its encoding."""

ASCII = bytes(range(0x20, 0x7F)) + b"\t\n\r"
CODECS = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", "utf-8-sig": "utf-8"}
"""Names that stand for two codecs, or for one with a mark → the one that is meant without."""
SPARSE = 0.1
"""Share of zeros in one half of the bytes above which text is UTF-16: blanks alone are as many."""
MOSTLY = 0.8
"""Share of ASCII bytes that no text in UTF-16 comes near: every second byte is none."""


def encoding_of(head: bytes, given: str = "") -> Encoding:
    """Tell the encoding by the byte order mark in front; without one it is the one `given`.

    Where none is given either, UTF-16 is told by the zeros that every second byte of Latin letters,
    digits and blanks is in it; all else is UTF-8.

    Raises:
        Flaw: the mark is UTF-16's or UTF-32's, and text of single bytes follows. Read by the mark
            it would be other words, in which nothing is found.
    """
    marked = next((e for e in ENCODINGS if head.startswith(e.mark)), None)
    found = marked or Encoding(CODECS.get(given, given) or _unmarked(head[:HEAD]))
    rest = head[len(found.mark) : HEAD]
    if (
        found.mark
        and found.codec != "utf-8"
        and len(rest) - len(rest.translate(None, ASCII)) > MOSTLY * len(rest)
    ):
        raise Flaw(f"not {found.codec.upper()}, as its byte order mark says: remove the mark")
    return found


def _unmarked(head: bytes) -> str:
    """Return the codec of text without a mark: UTF-16 where only every second byte is zero."""
    for codec, zeros, letters in (
        ("utf-16-le", head[1::2], head[::2]),
        ("utf-16-be", head[::2], head[1::2]),
    ):
        if not letters.count(0) and zeros.count(0) > SPARSE * len(zeros):
            return codec
    return "utf-8"


def decode(data: bytes, encoding: Encoding) -> str:
    """Decode strictly, without the byte order mark.

    Raises:
        Flaw: the bytes are not text in this encoding; the reason says what to do.
    """
    try:
        return data[len(encoding.mark) :].decode(encoding.codec)
    except UnicodeDecodeError as error:
        raise Flaw(not_encoded(encoding.codec, error.start + len(encoding.mark))) from None


def not_encoded(codec: str, position: int | None = None) -> str:
    """Say that bytes are not text, and what to do about it."""
    at = "" if position is None else f" at byte {position}"
    hint = "; name its encoding, as in --encoding cp1252, or: iconv -f WINDOWS-1252 -t UTF-8"
    return f"not {codec.upper()}{at}{hint if codec == 'utf-8' else ''}"


def digest(source: Path) -> str:
    """Hex SHA-256 over names and bytes of the corpus: says whether an input is still the same."""
    return digest_of(listing(source))


def digest_of(
    entries: Iterable[File | SetAside], by_name: MutableMapping[str, str] | None = None
) -> str:
    """Hex SHA-256 over names and bytes of what was listed.

    `by_name` takes the digest of each file that can be read.
    """
    whole = hashlib.sha256()
    for entry in entries:
        if isinstance(entry, SetAside):
            whole.update(f"{entry.origin.file}\0{entry.reason}\0".encode())
            continue
        whole.update(f"{entry.name}\0".encode())
        try:
            with entry.open() as handle:
                own = hashlib.file_digest(handle, "sha256")
            whole.update(own.digest())
            if by_name is not None:
                by_name[entry.name] = own.hexdigest()
        except Flaw as flaw:
            whole.update(str(flaw).encode())
        except OSError as error:
            whole.update(str(error.strerror).encode())
    return whole.hexdigest()
