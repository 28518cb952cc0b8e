"""Reads the files of a corpus in order; slow ones are read ahead by other processes."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial

from linkmask.config import Settings
from linkmask.corpus.file_kinds import KINDS
from linkmask.corpus.files import File, set_aside_row
from linkmask.corpus.formats import FORMATS
from linkmask.machine import usable_cores
from linkmask.records import Document, SetAside
from linkmask.workers import Failure
from linkmask.workers.streams import streams

WORTH = 1 << 20
"""Bytes in such files below which this process reads them, since starting others takes longer."""
EACH = 4096
"""Bytes that take as long to read as opening a file does."""


def read_each(
    files: Sequence[File], settings: Settings, *, alone: bool = False
) -> Generator[Iterator[Document | SetAside], None, None]:
    """Yield what each file holds, in order.

    As many processes as `workers` read the files that take long, a few documents ahead, unless all
    are to be read by this process `alone`.
    """
    costly = [file for file in files if KINDS[file.kind].costly]
    workers = settings.workers or usable_cores()
    if alone or workers == 1 or sum(file.size + EACH for file in costly) < WORTH:
        yield from (found_in(file, settings) for file in files)
        return
    ahead = streams(partial(found_in, settings=settings), costly, workers)
    for file in files:
        yield (
            _without_failures(file, next(ahead))
            if KINDS[file.kind].costly
            else found_in(file, settings)
        )
    ahead.close()


def found_in(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a file; a table or list without a row is set aside as empty.

    After any error, of linkmask or a library, the rest of the file is set aside.
    """
    empty = True
    try:
        for item in FORMATS[file.kind].reader.documents(file, settings):
            empty = False
            yield item
    except Exception as error:
        yield set_aside_row(file.name, f"broken: it can't be read on ({type(error).__name__})")
        return
    if empty:
        yield set_aside_row(file.name, "no document in it: it has no row, or blank lines only")


def _without_failures(
    file: File, found: Iterator[Document | SetAside | Failure]
) -> Iterator[Document | SetAside]:
    """Yield the documents that another process read; a file that crashed it is set aside."""
    for item in found:
        if isinstance(item, Failure):
            yield set_aside_row(file.name, f"broken: its reader crashed ({item.reason})")
        else:
            yield item
