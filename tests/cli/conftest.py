"""The example corpus, masked once for the tests of a file."""

from pathlib import Path

import pytest

from commandline import DOCUMENTS, linkmask


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example corpus, masked with the defaults."""
    out = tmp_path_factory.mktemp("masked") / "out"
    done = linkmask("mask", DOCUMENTS, "-o", out)
    assert done.returncode == 0, done.stderr
    return out
