"""Appends mentions document by document, and records which documents are complete."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from linkmask.errors import RunError
from linkmask.records import Mention
from linkmask.runs.damaged_file import damaged
from linkmask.runs.mentions import encode

BATCH = 500
"""Documents after which a log is made durable; sooner after `SECONDS` or `BYTES`."""
SECONDS = 5.0
BYTES = 4 << 20


class Batch(msgspec.Struct):
    """A line of a `.done.jsonl`: up to byte `size` the log is complete for these documents too.

    `sizes`: the bytes of each of these documents in the log; earlier versions did not write them.
    """

    documents: list[str]
    size: int
    complete: bool = False
    sizes: list[int] | msgspec.UnsetType = msgspec.UNSET


class Log:
    """Mentions appended document by document; a killed run loses at most the last batch.

    The mentions of a batch are made durable first, then one line saying which documents they
    cover. On opening, whatever follows the last covered byte is cut off, so a torn line or a
    half-written batch never counts. `done` holds the ids covered so far, in order.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.jsonl"
        self._covered = folder / f"{name}.done.jsonl"
        covered = list(batches(self._covered))
        self.done = dict.fromkeys(d for batch in covered for d in batch.documents)
        self.complete = bool(covered) and covered[-1].complete
        self._size = covered[-1].size if covered else 0
        self._out = private(self.path, 0)
        self._marks = private(self._covered, 0)
        if os.fstat(self._out).st_size < self._size:
            self.close()
            raise damaged(self.path)
        os.ftruncate(self._out, self._size)
        os.lseek(self._out, self._size, os.SEEK_SET)
        os.ftruncate(self._marks, sum(len(line_of(batch)) for batch in covered))
        os.lseek(self._marks, 0, os.SEEK_END)
        self._documents: list[str] = []
        self._sizes: list[int] = []
        self._pending = bytearray()
        self._since = time.monotonic()

    def add(self, document: str, mentions: Iterable[Mention]) -> None:
        """Append all mentions of one document, which counts as done even if there are none.

        Raises:
            RunError: the document was logged before.
        """
        if document in self.done:
            raise RunError("a document was logged twice: ids must be unique in a run")
        lines = b"".join(map(encode, mentions))  # may break off: nothing of it is kept then
        self.done[document] = None
        self._documents.append(document)
        self._sizes.append(len(lines))
        self._pending += lines
        late = time.monotonic() - self._since > SECONDS
        if late or len(self._documents) >= BATCH or len(self._pending) >= BYTES:
            self._commit()

    def finish(self) -> None:
        """Say that the corpus is through: `complete` from now on."""
        self._commit(complete=True)

    def _commit(self, complete: bool = False) -> None:
        """Make the batch durable: its mentions, then the line that covers them."""
        if self._documents or complete != self.complete:
            self._size += len(self._pending)
            _append(self._out, self._pending, self.path)
            batch = Batch(self._documents, self._size, complete, self._sizes)
            _append(self._marks, line_of(batch), self._covered)
            self.complete = complete
        self._documents, self._sizes, self._pending = [], [], bytearray()
        self._since = time.monotonic()

    def close(self) -> None:
        """Close the files; what was added since the last batch is dropped."""
        for descriptor in (self._out, self._marks):
            if descriptor >= 0:
                os.close(descriptor)
        self._out = self._marks = -1

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Keep whole documents also when the work broke off, unless writing itself failed."""
        if not isinstance(error, RunError) and not self.complete:
            self._commit()
        self.close()


def line_of(batch: Batch) -> bytes:
    """Write a batch as its line of JSON."""
    return msgspec.json.encode(batch) + b"\n"


def batches(path: Path) -> Iterator[Batch]:
    """Yield the whole lines of a `.done.jsonl`; a torn one ends it."""
    if not path.exists():
        return
    decoder = msgspec.json.Decoder(Batch)
    with path.open("rb") as handle:
        for line in handle:
            try:
                batch = decoder.decode(line)
            except msgspec.DecodeError:
                return
            if not line.endswith(b"\n"):
                return
            yield batch


def _append(descriptor: int, data: bytes | bytearray, path: Path) -> None:
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    except OSError as error:
        raise RunError(f"can't write {path}: {error.strerror}; make room and start again") from None


def private(path: Path, more: int) -> int:
    """Open a file for writing that only its owner can read."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | more
    return os.open(path, flags, 0o600)
