"""An input that changes while a run reads it: nothing unread is released, the rest goes on."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkmask import corpus
from linkmask.commands.mask import mask_files
from linkmask.config import Settings
from linkmask.errors import LossError
from linkmask.pipeline import reading
from linkmask.pipeline.detection import corpus_detection
from linkmask.pipeline.redaction import corpus_redaction
from linkmask.records import Document
from linkmask.redact.batch_size import batch_weight

SETTINGS = Settings(detector="patterns", workers=1)
OTHERS = 60
"""Documents of the other files, six times as many as are read or masked at once in these tests."""
UNREAD = "zoe.quist@example.org"
"""A value that comes into a file while the run reads it."""


def changing(step: str, change: Callable[[], Any]) -> Callable[[str, int, int | None], None]:
    """Change something when a step of the run has begun, once."""
    waiting = [change]

    def progress(now: str, done: int, total: int | None) -> None:
        if now == step and waiting:
            waiting.pop()()

    return progress


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose last file is `z.jsonl`, so that every step has begun before it is opened."""
    monkeypatch.setattr(corpus_detection, "TOGETHER", 10 * 250)
    monkeypatch.setattr(corpus_redaction, "CHARACTERS", 10 * batch_weight(""))
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(OTHERS):
        (folder / f"a{n:03}.txt").write_text(f"Mail jane.doe{n}@example.org.")
    rows = [{"id": f"r{n}", "content": f"Mail john.roe{n}@example.org."} for n in range(3)]
    (folder / "z.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def rewritten(path: Path) -> None:
    path.write_text(path.read_text().replace("john.roe1@example.org", UNREAD))


@pytest.mark.parametrize("step", ["detect", "corpus pass", "verify", "write"])
@pytest.mark.parametrize("change", [Path.unlink, rewritten])
def test_a_file_that_changes_is_set_aside_whole_and_the_rest_is_released(
    source: Path, tmp_path: Path, step: str, change: Callable[[Path], None]
) -> None:
    out = tmp_path / "out"
    progress = changing(step, lambda: change(source / "z.jsonl"))
    audit = mask_files(source, out, SETTINGS, progress=progress)
    assert audit.counts["released"] == OTHERS
    assert not (out / "documents" / "z.jsonl").exists()
    listed = [json.loads(line) for line in (out / "set-aside.jsonl").open()]
    assert {line["file"] for line in listed} == {"z.jsonl"}
    assert all("disappeared" in line["reason"] or "changed" in line["reason"] for line in listed)
    assert not any(UNREAD in path.read_text() for path in (out / "documents").iterdir())


def test_a_file_that_changes_while_it_is_written_is_set_aside_and_the_rest_is_released(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows were yielded by then: all is written once more, without it."""
    check, out = corpus.files.File.check, tmp_path / "out"
    changes = [rewritten]

    def changed(file: Any) -> None:
        if file.name == "z.jsonl" and changes:
            changes.pop()(Path(file.path))
        check(file)

    monkeypatch.setattr(corpus.files.File, "check", changed)
    audit = mask_files(source, out, SETTINGS)
    assert audit.counts["released"] == OTHERS
    assert audit.counts["masked_mentions"] == OTHERS
    assert not (out / "documents" / "z.jsonl").exists()


def test_a_table_that_can_not_be_written_back_is_set_aside_and_the_rest_is_released(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pa.table({"content": ["Mail john.roe@example.org."]})
    pq.write_table(table, source / "t.parquet")

    def refuse(*given: Any, **how: Any) -> None:
        raise pa.ArrowNotImplementedError("Zebulon Quist")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", refuse)
    audit = mask_files(source, tmp_path / "out", SETTINGS)
    assert audit.counts["released"] == OTHERS + 3
    (item,) = audit.set_aside
    assert item["reason"] == "can't be written back (ArrowNotImplementedError)"


def test_a_damaged_table_ends_nothing(source: Path, tmp_path: Path) -> None:
    """Its text can be read; a column that is only copied can't."""
    held = io.BytesIO()
    table = pa.table({"content": ["Mail john.roe@example.org."], "rank": ["00000000"]})
    pq.write_table(table, held, compression="none", use_dictionary=False, write_statistics=False)
    data = held.getvalue()
    at = data.index(b"00000000") - 4
    (source / "t.parquet").write_bytes(data[:at] + b"\xff" * 4 + data[at + 4 :])
    audit = mask_files(source, tmp_path / "out", SETTINGS)
    assert audit.counts["released"] == OTHERS + 3
    assert [item["step"] for item in audit.set_aside] == ["read"]


def test_a_document_that_no_step_gives_on_fails_the_run(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is named, and nothing is released."""
    whole = reading.expected

    def lossy(*given: Any) -> Any:
        return (item for item in whole(*given) if not is_lost(item))

    def is_lost(item: Any) -> bool:
        return isinstance(item, Document) and item.id == "r1"

    monkeypatch.setattr("linkmask.pipeline.release.expected", lossy)
    with pytest.raises(LossError, match=r"z\.jsonl"):
        mask_files(source, tmp_path / "out", SETTINGS)
    assert not (tmp_path / "out" / "documents").exists()
    assert not (tmp_path / "out" / "summary.json").exists()
