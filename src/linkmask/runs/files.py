"""Writes the files of a run whole, and several of them together, or not at all."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from linkmask.errors import RunError
from linkmask.runs import exchange
from linkmask.runs.atomic import write_whole
from linkmask.runs.damaged_file import damaged
from linkmask.runs.exchange import Journal, Share
from linkmask.runs.file_names import FILE_STAMPS, KNOWN, LOOKUP, NEXT, OURS, PLAN, RELEASED, VAULT

MADE_BY = {
    PLAN: "make it with linkmask plan",
    RELEASED: "nothing was released from it; linkmask apply does so",
}
"""File → what to do where it is missing."""
HELD = frozenset({"documents", "masked", "settings"})
"""Members of the record of a release, without which nothing can be checked or restored."""


class RunFiles:
    """The files in a run's folder.

    Args:
        path: where they are.
        home: the run's folder; another than `path` where the run is to replace the one that is
            there: it is made in `next`, inside of it, and takes its place when it releases.
    """

    kept = True
    """Whether the run is still needed when it has released."""

    def __init__(self, path: Path, home: Path) -> None:
        self.path, self.home = path, home
        self._apart: Path | None = None

    @contextlib.contextmanager
    def together(self, gone: Iterable[str] = (), **done: int) -> Iterator[None]:
        """Put all files that are written inside this context in place at once, or none.

        Args:
            gone: names of files that are removed with it.
            done: what is to be said of it, should this be killed before it could; see
                `exchange.complete`.
        """
        if self._apart is not None:  # part of something larger
            yield
            return
        place, staged = self.path, self.path / exchange.STAGED
        self._apart = staged
        try:
            staged.mkdir(mode=0o700)
            yield
            if self._apart is not None:
                self.release_shares(gone=gone, **done)
        finally:
            self._apart = None
            if not (place / exchange.JOURNAL).exists():
                shutil.rmtree(staged, ignore_errors=True)

    def release_shares(self, *shares: Share, gone: Iterable[str] = (), **done: int) -> None:
        """Decide the exchange of files that were written apart, and of other folders: a release.

        A run that is to replace another takes its place with its release, whose journal stays
        until `ended`.

        Raises:
            RunError: the disk is full, or can't be written; or what is decided can't be put in
                place yet.
        """
        self._apart = None
        try:
            own = exchange.share(self.path, gone)
            if shares and self.path == self.home:
                exchange.decide(self.home, Journal([*shares, own], not self.kept))
                return
            exchange.decide(self.path, Journal([own], done=done))
            exchange.close(self.path)
            if shares:
                kinds = ("released-*.json", f"{VAULT}-*")
                earlier = (one.name for kind in kinds for one in self.home.glob(kind))
                whole = exchange.share(self.home, [*OURS, *earlier], NEXT)
                exchange.decide(self.home, Journal([*shares, whole], not self.kept))
                self.path = self.home
        except BaseException as error:
            exchange.withdraw(self.home, shares)
            if isinstance(error, OSError):
                raise RunError(f"can't write to {self.home}: {error.strerror}") from None
            raise

    def ended(self) -> None:
        """Note that the command that released has ended and need not be repeated."""
        exchange.close(self.home, not self.kept)

    def forsake(self) -> None:
        """Remove an unfinished run that was to replace this one."""
        exchange.discard(self.home / NEXT)

    def forget_lookup(self) -> None:
        """Remove the lookup file, which can be made again, and remains of a killed process.

        That is what an opened run needs, and what the next edition compares with.
        """
        others = (self.path / KNOWN, self.path / FILE_STAMPS)
        for path in (*self.path.glob(f"{LOOKUP}*"), *others):
            path.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove half-written files of a killed command."""
        exchange.complete(self.path)
        for left in (exchange.STAGED, exchange.OLD):
            shutil.rmtree(self.path / left, ignore_errors=True)
        for partial_ in self.path.glob(".*.partial"):
            partial_.unlink(missing_ok=True)

    def files(self) -> dict[str, Path]:
        """Return where each file of the run is, by name, as it was last written."""
        names = {path.name for path in self.path.iterdir() if path.is_file()}
        if self._apart is not None:
            names |= {path.name for path in self._apart.iterdir() if path.is_file()}
        return {name: self.find(name) for name in names}

    def find(self, name: str) -> Path:
        """Return where a file is, as it was last written."""
        apart = self._apart / name if self._apart is not None else None
        return apart if apart is not None and apart.exists() else self.path / name

    def write(self, name: str, chunks: Iterable[bytes | memoryview]) -> None:
        """Write a file whole or not at all, readable by its owner only.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        try:
            write_whole((self._apart or self.path) / name, chunks)
        except OSError as error:
            raise RunError(f"can't write {self.home / name}: {error.strerror}") from None

    def write_json(self, name: str, data: Any) -> None:
        """Write plain data or structs as JSON, whole or not at all."""
        self.write(name, [msgspec.json.encode(data)])

    def read_json(self, name: str, kind: Any = Any) -> Any:
        """Read a JSON file of the run, as a type that msgspec knows.

        Raises:
            RunError: it is missing or damaged, or the record of a release lacks a member.
        """
        try:
            table = msgspec.json.decode(self.find(name).read_bytes(), type=kind)
        except FileNotFoundError:
            step = MADE_BY.get(name, "the step that makes it has not run")
            raise RunError(f"{self.path} holds no {name}: {step}") from None
        except (OSError, msgspec.DecodeError, RecursionError):
            raise damaged(self.path / name) from None
        if name.startswith("released") and not (isinstance(table, dict) and table.keys() >= HELD):
            raise damaged(self.path / name)
        return table
