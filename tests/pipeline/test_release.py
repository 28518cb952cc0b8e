"""A release that is stopped: nothing tells of what did not come out, and the next one goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from full_disk import full
from linkmask.commands import (
    apply_run,
    mask_files,
    open_release,
    scan_files,
    unmask_files,
    verify_files,
)
from linkmask.config import Settings
from linkmask.corpus import check_out
from linkmask.errors import OutputError, RunError
from linkmask.pipeline.jobs.masking_job import Checked
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.release import NOT_CHECKED
from linkmask.report.stored_release import ReleaseRecord
from linkmask.runs import MaskedFile, MaskedRow, exchange

SETTINGS = Settings(detector="patterns", workers=1)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"id": "a", "content": "Mail jane.doe@example.org."}) + "\n")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder but the run's lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


@pytest.mark.parametrize("room", range(0, 40, 2))
def test_a_full_disk_leaves_the_old_documents_and_their_run_and_the_same_command_goes_on(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Wherever the room ends: what was released before stands, whole, and its run beside it; or
    it is decided that the new takes its place, and whatever comes next completes that. The
    message names OUT, or the run beside it, and no hidden folder within."""
    work = tmp_path / "work"
    out = work / "out"
    mask_files(source, out, SETTINGS)
    before = contents(work)
    sealed = msgspec.structs.replace(SETTINGS, style="pseudonym")
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full(room))
        try:
            mask_files(source, out, sealed, overwrite=True)
        except (OutputError, RunError) as error:
            assert "o space left" in str(error)
            assert str(out) in str(error)
            assert "/." not in str(error).replace(str(tmp_path), "")  # no hidden folder is named
        else:
            return  # there was room for all of it
    now = contents(work)
    if "out.run/.journal" not in now:
        kept = {name: text for name, text in now.items() if not name.startswith("out.run/next/")}
        assert kept == before | {name: kept[name] for name in kept if name == "out.run/key"}
    assert not [name for name in now if name.endswith(".partial")]
    assert not verify_files(out)
    mask_files(source, out, sealed, overwrite=True)
    assert "EMAIL_" in (out / "documents" / "notes.jsonl").read_text()
    assert not (work / "out.run" / "next").exists()


@pytest.mark.parametrize("looked", [False, True])
def test_a_release_that_was_decided_is_completed_by_whatever_comes_next(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looked: bool
) -> None:
    """The command itself does its work again, and is told nothing of an OUT that is not empty."""

    out, put_in_place = tmp_path / "out", exchange._exchange

    def killed(one: exchange.Share) -> None:
        if Path(one.folder) == out:
            raise KeyboardInterrupt
        put_in_place(one)

    with monkeypatch.context() as patched:
        patched.setattr(exchange, "_exchange", killed)
        with pytest.raises(KeyboardInterrupt):
            mask_files(source, out, SETTINGS)
    assert not (out / "documents").exists()
    assert verify_files(out) == [] if looked else mask_files(source, out, SETTINGS)
    assert "[EMAIL]" in (out / "documents" / "notes.jsonl").read_text()
    assert {path.name for path in out.iterdir()} == {
        "documents", "report.html", "summary.json", "set-aside.jsonl",
    }  # fmt: skip
    with pytest.raises(OutputError, match="--overwrite"):
        mask_files(source, out, SETTINGS)


