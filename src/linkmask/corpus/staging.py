"""Makes a release ready beside the output folder, and puts it in place whole."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import msgspec

from linkmask.corpus import chunks, redacted_files
from linkmask.corpus.file_kinds import read_name
from linkmask.corpus.files import Place, is_settled, sha256_of, stamp, state_of
from linkmask.errors import OutputError
from linkmask.records import SetAside
from linkmask.runs import exchange

DOCUMENTS = "documents"
SET_ASIDE = "set-aside.jsonl"
REPORT = ("report.html", "summary.json", "decisions.jsonl", chunks.NAME, redacted_files.NAME)
"""Files of a release beside the documents."""
WRITTEN = "written.json"
"""The digests of the files that were written, by name, where no run keeps them."""
RELEASED = (DOCUMENTS, SET_ASIDE, WRITTEN, *REPORT)
"""Entries of OUT that are exchanged together. If linkmask wrote it, the list of set-asides is
one."""
OURS = (*RELEASED, ".run", *exchange.NAMES)
"""Names in OUT that linkmask makes. Nothing else in it is ever touched."""

OF_DESKTOPS = (".DS_Store", "Thumbs.db", "desktop.ini")
"""Files that desktops put into any folder: they go with it."""
NAMED = 5
"""Files that an error names, at most."""
FSYNC_EACH = 64
"""Files up to which each is flushed by itself; beyond, the whole system is flushed once."""


def check_out(source: Path, out: Path, overwrite: bool = False) -> None:
    """Check that OUT may be written, before any work is done.

    An OUT that only holds the beginnings of a killed run is free. `overwrite` replaces what
    linkmask wrote, and nothing that somebody else put under the same name.

    Raises:
        OutputError: OUT is or lies inside INPUT, INPUT lies in OUT, OUT is not a folder, or it
            holds something already and `overwrite` is False, or not linkmask wrote it.
    """
    real, inner = Path(os.path.realpath(out)), Path(os.path.realpath(source))
    if real == inner or (inner.is_dir() and real.is_relative_to(inner)):
        raise OutputError(f"{out} lies inside the input: give an output folder outside of it")
    if inner.is_relative_to(real):
        raise OutputError(f"the input lies inside {out}: give a folder that does not hold it")
    if (out.is_symlink() or out.exists()) and not out.is_dir():
        raise OutputError(f"{out} is not a folder: give another one")
    for name in OURS:
        if (out / name).is_symlink():
            raise OutputError(f"{out / name} is a symbolic link: remove it, or give another folder")
    names = {entry.name for entry in out.iterdir()} if out.is_dir() else set()
    there = [name for name in RELEASED if name in names]
    if there and not (out / SET_ASIDE).is_file():
        raise OutputError(f"{out / there[0]} was not written by linkmask: give another folder")
    if not overwrite and (DOCUMENTS in names or not names <= set(OURS)):
        raise OutputError(f"{out} is not empty: give another folder, or --overwrite")


def check_replaceable(out: Path, ours: Collection[str]) -> None:
    """Check that OUT holds no file of somebody's own in a folder that is replaced whole.

    `ours`: the names of the files of documents that linkmask wrote there, or is to write.

    Raises:
        OutputError: there are such files; the message names them.
    """
    redacted = {read_name(name).removesuffix(".gz") for name in ours}
    foreign = [
        f"{folder}/{name}"
        for folder, own in ((DOCUMENTS, ours), (redacted_files.NAME, redacted))
        for name, entry in _below(out / folder)
        if not entry.is_dir(follow_symlinks=False)
        if name not in own and entry.name not in OF_DESKTOPS
    ]
    if foreign:
        named = ", ".join(foreign[:NAMED]) + (", …" if len(foreign) > NAMED else "")
        raise OutputError(
            f"{out} holds files that would be deleted and that linkmask did not write, as far as "
            f"its run tells ({named}): move them elsewhere, or give another folder"
        )


def unchanged_files(out: Path) -> set[str]:
    """Return the names of the documents that OUT lists as written, and that nobody changed."""
    try:
        listed = msgspec.json.decode((out / WRITTEN).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return set()
    return set(Carried(out, listed).files)


class Carried:
    """Files of a release that stay as they are in the next one.

    `files` are those that stand in OUT as they were written, each with how it is now; `stamps` are
    those of them that are settled.

    Args:
        out: where the release was written.
        written: the digest of each file that may stay, by name, as `WriteReport.bytes` has it.
        noted: stamps of settled files; such files are not read.
    """

    def __init__(self, out: Path, written: Mapping[str, str], noted: Container[int] = ()) -> None:
        below = _below(out / DOCUMENTS)
        standing = {name: one for name, one in below if one.is_file(follow_symlinks=False)}
        self.files: dict[str, int] = {}
        self.stamps = set[int]()
        for name, digest in written.items():
            if name in standing:
                with suppress(OSError):
                    self._compare(name, standing[name], digest, noted)

    def _compare(
        self, name: str, entry: os.DirEntry[str], digest: str, noted: Container[int]
    ) -> None:
        """Take a file if it has this digest; where its stamp was noted, it is not read."""
        state = state_of(entry.stat(follow_symlinks=False)) if noted else 0
        settled = (as_noted := stamp(state, digest)) in noted
        if not settled:
            own, status = _digest_and_status(entry.path)
            if own != digest:
                return
            state, settled = state_of(status), is_settled(status)
            as_noted = stamp(state, digest)
        self.files[name] = state
        if settled:
            self.stamps.add(as_noted)

    def only(self, names: Container[str]) -> None:
        """Keep some of the files; the others are written anew."""
        self.files = {name: state for name, state in self.files.items() if name in names}


def file_digest(path: Path | str) -> str:
    """Return the hex SHA-256 of a regular file's bytes; a link is not followed.

    Raises:
        OSError: it can't be read, or is a link.
    """
    return _digest_and_status(path)[0]


def _digest_and_status(path: Path | str) -> tuple[str, os.stat_result]:
    """Return the same digest, and the file's status before it was read."""
    descriptor = _no_link(path, os.O_RDONLY)
    try:
        if not stat.S_ISREG((about := os.fstat(descriptor)).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        digest = sha256_of(partial(os.read, descriptor), about.st_size)
        return str(digest.hexdigest()), about
    finally:
        os.close(descriptor)


class StagedOutput:
    """A hidden folder inside OUT for all that is released, removed unless it is exchanged."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self.path = out / exchange.STAGED
        self._documents = self.path / DOCUMENTS
        self._lock = -1
        self._files: list[Path] = []
        self._folders: set[Path] = set()
        self._carried: Mapping[str, int] | None = None
        self._made = [one for one in (out, *out.parents) if not one.exists()]

    def __enter__(self) -> StagedOutput:
        try:
            return self._opened()
        except BaseException:
            self._remove_empty()
            raise

    def _opened(self) -> StagedOutput:
        self._out.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(self._out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise OutputError(f"another run is writing to {self._out}: wait for it") from None
        shutil.rmtree(self.path, ignore_errors=True)
        self._documents.mkdir(parents=True)
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if not (self.path / exchange.TOKEN).exists():  # else a journal decides about it
            shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)
        if failure is not None:
            self._remove_empty()

    def _remove_empty(self) -> None:
        """Remove OUT and the folders above it that were made for it, if nothing is in them."""
        with suppress(OSError):
            for folder in self._made:
                folder.rmdir()

    def file(self, name: str) -> BinaryIO:
        """Open a new file below the stage.

        Raises:
            OutputError: the name leads outside, or two documents claim the same file.
        """
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts or "\0" in name:
            raise OutputError("a file name of the input leads outside of the output folder")
        path = self._documents.joinpath(*parts)
        if path.parent not in self._folders:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(path.parent)
        try:
            handle = open(path, "xb", buffering=1 << 16, opener=_no_link)  # noqa: SIM115
        except FileExistsError:
            raise OutputError("documents of one file are not in input order") from None
        self._files.append(path)
        return handle

    def carry(self, carried: Carried) -> None:
        """Leave files where they stand in OUT; of its documents, only the others are exchanged."""
        self._carried = carried.files

    def note(self, set_aside: Iterable[tuple[SetAside, Place]]) -> None:
        """Write the list of what is set aside, each with its place in the input."""
        lines = [
            {"id": one.document, **place, "step": one.step, "reason": one.reason}
            for one, place in set_aside
        ]
        path = self.path / SET_ASIDE
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        self._files.append(path)

    def list_written(self, digests: Mapping[str, str]) -> None:
        """Write the list that tells the next command which files it may replace."""
        path = self.path / WRITTEN
        path.write_bytes(msgspec.json.encode(digests))
        self._files.append(path)

    def shares(self) -> list[exchange.Share]:
        """Make what is staged durable, and return the shares of an exchange, in their order.

        Raises:
            OutputError: a file that was to stay has changed since it was compared.
            OSError: the disk is full, or can't be written.
        """
        self._flush(self._files)
        if not self._carried:
            return [exchange.share(self._out, RELEASED)]
        names = [name for name, one in _below(self._documents) if not one.is_dir()]
        stale = self._stale({*self._carried, *names})
        beside = {entry.name for entry in self.path.iterdir()} - {DOCUMENTS}
        staged = f"../{exchange.STAGED}/{DOCUMENTS}"
        return [
            exchange.share(self._out / DOCUMENTS, stale, staged, names),
            exchange.share(self._out, {*RELEASED} - {DOCUMENTS}, names=beside),
        ]

    def _stale(self, names: Collection[str]) -> list[str]:
        """Return what stands among the documents in OUT and is not part of what is released.

        Raises:
            OutputError: a file that was to stay has changed since it was compared.
        """
        stays = dict(self._carried or ())
        folders = _folders_of(names)
        stale = []
        for name, entry in _below(self._out / DOCUMENTS, folders):
            if name not in (folders if entry.is_dir(follow_symlinks=False) else names):
                stale.append(name)
            elif name in stays and state_of(entry.stat(follow_symlinks=False)) == stays[name]:
                del stays[name]
        if stays:
            message = "was changed meanwhile: nothing was written; start the command again"
            raise OutputError(f"{self._out} {message}")
        return stale

    def publish(self) -> None:
        """Exchange what is staged for what is there, with nothing else."""
        exchange.decide(self._out, exchange.Journal(self.shares()))
        exchange.close(self._out)

    def _flush(self, files: list[Path]) -> None:
        if len(files) > FSYNC_EACH:
            os.sync()
            return
        for path in [*files, *sorted(self._folders), self._documents, self.path]:
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)


def _folders_of(names: Iterable[str]) -> set[str]:
    """Return the folders that hold some files, by their names."""
    folders = set[str]()
    for name in names:
        while (name := name.rpartition("/")[0]) and name not in folders:
            folders.add(name)
    return folders


def _below(
    folder: Path | str, only: Container[str] | None = None
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield what stands below a folder by its name there; no link is followed.

    `only`: the folders within that are looked into, if not all.
    """
    nested = [""]
    while nested:
        prefix = nested.pop()
        try:
            with os.scandir(f"{folder}/{prefix}") as entries:
                for entry in entries:
                    name = prefix + entry.name
                    yield name, entry
                    if entry.is_dir(follow_symlinks=False) and (only is None or name in only):
                        nested.append(f"{name}/")
        except FileNotFoundError:
            continue


def _no_link(path: Path | str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
