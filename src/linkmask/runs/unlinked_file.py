"""Stores rows of bytes that a run needs while one command works on it.

They are in an unlinked file: a file without a name, which only this process can read and which the
system removes when the process ends, however it ends. So nothing of them stays in a run: a command
that continues the run never finds masks of another plan, and `forget` has nothing to erase.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from linkmask.errors import RunError

BUFFER = 1 << 20
SIZE = 4
"""Bytes before each row that tell its size."""


class UnlinkedFile:
    """Rows of bytes, appended one by one; any number of readers may read them, in that order.

    Raises:
        RunError: the disk is full, or can't be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self._file = TemporaryFile(  # noqa: SIM115 - open as long as it is needed
                buffering=BUFFER, dir=folder, prefix=".passing-", suffix=".partial"
            )
        except OSError as error:
            raise self._full(error) from None

    def add(self, row: bytes) -> None:
        """Append a row.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        try:
            self._file.write(len(row).to_bytes(SIZE, "little"))
            self._file.write(row)
        except OSError as error:
            raise self._full(error) from None

    def rows(self) -> Iterator[bytes]:
        """Yield the rows that were appended by now.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        try:
            self._file.flush()
        except OSError as error:
            raise self._full(error) from None
        reader = io.BufferedReader(_Reader(self._file), BUFFER)
        while size := reader.read(SIZE):
            yield reader.read(int.from_bytes(size, "little"))

    def _full(self, error: OSError) -> RunError:
        return RunError(f"can't write to {self._folder}: {error.strerror}")


class _Reader(io.RawIOBase):
    """Reads an open file from its beginning, apart from all others that read it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._at = file, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = os.preadv(self._file.fileno(), [buffer], self._at)
        self._at += count
        return count
