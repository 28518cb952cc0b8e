"""The cache keeps answers privately, and says clearly when it can't."""

from __future__ import annotations

import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from linkmask.errors import RunError
from linkmask.llm.cache import Cache, StoredAnswer, key_of


def test_private(tmp_path: Path) -> None:
    """File and folder are for their owner only, also where the file was open to others."""
    path = tmp_path / "new" / "llm.sqlite"
    path.parent.mkdir(mode=0o700)
    path.touch(0o644)
    cache = Cache(path)
    cache.put([(b"k", StoredAnswer(b"1", 1, 1, 0.5))])
    modes = {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {0o600}
    cache.close()


def test_kept(tmp_path: Path) -> None:
    """What was put is there after closing, also from other threads, and for many keys at once."""
    path = tmp_path / "llm.sqlite"
    rows = {key_of(n): StoredAnswer(str(n).encode(), n, 2 * n, 0.5) for n in range(1200)}
    cache = Cache(path)
    halves = [list(rows.items())[:600], list(rows.items())[600:]]
    threads = [threading.Thread(target=cache.put, args=(half,)) for half in halves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cache.remember("server", b"can")
    cache.close()
    again = Cache(path)
    assert again.get([*rows, b"none"]) == rows
    assert (again.server("server"), again.server("other")) == (b"can", None)
    again.close()


def test_two_processes_may_share_it(tmp_path: Path) -> None:
    """A second connection sees what the first one wrote."""
    one, other = Cache(tmp_path / "c"), Cache(tmp_path / "c")
    one.put([(b"k", StoredAnswer(b"1", 1, 1, 0.5))])
    assert other.get([b"k"])
    one.close()
    other.close()


@pytest.mark.parametrize("harm", ["text", "header", "later", "other version"])
def test_damaged(tmp_path: Path, harm: str) -> None:
    """A damaged file is one clear error with its path and what to do, not wrong answers."""
    path = tmp_path / "llm.sqlite"
    cache = Cache(path)
    cache.put([(key_of(n), StoredAnswer(b"x" * 500, 1, 1, 0.5)) for n in range(500)])
    if harm == "other version":
        cache._db.execute("PRAGMA user_version=99")
    cache.close()
    data = bytearray(path.read_bytes())
    if harm == "text":
        data[:] = b"not a database, but long enough to be looked at" * 50
    elif harm == "header":
        data[:100] = b"\0" * 100
    elif harm == "later":
        data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(RunError, match=r"llm\.sqlite .*delete it"):
        Cache(path).get([key_of(n) for n in range(500)])


def test_can_not_be_made(tmp_path: Path) -> None:
    """A path that can't be used is said to be so; a link is not followed."""
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="llm_cache"):
        Cache(tmp_path / "file" / "llm.sqlite")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RunError, match="llm_cache"):
        Cache(tmp_path / "link")


def test_what_is_forgotten_is_left_in_no_byte_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "llm.sqlite"
    cache = Cache(path)
    cache._db.execute("PRAGMA secure_delete=OFF")  # as SQLite is built elsewhere
    said = {key_of(n): f'["Odalys {n % 2}"]'.encode() for n in range(600)}
    for key, value in said.items():  # one by one, so that pages split
        cache.put([(key, StoredAnswer(value, 1, 1, 0.5))])
    assert cache.forget(lambda answer: b"Odalys 1" in answer) == 300
    assert len(cache.get(list(said))) == 300
    assert not any(b"Odalys 1" in one.read_bytes() for one in tmp_path.iterdir())
    cache.close()


def test_to_forget_fails_while_another_reads(tmp_path: Path) -> None:
    """Its log can't be emptied then; the next call empties it."""
    path = tmp_path / "llm.sqlite"
    cache = Cache(path)
    cache.put([(b"k", StoredAnswer(b'"Odalys"', 1, 1, 0.5))])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM answers").fetchall()
    cache._db.execute("PRAGMA busy_timeout=10")
    with pytest.raises(RunError, match="repeat"):
        cache.forget(lambda answer: True)
    other.close()
    assert cache.forget(lambda answer: True) == 0
    assert not any(b"Odalys" in one.read_bytes() for one in tmp_path.iterdir())
    cache.close()
