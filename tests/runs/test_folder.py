"""The run folder: private, written whole or not at all, resumed after a kill."""

from __future__ import annotations

import json
import stat
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from incidences import random_incidence
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.records import Links
from linkmask.runs import Run
from linkmask.runs.file_names import SCORED
from linkmask.runs.folder import DETECTION
from runs_made import SETTINGS, made, mention

# ── the folder ──────────────────────────────────────────────────────────────────────────────────


def test_everything_in_it_is_for_its_owner_only(tmp_path: Path) -> None:
    with made(tmp_path / "run") as run:
        run.write_json("risk.json", {})
        with run.log() as log:
            log.add("a", [mention("a")])
    assert stat.S_IMODE(run.path.stat().st_mode) == 0o700
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in run.path.iterdir()}
    assert set(modes.values()) == {0o600}
    assert "README.txt" in modes
    assert "identifying values" in (run.path / "README.txt").read_text()


def test_it_says_what_it_was_made_from(tmp_path: Path) -> None:
    settings = Settings(theta_doc=0.9)
    given = {"theta_doc": 0.9}
    Run.create(tmp_path / "r", settings, source=tmp_path, digest="d", given=given).close()
    with Run.open(tmp_path / "r") as run:
        assert (run.source, run.digest, run.settings) == (tmp_path.resolve(), "d", settings)
        assert run.about["settings"]["given"] == given
        assert {"linkmask", "python", "times"} <= set(run.about)
        assert run.vault_path.parent == run.key_path.parent == run.path


def test_notes_are_added_and_kept(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        run.note(counts={"a": 1})
        run.note(counts={"b": 2})
        run.finished("plan")
    with Run.open(tmp_path / "r") as run:
        assert run.about["counts"] == {"a": 1, "b": 2}
        assert set(run.about["times"]) == {"started", "plan"}


def test_what_was_scored_comes_back_bit_for_bit_or_not_at_all(tmp_path: Path) -> None:
    held = random_incidence(1)
    links = Links(np.array([0], np.int32), np.array([2], np.int32), np.array([0.1 + 0.2]), 7)
    with made(tmp_path / "r") as run:
        assert run.scored() is None
        run.keep_scored(held, links)
        again = run.scored()
        assert again is not None
        for old, new in zip((held, links), again, strict=True):
            for name in (one.name for one in fields(old)):
                one, other = getattr(old, name), getattr(new, name)
                if isinstance(one, np.ndarray):
                    assert (one.dtype, one.tolist()) == (other.dtype, other.tolist())
                else:
                    assert (name, one) == (name, other)
        path = run.path / SCORED
        whole = path.read_bytes()
        for damaged in (b"", whole[:5], whole[:100], whole[:-64], whole + b"x", b"\xff" * 200):
            path.write_bytes(damaged)
            with pytest.raises(RunError, match="damaged"):
                run.scored()


def test_a_folder_with_something_else_in_it_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(RunError, match="is not empty"):
            made(tmp_path, overwrite=overwrite)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_overwriting_a_run_removes_its_files_and_no_others(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        run.write_json("plan.json", {})
    (tmp_path / "r" / "mine.txt").write_text("mine")
    with pytest.raises(RunError, match="holds a run already"):
        made(tmp_path / "r")
    made(tmp_path / "r", overwrite=True).close()
    assert not (tmp_path / "r" / "plan.json").exists()
    assert (tmp_path / "r" / "mine.txt").read_text() == "mine"


def test_a_link_is_no_run_folder(tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    (tmp_path / "r").symlink_to(tmp_path / "else")
    with pytest.raises(RunError, match="symbolic link"):
        made(tmp_path / "r")


def test_two_at_once_on_one_folder_is_an_error(tmp_path: Path) -> None:
    with made(tmp_path / "r"):
        with pytest.raises(RunError, match="another run is using"):
            Run.open(tmp_path / "r", write=True)
        Run.open(tmp_path / "r").close()
    Run.open(tmp_path / "r", write=True).close()


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"):
        Run.open(tmp_path)
    made(tmp_path / "r").close()
    for text in ("{", "{}", "[]", '{"input": {"path": "a", "digest": "b"}, "settings": {}}'):
        (tmp_path / "r" / "run.json").write_text(text)
        with pytest.raises(RunError, match="damaged"):
            Run.open(tmp_path / "r", write=True)


def test_a_run_of_a_version_with_other_settings_is_not_called_damaged(tmp_path: Path) -> None:
    made(tmp_path / "r").close()
    held = json.loads((tmp_path / "r" / "run.json").read_text())
    held["settings"]["resolved"]["a_setting_of_another_day"] = 1
    (tmp_path / "r" / "run.json").write_text(json.dumps({**held, "linkmask": "0.0.9"}))
    with pytest.raises(RunError, match=r"another version of linkmask \(0\.0\.9\).*another folder"):
        Run.open(tmp_path / "r", write=True)


def test_missing_and_damaged_files_are_said(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run:
        with pytest.raises(RunError, match=r"holds no plan\.json"):
            run.read_json("plan.json")
        (run.path / "plan.json").write_text("{")
        with pytest.raises(RunError, match=r"plan\.json is damaged"):
            run.read_json("plan.json")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def failing() -> Any:
        yield b"half"
        raise OSError(28, "No space left on device")

    with made(tmp_path / "r") as run:
        run.write_json("risk.json", {"a": 1})
        before = sorted(run.path.iterdir())
        with pytest.raises(RunError, match="No space left"):
            run.write("risk.json", failing())
        assert run.read_json("risk.json") == {"a": 1}
        assert sorted(run.path.iterdir()) == before


# ── going on ────────────────────────────────────────────────────────────────────────────────────


def resumed(path: Path, settings: Settings = SETTINGS, digest: str = "d1") -> Run:
    return Run.resume(path, settings, source=path.parent, digest=digest)


def test_resuming_goes_on_where_it_was_or_starts_anew(tmp_path: Path) -> None:
    with resumed(tmp_path / "r") as run, run.log() as log:
        log.add("a", [])
    with resumed(tmp_path / "r", Settings(theta_doc=0.5, solver="greedy")) as run:
        assert run.documents() == ["a"]
        assert run.settings.theta_doc == 0.5


def test_a_run_of_another_input_version_or_detection_is_refused(tmp_path: Path) -> None:
    with made(tmp_path / "r") as run, run.log() as log:
        log.add("a", [])
    with pytest.raises(RunError, match="another input"):
        resumed(tmp_path / "r", digest="d2")
    with pytest.raises(RunError, match=r"other settings \(countries, top_k\)"):
        resumed(tmp_path / "r", Settings(countries=("fr",), top_k=3))
    with made(tmp_path / "r", overwrite=True) as run, run.log() as log:
        log.add("a", [])
        run.note(linkmask="0.0.1")
    with pytest.raises(RunError, match=r"linkmask 0\.0\.1"):
        resumed(tmp_path / "r")
    resumed(tmp_path / "other").close()


def test_a_run_that_found_nothing_yet_is_begun_anew(tmp_path: Path) -> None:
    """A server that was down leaves a run without a document: its settings bind nobody."""
    made(tmp_path / "r").close()
    with resumed(tmp_path / "r", Settings(countries=("fr",)), digest="d2") as run:
        assert run.digest == "d2" and run.settings.countries == ("fr",)


def test_the_settings_that_decide_detection_are_settings() -> None:
    assert set(DETECTION) <= set(Settings.__struct_fields__)
