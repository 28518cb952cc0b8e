"""The example corpus, masked once."""

from pathlib import Path

import pytest

from commandline import DOCUMENTS, process


@pytest.fixture(scope="session")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example corpus, masked with the defaults; no test changes it."""
    out = tmp_path_factory.mktemp("masked") / "out"
    done = process("mask", DOCUMENTS, "-o", out)
    assert done.returncode == 0, done.stderr
    return out
