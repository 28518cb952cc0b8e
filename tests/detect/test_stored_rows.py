"""An array of an npz file is read block by block, whole and in order."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from linkmask.detect import stored_rows
from linkmask.detect.stored_rows import StoredRows


@pytest.mark.parametrize("size", [1, 100, 1 << 20])
def test_blocks_are_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """A block holds whole rows, also of an array that is stored flat or packed."""
    monkeypatch.setattr(stored_rows, "BYTES", size)
    table = np.arange(7 * 12, dtype=np.uint16).reshape(7, 12)
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "file.npz", table=table, flat=table.ravel())
        with ZipFile(tmp_path / "file.npz") as file:
            rows, flat = StoredRows.of(file, "table"), StoredRows.of(file, "flat")
            assert np.array_equal(np.concatenate(list(rows.blocks())), table)
            assert np.array_equal(np.concatenate(list(flat.blocks(12))), table)
        assert (rows.shape, rows.dtype, flat.shape) == (table.shape, table.dtype, (84,))
