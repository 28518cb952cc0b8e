"""Appends to the log of decisions: hash-chained, without values.

Each line holds the hash of the line before, and its own. A file beside the log holds the number of
lines and the last hash, so that a log that was cut off is noticed. Whoever may write to the run can
replace both files together; a copy of the last hash, kept elsewhere, shows that, too.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from linkmask.errors import RunError
from linkmask.runs.atomic import flush, write_whole
from linkmask.runs.log import private

NAME = "review-log.jsonl"
HEAD = "review-log.head"
APPROVE = "approve"
"""Action of a line that approves a plan, which it names by digest."""
FIRST = "0" * 64
"""Value in the first line in place of the hash of the line before."""


class LogHead(msgspec.Struct, frozen=True):
    """How many lines a log has, and the hash of the last."""

    lines: int = 0
    hash: str = FIRST


def now() -> str:
    """Return the time, UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def log_line_hash(entry: dict[str, Any]) -> str:
    """Return the hash of a line: SHA-256 over its members but `hash`, sorted, as JSON."""
    rest = {name: value for name, value in entry.items() if name != "hash"}
    return hashlib.sha256(msgspec.json.encode(rest, order="deterministic")).hexdigest()


class DecisionLog:
    """The log of a run, verified when it is opened.

    Raises:
        RunError: it was cut or changed.
    """

    def __init__(self, folder: Path, clock: Callable[[], str] = now) -> None:
        self._path, self._head_path, self._clock = folder / NAME, folder / HEAD, clock
        self.head = verified_head(folder)

    def append(self, action: str, reviewer: str, **facts: Any) -> None:
        """Add a line: what was done, by whom, when; the line is on the disk when this returns.

        Raises:
            RunError: it can't be written; nothing was done then.
        """
        entry = {
            "number": self.head.lines + 1, "time": self._clock(), "reviewer": reviewer,
            "action": action, **facts, "previous": self.head.hash,
        }  # fmt: skip
        entry["hash"] = log_line_hash(entry)
        head = LogHead(self.head.lines + 1, entry["hash"])
        line = msgspec.json.encode(entry) + b"\n"
        try:
            out = private(self._path, os.O_APPEND)
            try:
                size = os.fstat(out).st_size
                if os.write(out, line) != len(line):
                    os.ftruncate(out, size)
                    raise OSError(28, "the disk is full")
                os.fsync(out)
            finally:
                os.close(out)
            write_whole(self._head_path, [msgspec.json.encode(head)])
            flush(self._path.parent)
        except OSError as error:
            raise RunError(f"can't write {self._path}: {error.strerror}; nothing done") from None
        self.head = head

    def entries(self) -> list[dict[str, Any]]:
        """Return the lines, in their order."""
        return list(_entries(self._path)) if self._path.exists() else []


def verified_head(folder: Path) -> LogHead:
    """Return the head of a run's log, once its chain was checked.

    If the log has one line more than its head, a command was killed between writing the two; the
    line is accepted.

    Raises:
        RunError: the log was cut or changed, or one of its two files is missing.
    """
    path, head_path = folder / NAME, folder / HEAD
    if not path.exists() and not head_path.exists():
        return LogHead()
    try:
        known = (
            msgspec.json.decode(head_path.read_bytes(), type=LogHead)
            if head_path.exists()
            else LogHead()
        )
    except (OSError, msgspec.DecodeError):
        raise _broken(head_path, "it can't be read") from None
    last, seen = LogHead(), known.lines == 0 and known.hash == FIRST
    for entry in _entries(path) if path.exists() else ():
        number = last.lines + 1
        if entry.get("previous") != last.hash or entry.get("number") != number:
            raise _broken(path, f"line {number} does not follow the one before")
        if entry.get("hash") != log_line_hash(entry):
            raise _broken(path, f"line {number} was changed")
        last = LogHead(number, str(entry["hash"]))
        seen = seen or last == known
    if not seen or last.lines > known.lines + 1:
        raise _broken(path, f"{known.lines} lines were written, and it holds {last.lines}")
    return last


def approved_by(folder: Path, plan: str) -> frozenset[str]:
    """Return the reviewers who approved the plan with this digest, by the log of a run.

    Raises:
        RunError: the log was cut or changed.
    """
    verified_head(folder)
    lines = _entries(folder / NAME) if (folder / NAME).exists() else ()
    return frozenset(
        str(one.get("reviewer"))
        for one in lines
        if one.get("action") == APPROVE and one.get("plan") == plan
    )


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise _broken(path, str(error.strerror)) from None
    for number, line in enumerate(lines, 1):
        try:
            yield msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:
            raise _broken(path, f"line {number} is no JSON object") from None


def _broken(path: Path, why: str) -> RunError:
    return RunError(
        f"the log of decisions {path} is not whole: {why}. Nothing is decided on it: put it back "
        f"from a copy, or move {NAME} and {HEAD} away to begin another log"
    )
