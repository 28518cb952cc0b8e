"""Stores answers of earlier requests in one SQLite file that only its owner can read.

Like a run folder, the file holds values of documents. A row is an answer that met its schema. Its
key is a digest of the request, so the file holds no prompt.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from linkmask.errors import RunError

FORM = 1
"""Version of the file's tables and of the keys."""

AT_ONCE = 500
"""Keys looked up by one query."""

TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    key BLOB PRIMARY KEY, value BLOB NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, seconds REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS servers (name TEXT PRIMARY KEY, can BLOB NOT NULL) WITHOUT ROWID;
"""


class StoredAnswer(NamedTuple):
    """An answer as JSON, and what it cost."""

    value: bytes
    tokens_in: int
    tokens_out: int
    seconds: float


def key_of(*parts: Any) -> bytes:
    """Return the digest under which an answer to these parts is kept."""
    return blake2b(msgspec.json.encode((FORM, *parts)), digest_size=20).digest()


def default_path() -> Path:
    """Return where answers are kept unless `llm_cache` says: the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(base) if base.startswith("/") else Path.home() / ".cache"
    return folder / "linkmask" / "llm.sqlite"


class Cache:
    """A key-value store that any thread may use; several processes may share its file.

    If the process is killed, nothing that was written is lost; if the machine crashes, the answers
    of the last moments may be.

    Raises:
        RunError: the file can't be used, or is damaged; the message says what to do.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        with self._failed():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            os.close(os.open(path, flags, 0o600))
            os.chmod(path, 0o600)  # noqa: PTH101 - beside the open it belongs to
            self._db = sqlite3.connect(path, timeout=60, check_same_thread=False)
            self._db.isolation_level = None
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute("PRAGMA mmap_size=1073741824")
            form = self._db.execute("PRAGMA user_version").fetchone()[0]
            if form not in (0, FORM):
                raise RunError(
                    f"{path} was written by another version: delete it, or set llm_cache"
                )
            self._db.executescript(TABLES)
            self._db.execute(f"PRAGMA user_version={FORM}")

    @contextmanager
    def _failed(self) -> Iterator[None]:
        """Say what went wrong with the file, and what to do."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            what = "is damaged or no cache of answers"
            if isinstance(error, sqlite3.OperationalError):
                what = f"can't be used ({error})"
            raise RunError(f"{self.path} {what}: delete it, or set llm_cache to another") from None
        except OSError as error:
            raise RunError(f"can't use {self.path}: {error.strerror}; set llm_cache") from None

    def get(self, keys: Sequence[bytes]) -> dict[bytes, StoredAnswer]:
        """Return the rows of those keys that are there, by key."""
        rows: dict[bytes, StoredAnswer] = {}
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT * FROM answers WHERE key IN ({marks})"  # noqa: S608 - marks only
            with self._failed(), self._lock:
                rows.update(
                    (row[0], StoredAnswer(*row[1:])) for row in self._db.execute(query, some)
                )
        return rows

    def put(self, rows: Iterable[tuple[bytes, StoredAnswer]]) -> None:
        """Keep answers; one that is there already is replaced."""
        flat = [(key, *row) for key, row in rows]
        with self._failed(), self._lock:
            if len(flat) > 1:
                self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?,?,?,?,?)", flat)
            if len(flat) > 1:
                self._db.execute("COMMIT")

    def forget(self, holds: Callable[[bytes], bool]) -> int:
        """Delete the answers, as JSON, of which `holds` is true; return how many they were.

        Nothing of them is left in the file, which is written anew.

        Raises:
            RunError: another command uses the file; some answers may be deleted by then.
        """
        with self._failed(), self._lock:
            rows = self._db.execute("SELECT key, value FROM answers")
            gone = [(key,) for key, value in rows if holds(value)]
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("DELETE FROM answers WHERE key=?", gone)
            self._db.execute("COMMIT")
            # pages hold what was deleted, moved or replaced, also by earlier calls; so does the log
            self._db.execute("VACUUM")
            busy, *_ = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise RunError(f"another command uses {self.path}: wait for its end, and repeat")
        return len(gone)

    def server(self, name: str) -> bytes | None:
        """Return what is remembered of a server and model."""
        with self._failed(), self._lock:
            row = self._db.execute("SELECT can FROM servers WHERE name=?", (name,)).fetchone()
        return None if row is None else row[0]

    def remember(self, name: str, can: bytes) -> None:
        """Remember what a server can do with a model."""
        with self._failed(), self._lock:
            self._db.execute("INSERT OR REPLACE INTO servers VALUES (?,?)", (name, can))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()
