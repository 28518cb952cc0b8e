"""A folder with three masked letters, for each test of a command that goes on from there."""

from pathlib import Path

import pytest

from three_letters import masked


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the folder that holds `in`, `out` and `out.run`."""
    return masked(tmp_path)
