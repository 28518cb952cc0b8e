"""Writes masked documents as files of the same names, shape and order, whole or not at all."""

from __future__ import annotations

import errno
import gzip
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO, cast

from linkmask.config import Settings
from linkmask.corpus.file_kinds import WRITTEN_AS, kind_of, read_name
from linkmask.corpus.files import WHOLE, File, Flaw, UnwritableRows, named, place_in_input
from linkmask.corpus.formats import FORMATS
from linkmask.corpus.read import Corpus
from linkmask.corpus.readback import Expected, readback_check
from linkmask.corpus.staging import (
    DOCUMENTS,
    Carried,
    StagedOutput,
    check_out,
    check_replaceable,
    file_digest,
)
from linkmask.errors import LossError, OutputError
from linkmask.records import CONTENT, Masked, Origin, SetAside
from linkmask.text.letters import spaced_words

NAMED = 5
"""Files that an error names, at most."""


@dataclass(slots=True)
class WriteReport:
    """What was written. `leaking` lists files whose name contains a value that is masked in them.

    File names are kept, so such names leak the value; they belong in no report. `digests`: those of
    the documents by file, in order, as they were read back (`readback.record_digest`); `bytes`:
    those of the files.
    """

    documents: int = 0
    files: int = 0
    set_aside: list[SetAside] = field(default_factory=list)
    leaking: list[str] = field(default_factory=list)
    digests: dict[str, list[str]] = field(default_factory=dict)
    bytes: dict[str, str] = field(default_factory=dict)


def write(
    source: Path,
    out: Path,
    masked: Iterable[Masked | SetAside],
    settings: Settings,
    *,
    overwrite: bool = False,
    holds: Callable[[str], bool] | None = None,
    corpus: Corpus | None = None,
    ours: Collection[str] = (),
) -> WriteReport:
    """Write masked documents to OUT/documents and those set aside to OUT/set-aside.jsonl.

    Everything is staged in a hidden folder inside OUT and exchanged for what is there at the end,
    so a kill leaves what was there before. OUT lists what was written, because no run does. See
    `stage_output`, which has the same arguments.
    """
    staging = stage_output(
        source, out, masked, settings, overwrite=overwrite, holds=holds, corpus=corpus, ours=ours
    )
    with staging as (stage, written):
        stage.list_written(written.bytes)
        stage.publish()
    return written


@contextmanager
def stage_output(
    source: Path,
    out: Path,
    masked: Iterable[Masked | SetAside],
    settings: Settings,
    *,
    overwrite: bool = False,
    holds: Callable[[str], bool] | None = None,
    corpus: Corpus | None = None,
    carried: Carried | None = None,
    ours: Collection[str] = (),
) -> Iterator[tuple[StagedOutput, WriteReport]]:
    """Write masked documents, and those set aside, to a hidden folder inside OUT.

    What is entered decides about the exchange; if it does not, nothing has changed in OUT.

    `masked` comes in input order. Fields that did not change are written as they were read; a file
    none of whose documents is released is not written. `holds(name)` tells whether a file's name
    holds a masked value of any document; without it only the values masked in that very file are
    looked for. `corpus` is what was read, where what came in is to be counted against what comes
    out. `carried` are files that stay as they are in OUT; `ours` the names of those that may be
    replaced, as linkmask wrote them.

    Raises:
        OutputError: see `check_out` and `check_replaceable`; or the disk is full or can't be
            written.
        Unwritable: files can't be written back; nothing was written.
        LossError: documents of `corpus` were neither released nor set aside; nothing was written.
    """
    check_out(source, out, overwrite=overwrite or not (out / DOCUMENTS).exists())
    try:
        with StagedOutput(out) as stage:
            written = _written(stage, source, masked, settings, holds, corpus)
            if carried:
                stage.carry(carried)
                written.leaking += [n for n in carried.files if holds and holds(spaced_words(n))]
            files = corpus.files() if corpus else {}
            kept = carried.files if carried else ()
            check_replaceable(out, {*written.bytes, *kept, *ours})
            stage.note((one, place_in_input(one.origin, files)) for one in written.set_aside)
            yield stage, written
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise OutputError(f"no space left in {out}: nothing was written") from None
        raise OutputError(f"can't write to {out}: {error.strerror}; nothing was written") from None


def _written(
    stage: StagedOutput,
    source: Path,
    masked: Iterable[Masked | SetAside],
    settings: Settings,
    holds: Callable[[str], bool] | None,
    corpus: Corpus | None,
) -> WriteReport:
    """Write the files of the masked documents to a stage."""
    written = WriteReport()
    files = corpus.files() if corpus else {}
    broken, rows = dict[str, str](), dict[Origin, str]()
    counts: Counter[str] = Counter()
    items = _FailureWatch(_released(masked, written, holds))
    for name, group in itertools.groupby(items, attrgetter("origin.file")):
        file = files.get(name) or _file(source, name)
        with stage.file(name) as handle:
            awaited = readback_check(file)
            passed = awaited.passing(_counting(group, counts))
            flaw = _flaw(file, handle, passed, awaited, settings, items)
            if isinstance(flaw, UnwritableRows):
                rows |= {Origin(name, row): reason for row, reason in flaw.rows.items()}
            elif flaw:
                broken[name] = str(flaw)
            else:
                written.bytes[name] = file_digest(Path(handle.name))
        written.digests[name] = awaited.digests
        written.files += 1
    if broken or rows:
        raise Unwritable(broken, rows)
    if corpus:
        _account(corpus, counts, written.set_aside)
    return written


