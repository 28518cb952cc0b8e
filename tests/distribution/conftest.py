"""A folder with a document that is within its limits, and one that is not."""

import sys
from pathlib import Path

import pytest

HARMLESS = "The meeting starts at ten. Please bring the minutes of the last one."
PERSON = "Claim of Ottoline Brandvold, born 30 June 1977, phone 906-555-0143."


@pytest.fixture
def within(tmp_path: Path) -> Path:
    """A folder of documents within their limits."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "minutes.txt").write_text(HARMLESS)
    return folder


@pytest.fixture
def over(within: Path) -> Path:
    """The same folder, with a document that is over a limit."""
    (within / "claim.txt").write_text(PERSON)
    return within


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder like that of an installed environment, whose `linkmask` is this checkout's."""
    command = tmp_path / "linkmask" / "bin" / "linkmask"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m linkmask "$@"\n')
    command.chmod(0o755)
    return command.parent
