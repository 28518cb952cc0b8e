"""Lists the files of a corpus in order of name, and computes a digest of their bytes."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from pathlib import Path

from linkmask.corpus.file_kinds import READ, WRITTEN_AS, kind_of, read_name
from linkmask.corpus.files import File, Flaw, named, set_aside_row
from linkmask.errors import InputError
from linkmask.records import SetAside


def listing(source: Path, may_be_empty: bool = False) -> list[File | SetAside]:
    """List the corpus: every file below a folder sorted by name, or the one file given.

    Nothing is skipped in silence: links, special files, files of other kinds and hidden files of
    a kind that is read come back as `SetAside`. Hidden folders and hidden files of other kinds
    (`.git`, `.DS_Store`) are not part of a corpus.

    Args:
        may_be_empty: a folder need not hold a file that can be read.

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
        raise InputError(f"can't read {source}: {error.strerror}") from None
    if not may_be_empty and not any(isinstance(entry, File) for entry in entries):
        raise InputError(f"no document in {source}: give {READ}")
    return list(_named_apart(entries))


def _named_apart(entries: list[File | SetAside]) -> Iterator[File | SetAside]:
    """Set aside files that would be written under the name of another file."""
    others = {e.name for e in entries if isinstance(e, File) and e.kind not in WRITTEN_AS}
    for entry in entries:
        if isinstance(entry, File) and entry.kind in WRITTEN_AS and entry.name in others:
            taken = "its text would be written under the name of another file: rename that one"
            yield set_aside_row(read_name(entry.name), taken)
        else:
            yield entry


def _files_below(folder: Path) -> Iterator[File | SetAside]:
    """Yield the files below `folder` in order of name; links are named, not followed.

    It uses a stack, because folders may be nested deeper than Python's recursion limit.
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
            yield set_aside_row(name, f"can't be read: {error.strerror}")
        except Flaw as flaw:
            yield set_aside_row(name, str(flaw))


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
    found = named(name, entry.path, entry.stat(follow_symlinks=False))
    if not _printable(name):
        raise Flaw("its name is not UTF-8: rename it")
    return found


def _printable(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def digest(source: Path) -> str:
    """Hex SHA-256 over names and bytes of the corpus: says whether an input is still the same."""
    return listing_digest(listing(source))


def listing_digest(
    entries: Iterable[File | SetAside],
    by_name: MutableMapping[str, str] | None = None,
    known: Callable[[File], str] = lambda file: "",
) -> str:
    """Hex SHA-256 over names and bytes of what was listed.

    `by_name` takes the digest of each file that can be read; a file whose digest is `known` is not
    read for it.
    """
    whole = hashlib.sha256()
    for entry in entries:
        if isinstance(entry, SetAside):
            whole.update(f"{entry.origin.file}\0{entry.reason}\0".encode())
            continue
        whole.update(f"{entry.name}\0".encode())
        try:
            own = known(entry) or entry.digest().hexdigest()
            whole.update(bytes.fromhex(own))
            if by_name is not None:
                by_name[entry.name] = own
        except Flaw as flaw:
            whole.update(str(flaw).encode())
        except OSError as error:
            whole.update(str(error.strerror).encode())
    return whole.hexdigest()
