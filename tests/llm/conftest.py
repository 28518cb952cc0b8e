"""Clients of scripted model servers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linkmask.config import Settings
from linkmask.llm.client import Client
from model_questions import Clock
from serving import Scripted


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[Any]:
    """Make clients of scripted servers; each is closed at the end."""
    made: list[Client] = []

    def make(server: Scripted, **given: Any) -> Client:
        settings = {
            "llm_url": server.url,
            "llm_model": "scripted",
            "llm_cache": str(tmp_path / "cache" / "llm.sqlite"),
            "llm_connections": 4,
            "llm_retries": 2,
        }
        one = Client(Settings(**(settings | given)), clock=clock, sleep=clock.sleep)
        made.append(one)
        return one

    yield make
    for one in made:
        one.close()
