"""What holds for all tests: no property is timed, for machines differ and are busy."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def quick_turns() -> Iterator[None]:
    """Let threads take turns as often as can be, so that one meets another half done."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)
