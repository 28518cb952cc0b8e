"""Loads the model that tells languages apart (py3langid), in a fraction of its memory.

The model is naive Bayes over byte n-grams, which an automaton finds. Most of its memory are the
automaton's moves, 256 from each state, of which nearly all are those from the first state. They are
read block by block, as are the weights, of which only those of some languages are kept.
"""

from __future__ import annotations

import lzma
from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

BLOCK = 1 << 20
"""Bytes that are read at once, roughly."""


class SparseMoves:
    """The moves of an automaton: those that differ from the move from the first state, and these.

    Args:
        blocks: the next state by row and byte, in blocks of shape (rows, 256); states share rows.
        usual: the row of the first state.
    """

    def __init__(self, blocks: Iterable[NDArray[Any]], usual: NDArray[Any]) -> None:
        self._usual, self._ends = usual.tolist(), array("I", [0])
        self._states, found = array("I"), bytearray()
        for rows in blocks:
            differing = rows != usual
            ends = np.cumsum(np.count_nonzero(differing, axis=1)) + len(found)
            self._ends.frombytes(ends.astype(np.uint32).tobytes())
            found += (np.flatnonzero(differing) & 255).astype(np.uint8).tobytes()
            self._states.frombytes(rows[differing].astype(np.uint32).tobytes())
        self._bytes = bytes(found)

    def __getitem__(self, place: int) -> int:
        """Return the next state at a place, which is 256 times the row, plus the byte."""
        row, byte = place >> 8, place & 255
        at = self._bytes.find(byte, self._ends[row], self._ends[row + 1])
        return self._states[at] if at >= 0 else int(self._usual[byte])


@cache
def identifier(languages: tuple[str, ...]) -> Any:
    """Return what tells these languages apart; without any, all that the model knows.

    The weights of other languages, 28 MB, are not kept.
    """
    from py3langid import langid

    with TemporaryFile() as unpacked:
        with lzma.open(langid.MODEL_DIR / langid.MODEL_FILE) as packed:
            copyfileobj(packed, unpacked, BLOCK)
        with ZipFile(unpacked) as file, np.load(unpacked, allow_pickle=False) as small:
            classes, row, found = (small[name] for name in ("classes", "nextmove_row", "out_feat"))
            columns = np.flatnonzero(np.isin(classes, languages or classes))
            moves = chain.from_iterable(_blocks(file, "nextmove", 256))
            return langid.LanguageIdentifier(
                np.concatenate([block[:, columns] for block in _blocks(file, "ptc", len(classes))]),
                small["pc"][columns],
                classes[columns].tolist(),
                SparseMoves(_blocks(file, "nextmove", 256), next(islice(moves, int(row[0]), None))),
                array("i", found.astype(np.int32).tobytes()),
                tk_row=array("I", row.astype(np.uint32).tobytes()),
            )


def _blocks(file: ZipFile, name: str, width: int) -> Iterator[NDArray[Any]]:
    """Yield the rows of a stored array in blocks, so that it is never in memory as a whole."""
    with file.open(f"{name}.npy") as handle:
        npy.read_magic(handle)
        dtype = npy.read_array_header_1_0(handle)[2]
        row = width * dtype.itemsize
        while data := handle.read(max(BLOCK // row, 1) * row):
            yield np.frombuffer(data, dtype).reshape(-1, width)
