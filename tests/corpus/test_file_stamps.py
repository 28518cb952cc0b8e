"""Which files are not read again: settled ones, whose state and digest were noted."""

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


def stamps(letter: Path, digest: str = NOTED) -> set[int]:
    """Return the stamps of a corpus of one file, if it had this digest."""
    return Corpus(letter.parent, Settings()).stamps({letter.name: digest})


def digest_of(letter: Path, noted: set[int]) -> str:
    """Return a file's digest in a corpus that knows `NOTED` of these stamps."""
    corpus = Corpus(letter.parent, Settings())
    corpus.remember({letter.name: NOTED}, noted)
    return corpus.digests()[letter.name]


def stays(letter: Path, noted: set[int], digest: str = NOTED) -> bool:
    """Tell whether a released file stays, given what is noted and the digest it had."""
    return letter.name in Carried(letter.parents[1], {letter.name: digest}, noted).files


def test_a_file_that_is_as_noted_is_not_read(letter: Path) -> None:
    assert digest_of(letter, stamps(letter)) == NOTED
    assert stays(letter, stamps(letter))


def test_a_file_that_was_written_since_is_read_even_if_size_and_time_are_the_same(
    letter: Path,
) -> None:
    noted, before = stamps(letter), letter.stat()
    letter.write_text("Elise Varga waits.")
    os.utime(letter, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert digest_of(letter, noted) == file_digest(letter)
    assert not stays(letter, noted)
    assert stays(letter, noted, file_digest(letter))


def test_a_stamp_holds_for_the_digest_alone_that_was_noted(letter: Path) -> None:
    """The record of the release may be of another edition than the stamps."""
    noted = stamps(letter, "cd" * 32)
    assert digest_of(letter, noted) == file_digest(letter)
    assert not stays(letter, noted)


def test_a_file_that_was_just_written_is_not_noted(
    letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It might be written once more at what its file system calls the same time."""
    monkeypatch.undo()
    assert not stamps(letter)
    assert not Carried(letter.parents[1], {letter.name: file_digest(letter)}).stamps
