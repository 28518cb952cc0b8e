"""Exchanges files together: all of them come into place, or none does.

The new files are first written in full to a hidden folder beside those that they replace. One file,
the journal, then decides the exchange, and only then files are renamed. Whoever opens a folder with
a journal carries it out before anything else. So after a kill at any moment, either the old or the
new files are there.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

import msgspec

from linkmask.errors import RunError
from linkmask.runs.atomic import flush, write_whole

STAGED, OLD, JOURNAL, TOKEN = ".next", ".old", ".journal", ".token"
NAMES = (STAGED, OLD, JOURNAL, f".{JOURNAL}.partial")
"""Names that a killed exchange may leave in a folder."""


class Share(msgspec.Struct):
    """One folder's share of an exchange.

    The `names` staged in `folder/staged` come into place, the names in `gone` are removed; a name
    may lie in a folder within ("2024/note.json"). The staged folder is known by its `token`: one
    that holds another token is left alone.
    """

    folder: str
    names: list[str]
    gone: list[str]
    token: str
    staged: str = STAGED


class Journal(msgspec.Struct):
    """An exchange that is decided.

    `dropped`: the journal's own folder is removed at the end. `done`: the message about it.
    """

    shares: list[Share]
    dropped: bool = False
    done: dict[str, int] = {}

    def concerns(self, folder: Path) -> bool:
        """Tell whether a folder has a share."""
        return any(Path(one.folder) == folder.resolve() for one in self.shares)


def share(
    folder: Path,
    ours: Iterable[str] = (),
    staged: str = STAGED,
    names: Iterable[str] | None = None,
) -> Share:
    """Make a share of all that is staged in a folder; those of `ours` that are not there will go.

    `names`: what of it comes into place, if not all that lies in it.

    Raises:
        OSError: the disk is full, or can't be written.
    """
    token = token_hex(8)
    write_whole(folder / staged / TOKEN, [token.encode()])
    if names is None:
        names = {entry.name for entry in (folder / staged).iterdir()} - {TOKEN}
    own = set(names)
    return Share(str(folder.resolve()), sorted(own), sorted(set(ours) - own), token, staged)


def decide(folder: Path, journal: Journal) -> None:
    """Decide an exchange by a journal in `folder`, and carry it out. The journal stays: `close` it.

    Raises:
        OSError: the journal can't be written: nothing has changed, and nothing is staged any more.
        RunError: the exchange is decided, but can't be carried out yet.
    """
    try:
        write_whole(folder / JOURNAL, [msgspec.json.encode(journal)])
    except BaseException:
        withdraw(folder, journal.shares)
        raise
    _put_in_place(journal, folder)


def withdraw(folder: Path, shares: Iterable[Share]) -> None:
    """Remove what is staged, unless a journal in `folder` has decided on it."""
    for one in () if (folder / JOURNAL).exists() else shares:
        shutil.rmtree(Path(one.folder, one.staged), ignore_errors=True)


def complete(folder: Path, alone: bool = False) -> Journal | None:
    """Carry out what was decided in a folder before a kill, and return it; None if nothing was.

    Args:
        alone: a journal that names other folders than its own is not to be trusted.

    Raises:
        RunError: the journal is damaged, not to be trusted, or can't be carried out.
    """
    try:
        journal = msgspec.json.decode((folder / JOURNAL).read_bytes(), type=Journal)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.MsgspecError):
        raise RunError(f"{folder / JOURNAL} is damaged: remove it, and start again") from None
    if alone and {Path(one.folder) for one in journal.shares} != {folder.resolve()}:
        raise RunError(f"{folder / JOURNAL} names other folders: remove it")
    _put_in_place(journal, folder)
    close(folder, journal.dropped)
    return journal


def close(folder: Path, dropped: bool = False) -> None:
    """Remove the journal of an exchange that was carried out; with the folder where it is dropped.

    The journal goes last: as long as it stands, the work goes on where it was.
    """
    for entry in folder.iterdir() if dropped else ():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry.name != JOURNAL:
            entry.unlink()
    (folder / JOURNAL).unlink(missing_ok=True)
    if dropped:
        folder.rmdir()


def discard(folder: Path) -> None:
    """Remove what stands in a folder's way without ever leaving half of it under its name."""
    old = folder.with_name(OLD)
    shutil.rmtree(old, ignore_errors=True)
    if folder.is_dir() and not folder.is_symlink():
        folder.rename(old)
        shutil.rmtree(old, ignore_errors=True)


def _put_in_place(journal: Journal, folder: Path) -> None:
    try:
        flush(folder)  # the journal is to last before what it decides is begun
        for one in journal.shares:
            _exchange(one)
    except OSError as error:
        raise RunError(
            f"what is decided in {folder} can't be put in place ({error.strerror}): when it can, "
            "start the same command again, which completes it"
        ) from None


def _exchange(one: Share) -> None:
    """Put a folder's share in place; what was put there before a kill is not done again."""
    folder = Path(one.folder)
    staged = folder / one.staged
    if _token(staged) != one.token:  # all is in place, or somebody has begun anew since
        _remove_empty(staged)
        return
    for name in one.gone:
        discard(folder / name)
        with suppress(FileNotFoundError, NotADirectoryError):
            (folder / name).unlink()
    for name in one.names:
        if (staged / name).exists():
            discard(folder / name)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (staged / name).rename(folder / name)
    shutil.rmtree(folder / OLD, ignore_errors=True)
    for changed in {(folder / name).parent for name in (*one.gone, *one.names)} | {folder}:
        if changed.is_dir():
            flush(changed)
    (staged / TOKEN).unlink()
    _remove_empty(staged)


def _remove_empty(folder: Path) -> None:
    """Remove a folder and those within, as far as nothing lies in them."""
    with suppress(OSError):
        for within, _, _ in os.walk(folder, topdown=False):
            Path(within).rmdir()


def _token(staged: Path) -> str:
    try:
        return (staged / TOKEN).read_text("ascii")
    except OSError:
        return ""
