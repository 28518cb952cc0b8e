"""Reads the rows of an array in an npz file block by block, so that none is in memory twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from zipfile import ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

BYTES = 1 << 20
"""Size of a block, roughly."""


class StoredRows(NamedTuple):
    """An array of an npz file: its shape, its type, and where its name is."""

    file: ZipFile
    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, file: ZipFile, name: str) -> StoredRows:
        """Read shape and type of an array, of one or two dimensions, in the order of C."""
        with file.open(f"{name}.npy") as handle:
            npy.read_magic(handle)
            shape, _, dtype = npy.read_array_header_1_0(handle)
        return cls(file, name, shape, dtype)

    def blocks(self, width: int = 0) -> Iterator[NDArray[Any]]:
        """Yield blocks of rows; rows of a flat array are `width` items long."""
        wide = width or int(np.prod(self.shape[1:], dtype=np.int64))
        many = max(BYTES // (wide * self.dtype.itemsize), 1) * wide * self.dtype.itemsize
        with self.file.open(f"{self.name}.npy") as handle:
            npy.read_magic(handle)
            npy.read_array_header_1_0(handle)
            while data := handle.read(many):
                yield np.frombuffer(data, self.dtype).reshape(-1, wide)