class Unwritable(Exception):  # noqa: N818 - a reason to set aside, not an error
    """Files or documents that changed since they were read, or can't be written back.

    `files`: name → reason, where no document of a file can be; `documents`: where others of their
    file can be, the origin of each → reason.
    """

    def __init__(self, files: dict[str, str], documents: dict[Origin, str]) -> None:
        super().__init__(f"{len(files)} files, {len(documents)} documents")
        self.files, self.documents = files, documents


class _FailureWatch:
    """An iterator that remembers whether it failed, which tells whose fault an error is."""

    def __init__(self, items: Iterator[Masked]) -> None:
        self._items, self.failed = items, False

    def __iter__(self) -> _FailureWatch:
        return self

    def __next__(self) -> Masked:
        ended = False
        try:
            item = next(self._items, None)
            ended = True
        finally:
            self.failed = not ended
        if item is None:
            raise StopIteration
        return item


def _flaw(
    file: File,
    handle: BinaryIO,
    group: Iterator[Masked],
    expected: Expected,
    settings: Settings,
    items: _FailureWatch,
) -> Flaw | None:
    """Write the documents of a file; return why that can't be done, None where it was.

    Errors of what yields the documents, and of the disk that is written to, are not the file's.
    """
    try:
        with _packing(file, handle) as out:
            FORMATS[file.kind].writer.write(file, out, group, settings)
        handle.flush()
        expected.check(Path(handle.name), settings)
        file.check()
    except Flaw as flaw:
        return flaw
    except Exception as error:
        if items.failed or (isinstance(error, OSError) and error.errno):
            raise
        return Flaw(f"can't be written back ({type(error).__name__})")
    return None


@contextmanager
def _packing(file: File, handle: BinaryIO) -> Iterator[BinaryIO]:
    """Give what a file is written to; what was compressed is compressed, without name and time."""
    if not file.packed:
        yield handle
        return
    with gzip.GzipFile("", "wb", fileobj=handle, mtime=0) as packed:
        yield cast(BinaryIO, packed)


def _counting(group: Iterable[Masked], counts: Counter[str]) -> Iterator[Masked]:
    """Count the documents that are released of a file."""
    for item in group:
        counts[item.origin.file] += 1
        yield item


def _account(corpus: Corpus, released: Counter[str], aside: Iterable[SetAside]) -> None:
    """Check that each document of each file was released or set aside.

    Raises:
        LossError: it does not; the message names the files.
    """
    out = released + Counter(item.origin.file for item in aside)
    if lost := corpus.lost(out, released):
        files = corpus.files()
        shown = (str(place_in_input(Origin(name, WHOLE), files)["file"]) for name in lost[:NAMED])
        named = ", ".join(shown) + (", …" if len(lost) > NAMED else "")
        raise LossError(
            f"of {len(lost)} files some documents were neither released nor set aside ({named}): "
            "nothing was released; run the command again while nothing writes to the input, and "
            "report it if it happens again"
        )


def _released(
    masked: Iterable[Masked | SetAside],
    written: WriteReport,
    holds: Callable[[str], bool] | None,
) -> Iterator[Masked]:
    """Yield the masked documents, and note what the report needs."""
    name, words, leaking = None, "", False
    for item in masked:
        if isinstance(item, SetAside):
            written.set_aside.append(item)
            continue
        written.documents += 1
        if item.origin.file != name:
            name = item.origin.file
            words = f" {spaced_words(name)} "
            leaking = holds is not None and holds(words.strip())
        if item.replacements and not leaking:
            leaking = any(f" {value} " in words for value in _values(item))
        if leaking and name not in written.leaking[-1:]:
            written.leaking.append(name)
        yield item


def _values(item: Masked) -> Iterator[str]:
    """Yield what was masked in a document, as words."""
    texts = {CONTENT: item.original.content}
    for replaced in item.replacements:
        if replaced.field not in texts:
            texts = dict(item.original.fields())
        yield spaced_words(texts[replaced.field][replaced.start : replaced.end])


def _file(source: Path, name: str) -> File:
    """Return the input file that a document names as its origin."""
    path = source / name if source.is_dir() else source.resolve()
    read = path.with_name(read_name(path.name))
    if source.is_dir() and not path.exists() and kind_of(read.name)[0] in WRITTEN_AS:
        return named(read_name(name), read)
    try:
        return replace(named(name, path), name=name)
    except Flaw:
        message = "a document names no file it came from: only what was read is written"
        raise OutputError(message) from None
