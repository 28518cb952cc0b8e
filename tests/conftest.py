"""What holds for all tests: no property is timed, for machines differ and are busy."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from linkmask.cli.group import COLLECT_AFTER

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


gc.set_threshold(COLLECT_AFTER)  # as the command does


def pytest_collection_finish() -> None:
    """Look for no garbage among modules and the thousands of tests."""
    gc.freeze()


@pytest.fixture
def quick_turns() -> Iterator[None]:
    """Let threads take turns as often as can be, so that one meets another half done."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)
