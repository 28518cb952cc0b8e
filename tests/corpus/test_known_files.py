"""Which files are not read again: those in a state in which their digest was noted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from linkmask.config import Settings
from linkmask.corpus import Carried, Corpus, files
from linkmask.corpus.staging import file_digest

NOTED = "ab" * 32
"""A digest that no file has, so that it shows whether the file was read."""


@pytest.fixture
def letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file of a corpus in which a change of this second counts as long ago."""
    monkeypatch.setattr(files, "SETTLED", -1_000_000_000_000)
    path = tmp_path / "documents" / "a.txt"
    path.parent.mkdir()
    path.write_text("Elise Varga wrote.")
    return path


def states(letter: Path) -> dict[str, int]:
    """Return the states of a corpus by file, of which there is one."""
    return Corpus(letter.parent, Settings()).states([letter.name])


def digest_of(letter: Path, noted: dict[str, int]) -> str:
    """Return a file's digest in a corpus that knows `NOTED` of these states."""
    corpus = Corpus(letter.parent, Settings())
    corpus.remember({letter.name: NOTED}, noted)
    return corpus.digests()[letter.name]


def stays(letter: Path, noted: dict[str, int], digest: str) -> bool:
    """Tell whether a released file stays, given a digest of these states."""
    return letter.name in Carried(letter.parents[1], {letter.name: digest}, noted).files


def test_a_file_in_a_noted_state_is_not_read(letter: Path) -> None:
    assert digest_of(letter, states(letter)) == NOTED
    assert stays(letter, states(letter), NOTED)


def test_a_file_that_was_written_since_is_read_even_if_size_and_time_are_the_same(
    letter: Path,
) -> None:
    noted, before = states(letter), letter.stat()
    letter.write_text("Elise Varga waits.")
    os.utime(letter, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert digest_of(letter, noted) == file_digest(letter)
    assert not stays(letter, noted, NOTED)
    assert stays(letter, noted, file_digest(letter))


def test_no_state_is_noted_of_a_file_that_was_just_written(
    letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It might be written once more at what its file system calls the same time."""
    monkeypatch.undo()
    assert not states(letter)
    assert not Carried(letter.parents[1], {letter.name: file_digest(letter)}).settled
