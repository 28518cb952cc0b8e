"""Broken files of every format, masked by the whole command: a sample of `tests/mutated.py`."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from mutated import lines, make, mask, run
from mutations import seed


def test_what_is_broken_is_set_aside_what_is_good_beside_it_is_released(tmp_path: Path) -> None:
    """No traceback, nothing lost, no planted value readable, the input as it was."""
    batch = make(tmp_path / "in", 60, random.Random("sample"), first=0)
    result = run(batch, tmp_path / "out", "--quiet", "--workers", "1")
    assert result.wrong == []
    assert result.counts["set aside"] > 10
    assert result.counts["released"] > 10
    assert result.counts["planted values in released files"] > 100


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_broken_file_alone_is_set_aside_with_status_2(tmp_path: Path, kind: str) -> None:
    """Nothing is released, and its name is listed with a reason."""
    sound = seed(kind, 1)
    batch = make(tmp_path / "in", 0, random.Random("none"), first=0, good=False)
    (batch.folder / f"a{sound.ending}").write_bytes(b"\xff\xfe\xfd" + sound.data[:100])
    done = mask(batch, tmp_path / "out", "--workers", "1")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert {line["file"] for line in lines(tmp_path / "out" / "set-aside.jsonl")} == {
        f"a{sound.ending}"
    }
    assert list((tmp_path / "out" / "documents").iterdir()) == []
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["counts"]["released"] == 0
