"""A release that is stopped: nothing tells of what did not come out, and the next one goes on."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from linkmask import releasing
from linkmask.commands.release import mask_files
from linkmask.config import Settings
from linkmask.corpus import check_out
from linkmask.errors import OutputError, RunError
from linkmask.report.tables import Released

SETTINGS = Settings(detector="patterns", workers=1)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"id": "a", "content": "Mail jane.doe@example.org."}) + "\n")
    return path


def full(after: int) -> Any:
    """Stand in for a disk that is full after so many flushed files."""
    fsync, left = os.fsync, [after]

    def refuse(descriptor: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    return refuse


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_a_report_without_room_is_said_and_the_same_command_goes_on(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """The page and its numbers are written before the documents are in place, and after."""
    out, refuse = tmp_path / "out", full(after)
    write = releasing.write_whole

    def whole(path: Path, data: bytes, mode: int) -> None:
        with monkeypatch.context() as disk:
            disk.setattr(os, "fsync", refuse)
            write(path, data, mode)

    with monkeypatch.context() as patched:
        patched.setattr(releasing, "write_whole", whole)
        with pytest.raises(OutputError, match="No space left") as error:
            mask_files(source, out, SETTINGS)
    assert ("documents are in place" in str(error.value)) == (after > 1)
    assert (out / "documents").exists() == (out / "report.html").exists() == (after > 1)
    assert not [path for path in out.iterdir() if path.name.endswith(".partial")]
    mask_files(source, out, SETTINGS, overwrite=after > 1)
    assert "[EMAIL]" in (out / "documents" / "notes.jsonl").read_text()


def test_a_release_killed_before_its_documents_were_in_place_is_done_by_the_same_command(
    source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    mask_files(source, out, SETTINGS)
    shutil.rmtree(out / "documents")
    (out / ".report.html.partial").write_text("half")
    mask_files(source, out, SETTINGS)
    assert (out / "documents" / "notes.jsonl").exists()
    with pytest.raises(OutputError, match="--overwrite"):
        mask_files(source, out, SETTINGS)


def test_a_run_elsewhere_that_released_is_not_taken_for_one_that_was_stopped(
    source: Path, tmp_path: Path
) -> None:
    mask_files(source, tmp_path / "out", SETTINGS, run_folder=tmp_path / "run")
    with pytest.raises(RunError, match="run of a release"):
        mask_files(source, tmp_path / "other", SETTINGS, run_folder=tmp_path / "run")


def test_a_run_killed_before_it_had_begun_does_not_stand_in_the_way(
    source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (tmp_path / "out.run").mkdir()
    for name in (".lock", "README.txt", ".run.json.partial"):
        (tmp_path / "out.run" / name).touch()
    mask_files(source, out, SETTINGS)
    assert (out / "documents").exists()


def test_links_in_a_loop_are_refused_as_what_they_are(source: Path, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    with pytest.raises(OutputError, match="not a folder"):
        check_out(source, loop)


def test_documents_named_by_a_value_are_counted_once_by_file_name_or_id() -> None:
    """A file of two, one of its ids too, and an id elsewhere: three of four documents."""
    released = Released(documents={"quist.jsonl": ["a", "quist_2"], "b.jsonl": ["quist_3", "c"]})
    assert released.telling(["quist.jsonl"], {"quist_2", "quist_3", "gone"}) == 3
    assert released.telling([], set()) == 0
