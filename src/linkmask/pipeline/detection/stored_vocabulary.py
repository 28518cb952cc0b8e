"""Keeps a corpus's vocabulary for the next edition, in the run folder until the release.

A search needs only a part of the vocabulary. The rest, all values with all spellings, is needed
again when the release is written, and would fill memory until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from linkmask.detect import Vocabulary
from linkmask.detect.corpus_pass.entry_rows import (
    ROWS,
    GrownEntries,
    VocabularyEntry,
    batches_of,
)
from linkmask.runs import UnlinkedFile
from linkmask.workers import batches

TOGETHER = 1000
"""Items that are encoded at once."""
MAP, ARRAY = b"\xdf", b"\xdd"
"""First bytes of a mapping and of a list in MessagePack; their length follows in 4 bytes."""
ENCODER = msgspec.msgpack.Encoder()


class StoredVocabulary:
    """The parts of a vocabulary, each as it is to be written: bytes of MessagePack.

    Raises:
        RunError: the disk is full, or can't be written.
    """

    def __init__(self, folder: Path, words: Vocabulary) -> None:
        self.words = _kept(folder, _encoded_rows(words.entries))
        self.spelled = _kept(folder, encoded_list(words.spelled.values(), len(words.spelled)))
        self.weak = _kept(folder, encoded_list(words.weak, len(words.weak)))


def _encoded_rows(entries: Mapping[str, VocabularyEntry]) -> Iterator[bytes]:
    """Yield entries as `EditionState.words` has them."""
    if isinstance(entries, GrownEntries):
        columns, length = entries.batches(), 2
    else:
        columns, length = batches_of(entries), -(-len(entries) // ROWS)
    yield ARRAY + length.to_bytes(4, "big")
    yield from map(ENCODER.encode, columns)


def encoded(items: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield a mapping piece by piece as MessagePack."""
    yield MAP + len(items).to_bytes(4, "big")
    for some in batches(items.items(), TOGETHER):
        yield b"".join(map(ENCODER.encode, chain.from_iterable(some)))


def encoded_list(items: Iterable[Any], length: int) -> Iterator[bytes]:
    """Yield a list of this length piece by piece as MessagePack."""
    yield ARRAY + length.to_bytes(4, "big")
    for some in batches(items, TOGETHER):
        yield b"".join(map(ENCODER.encode, some))


def _kept(folder: Path, pieces: Iterable[bytes]) -> UnlinkedFile:
    file = UnlinkedFile(folder)
    for piece in pieces:
        file.add(piece)
    return file
