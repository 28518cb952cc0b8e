"""Documents are put in place whole or not at all, and only in OUT."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from full_disk import full
from linkmask.corpus import check_out, write
from linkmask.errors import OutputError
from linkmask.records import Document, Masked, Origin, SetAside
from rewritten import SETTINGS, changed, unmasked

pytestmark = pytest.mark.usefixtures("no_flush")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(str(number))
    return folder


def contents(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_out_that_holds_something_is_refused_and_left_alone(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(OutputError, match="--overwrite"):
        check_out(source, out)
    write(source, out, unmasked(source), SETTINGS, overwrite=True)
    assert (out / "mine.txt").read_text() == "mine"
    with pytest.raises(OutputError, match="--overwrite"):
        write(source, out, unmasked(source), SETTINGS)


def test_overwriting_leaves_nothing_of_the_old_documents(source: Path, tmp_path: Path) -> None:
    write(source, tmp_path / "out", unmasked(source), SETTINGS)
    (source / "2.txt").unlink()
    ours = {"2.txt"}
    write(source, tmp_path / "out", unmasked(source), SETTINGS, overwrite=True, ours=ours)
    assert contents(tmp_path / "out") == [
        "documents", "documents/0.txt", "documents/1.txt", "set-aside.jsonl", "written.json",
    ]  # fmt: skip


@pytest.mark.parametrize("inside", [".", "out", "out/deeper"])
def test_out_inside_the_input_is_refused(source: Path, inside: str) -> None:
    before = contents(source)
    with pytest.raises(OutputError, match="inside the input"):
        write(source, source / inside, unmasked(source), SETTINGS, overwrite=True)
    assert contents(source) == before


def test_input_inside_what_would_be_overwritten_is_refused(source: Path, tmp_path: Path) -> None:
    write(source, tmp_path / "out", unmasked(source), SETTINGS)
    again = tmp_path / "out" / "documents"
    for masked in (again, again / "0.txt"):
        with pytest.raises(OutputError, match="the input lies inside"):
            write(masked, tmp_path / "out", unmasked(masked), SETTINGS, overwrite=True)


@pytest.mark.parametrize("name", ["documents/mine.txt", "report.html", "summary.json"])
def test_what_somebody_else_put_in_outs_place_is_never_overwritten(
    source: Path, tmp_path: Path, name: str
) -> None:
    mine = tmp_path / "out" / name
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    for overwrite in (True, False):
        with pytest.raises(OutputError, match="give another folder"):
            check_out(source, tmp_path / "out", overwrite)
        with pytest.raises(OutputError, match="give another folder"):
            write(source, tmp_path / "out", unmasked(source), SETTINGS, overwrite=overwrite)
    assert mine.read_text() == "mine"
    assert [path for path in contents(tmp_path / "out") if path not in name] == []


def test_out_around_the_input_is_refused_before_anything_is_written(
    source: Path, tmp_path: Path
) -> None:
    before = contents(tmp_path)
    for place, out in ((source, tmp_path), (source / "0.txt", source)):
        with pytest.raises(OutputError, match="the input lies inside"):
            check_out(place, out, overwrite=True)
        with pytest.raises(OutputError, match="the input lies inside"):
            write(place, out, unmasked(place), SETTINGS, overwrite=True)
    assert contents(tmp_path) == before


def test_links_in_outs_place_are_refused(source: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    out = tmp_path / "out"
    out.symlink_to(source)
    with pytest.raises(OutputError, match="inside the input"):
        check_out(source, out, overwrite=True)
    out.unlink()
    out.mkdir()
    for name in ("documents", ".next"):
        (out / name).symlink_to(elsewhere)
        with pytest.raises(OutputError, match="symbolic link"):
            write(source, out, unmasked(source), SETTINGS, overwrite=True)
        (out / name).unlink()
    assert contents(elsewhere) == []


@pytest.mark.parametrize("name", ["../a.txt", "/etc/a.txt", "b/../../a.txt", "..", ""])
def test_names_that_lead_outside_are_refused(source: Path, tmp_path: Path, name: str) -> None:
    document = Document("a", "x", {}, Origin(name))
    with pytest.raises(OutputError):
        write(source, tmp_path / "out", [Masked(document, document, ())], SETTINGS)
    assert contents(tmp_path / "out") == []
    assert not (tmp_path / "a.txt").exists()


def test_an_error_on_the_way_leaves_no_documents(source: Path, tmp_path: Path) -> None:
    def failing() -> Iterator[Masked | SetAside]:
        yield next(unmasked(source))
        raise ValueError("on the way")

    with pytest.raises(ValueError, match="on the way"):
        write(source, tmp_path / "out", failing(), SETTINGS)
    assert contents(tmp_path / "out") == []


def test_an_error_on_the_way_leaves_the_old_documents(source: Path, tmp_path: Path) -> None:
    write(source, tmp_path / "out", unmasked(source), SETTINGS)

    def failing() -> Iterator[Masked | SetAside]:
        yield next(unmasked(source))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(source, tmp_path / "out", failing(), SETTINGS, overwrite=True)
    assert len(contents(tmp_path / "out" / "documents")) == 3


def test_a_full_disk_is_said_and_leaves_nothing(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", full(0))
    with pytest.raises(OutputError, match="no space left"):
        write(source, tmp_path / "new" / "out", unmasked(source), SETTINGS)
    assert not (tmp_path / "new").exists()


def test_a_full_disk_leaves_an_empty_folder_of_the_user(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (out := tmp_path / "out").mkdir()
    monkeypatch.setattr(os, "fsync", full(0))
    with pytest.raises(OutputError, match="no space left"):
        write(source, out, unmasked(source), SETTINGS)
    assert contents(out) == []


KILLED = """
import sys, time
from pathlib import Path
from linkmask.config import Settings
from linkmask.corpus import read, write
from linkmask.records import Masked
source, out = map(Path, sys.argv[1:])
def slow():
    for number, item in enumerate(read(source, Settings())):
        yield Masked(item, item, ())
        if number == 1:
            print("two are written", flush=True)
            time.sleep(60)
write(source, out, slow(), Settings())
"""


def test_a_killed_run_leaves_no_documents_and_the_next_one_goes_through(
    source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-c", KILLED, str(source), str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        with pytest.raises(OutputError, match="another run is writing"):
            write(source, out, unmasked(source), SETTINGS)
        process.send_signal(signal.SIGKILL)
    assert not (out / "documents").exists()
    check_out(source, out)
    write(source, out, unmasked(source), SETTINGS)
    assert contents(out / "documents") == ["0.txt", "1.txt", "2.txt"]
    assert not [name for name in contents(out) if "partial" in name]


def test_input_files_are_not_touched(source: Path, tmp_path: Path) -> None:
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in source.iterdir()}
    write(source, tmp_path / "out", changed(source, str.upper), SETTINGS)
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in source.iterdir()} == before
