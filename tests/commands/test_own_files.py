"""A folder that is replaced whole must hold no file of the user's own: the command refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from linkmask import commands
from linkmask.config import Settings
from linkmask.corpus import staging
from linkmask.errors import OutputError

SETTINGS = Settings(workers=1, style="pseudonym")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A corpus, its release in `out`, and one of its files deleted since."""
    (tmp_path / "in" / "sub").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "sub/c.txt"):
        (tmp_path / "in" / name).write_text(f"Patient: Anna Brandvold, see {name}.")
    commands.mask_files(tmp_path / "in", tmp_path / "out", SETTINGS)
    commands.unmask_files(tmp_path / "out", tmp_path / "back")
    return tmp_path


def _mask(place: Path) -> None:
    (place / "in" / "b.txt").unlink(missing_ok=True)
    commands.mask_files(place / "in", place / "out", SETTINGS, overwrite=True)


def _apply(place: Path) -> None:
    commands.apply_run(place / "out.run", place / "out", {}, overwrite=True)


def _update(place: Path) -> None:
    (place / "in" / "b.txt").unlink(missing_ok=True)
    commands.update_files(place / "out.run", place / "in", place / "out", {})


def _unmask(place: Path) -> None:
    commands.unmask_files(place / "out", place / "back", overwrite=True)


WORK: dict[str, tuple[Callable[[Path], None], str]] = {
    "mask": (_mask, "out"),
    "apply": (_apply, "out"),
    "update": (_update, "out"),
    "unmask": (_unmask, "back"),
}


@pytest.mark.parametrize("own", ["documents/sub/notes.txt", "redacted-pdf/x.pdf"])
@pytest.mark.parametrize("command", WORK)
def test_a_file_of_the_users_own_is_named_and_nothing_changes(
    place: Path, command: str, own: str
) -> None:
    work, folder = WORK[command]
    mine = place / folder / own
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    before = {path: path.read_bytes() for path in place.rglob("out/*") if path.is_file()}
    with pytest.raises(OutputError, match=own):
        work(place)
    assert mine.read_text() == "mine"
    assert before == {path: path.read_bytes() for path in place.rglob("out/*") if path.is_file()}
    mine.unlink()
    work(place)
    left = {path.name for path in (place / folder / "documents").rglob("*.txt")}
    assert left == (
        {"a.txt", "b.txt", "c.txt"} if command in ("apply", "unmask") else {"a.txt", "c.txt"}
    )


def test_a_file_that_comes_during_the_work_stays_too(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, note = place / "out" / "documents" / "late.txt", staging.StagedOutput.file

    def late(self: staging.StagedOutput, name: str) -> object:
        mine.write_text("mine")
        return note(self, name)

    monkeypatch.setattr(staging.StagedOutput, "file", late)
    with pytest.raises(OutputError, match="late"):
        _mask(place)
    assert mine.read_text() == "mine" and (place / "out" / "documents" / "b.txt").exists()


@pytest.mark.parametrize("release", [_mask, _update])
def test_the_original_of_a_deleted_document_goes_unless_it_was_changed(
    place: Path, release: Callable[[Path], None]
) -> None:
    restored = place / "back" / "documents" / "b.txt"
    original = restored.read_text()
    release(place)
    restored.write_text("A correction of my own.")
    with pytest.raises(OutputError, match="documents/b"):
        _unmask(place)
    assert restored.read_text() == "A correction of my own."
    restored.write_text(original)
    _unmask(place)
    assert not restored.exists() and (place / "back" / "documents" / "a.txt").exists()


def test_what_a_desktop_puts_into_a_folder_goes_with_it(place: Path) -> None:
    (place / "out" / "documents" / ".DS_Store").write_text("")
    _mask(place)
    assert not (place / "out" / "documents" / ".DS_Store").exists()


def test_without_a_run_only_the_input_tells_which_files_are_linkmasks(place: Path) -> None:
    out = place / "other"
    commands.mask_files(place / "in", out, SETTINGS, keep_run=False)
    commands.mask_files(place / "in", out, SETTINGS, keep_run=False, overwrite=True)
    (place / "in" / "b.txt").unlink()
    with pytest.raises(OutputError, match="documents/b"):
        commands.mask_files(place / "in", out, SETTINGS, keep_run=False, overwrite=True)
    assert (out / "documents" / "b.txt").exists()
