"""A vault that lost documents is refused: their masks would be given out as originals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import linkmask
from linkmask import commands
from linkmask.commands.update import update_files
from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.errors import RunError
from three_letters import LETTERS, NEW, write


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with letters, masked reversibly."""
    (tmp_path / "in").mkdir()
    for name, text in LETTERS.items():
        write(tmp_path, name, text)
    settings = Settings(workers=1, style="pseudonym")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    return tmp_path


def cut_to(lines: int) -> Callable[[bytes], bytes]:
    return lambda data: b"".join(data.splitlines(keepends=True)[:lines])


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": cut_to(0),
    "cut between documents": cut_to(2),
    "cut within one": lambda data: data[:-9],
    "twice": lambda data: data + data,
}


def unmask(place: Path) -> None:
    commands.unmask_files(place / "out", place / "back")


def unmask_in_python(place: Path) -> None:
    with linkmask.open(place / "out") as masker:
        [*masker.unmask_documents(read(place / "out" / "documents", masker.settings))]


def update(place: Path) -> None:
    write(place, "d", NEW)
    update_files(place / "out.run", place / "in", place / "out", {})


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("command", [unmask, unmask_in_python, update])
def test_a_vault_that_lost_documents_is_refused(
    place: Path, command: Callable[[Path], None], how: str
) -> None:
    vault = place / "out.run" / "vault"
    whole = vault.read_bytes()
    vault.write_bytes(DAMAGES[how](whole))
    with pytest.raises(RunError, match=r"vault .*(is damaged: it holds \d of 3|can't be read)"):
        command(place)
    assert not (place / "back").exists()
    vault.write_bytes(whole)
    command(place)


def test_a_vault_stays_whole_through_an_update_and_where_a_person_is_forgotten(
    place: Path,
) -> None:
    update(place)
    unmask(place)
    assert {path.stem: path.read_bytes() for path in (place / "back" / "documents").iterdir()} == {
        path.stem: path.read_bytes() for path in (place / "in").iterdir()
    }
    vault = place / "out.run" / "vault"
    assert len(vault.read_bytes().splitlines()) == 4
    commands.forget_subject(place / "out.run", ["Wenda Ashgrove"])
    assert len(vault.read_bytes().splitlines()) < 4
    commands.unmask_files(place / "out", place / "again")