def test_a_key_is_never_lost_and_never_silently_another(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run that replaces another has its key; a key that was given has to be given again."""
    monkeypatch.delenv("LINKMASK_KEY", raising=False)
    out, key = tmp_path / "out", tmp_path / "out.run" / "key"
    sealed = msgspec.structs.replace(SETTINGS, style="pseudonym")
    mask_files(source, out, sealed)
    first, kept = contents(out / "documents"), key.read_bytes()
    mask_files(source, out, sealed, overwrite=True)
    assert (contents(out / "documents"), key.read_bytes()) == (first, kept)
    with pytest.raises(RunError, match="--no-run would delete"):
        mask_files(source, out, sealed, overwrite=True, keep_run=False)
    mine = tmp_path / "mine"
    key.rename(mine)
    with pytest.raises(RunError, match="give it again with --key-file"):
        mask_files(source, out, sealed, overwrite=True)
    assert unmask_files(out, tmp_path / "back", key_file=str(mine)) == 1
    given = msgspec.structs.replace(sealed, key_file=str(mine))
    mask_files(source, out, given, overwrite=True)
    assert contents(out / "documents") == first
    monkeypatch.setenv("LINKMASK_KEY", "quite another key, and a long one")
    with pytest.raises(RunError, match="does not open with this key"):
        mask_files(source, out, sealed, overwrite=True)
    with pytest.raises(RunError, match="does not open with this key"):
        apply_run(tmp_path / "out.run", tmp_path / "second", {"key_file": ""})
    monkeypatch.delenv("LINKMASK_KEY")
    with pytest.raises(RunError, match="give it again with --key-file"):
        apply_run(tmp_path / "out.run", tmp_path / "second", {"key_file": ""})


def test_a_run_that_a_release_needs_is_not_scanned_over(source: Path, tmp_path: Path) -> None:
    mask_files(source, tmp_path / "out", SETTINGS)
    before = contents(tmp_path / "out.run")
    anew = msgspec.structs.replace(SETTINGS, countries=("fr",))
    with pytest.raises(RunError, match="needed to verify"):
        scan_files(source, tmp_path / "out.run", anew, overwrite=True)
    assert contents(tmp_path / "out.run") == before


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


@pytest.mark.parametrize("checked", [False, True])
def test_what_is_not_as_it_was_checked_is_not_released(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checked: bool
) -> None:
    """Here another text takes the place of the masked one, or no check was made at all."""
    rows = MaskedFile.rows

    def other(self: MaskedFile) -> Iterator[tuple[str, MaskedRow]]:
        for name, row in rows(self):
            yield name, MaskedRow(name, {"content": "Mail jane.doe@example.org"}, row.replacements)

    out = tmp_path / "out"
    with open_release(source, out, SETTINGS) as job:
        job.detect()
        job.score()
        job.plan()
        job.redact()
        if checked:
            job.accept(job.check())
            monkeypatch.setattr(MaskedFile, "rows", other)
        audit = job.release(source, out, [], show_values=False)
    assert audit.counts["released"] == 0
    assert [row["reason"] for row in audit.set_aside] == [NOT_CHECKED]
    assert list((out / "documents").iterdir()) == []


def test_no_masked_document_stays_in_a_run(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have no name there, so nothing is left of them either where the command is stopped."""
    held: list[str] = []
    check = ReleaseJob.check

    def stopped(self: ReleaseJob) -> Checked:
        check(self)
        held.extend(name for name, text in contents(tmp_path).items() if b"[EMAIL]" in text)
        raise KeyboardInterrupt

    monkeypatch.setattr(ReleaseJob, "check", stopped)
    with pytest.raises(KeyboardInterrupt):
        mask_files(source, tmp_path / "out", SETTINGS)
    monkeypatch.undo()
    assert held == []
    mask_files(source, tmp_path / "out", SETTINGS)
    run = contents(tmp_path / "out.run")
    assert not [name for name, text in run.items() if b"[EMAIL]" in text]


def test_documents_named_by_a_value_are_counted_once_by_file_name_or_id() -> None:
    """A file of two, one of its ids too, and an id elsewhere: three of four documents."""
    released = ReleaseRecord(
        documents={"quist.jsonl": ["a", "quist_2"], "b.jsonl": ["quist_3", "c"]}
    )
    assert released.count_named(["quist.jsonl"], {"quist_2", "quist_3", "gone"}) == 3
    assert released.count_named([], set()) == 0
