"""Fixtures of the testbench's tests with a model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linkmask import config
from linkmask.config import Settings
from linkmask.testbench.generate import WritingPlan, write


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a generated corpus of about ten documents."""
    folder = tmp_path_factory.mktemp("corpus") / "made"
    write(folder, WritingPlan(documents=10, seed=5))
    return folder


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., Settings]:
    """Return settings for a server, with a cache of the test's own."""

    def settings(url: str, **others: Any) -> Settings:
        cache = str(tmp_path / "answers.sqlite")
        named = {"llm_url": url, "llm_model": "scripted", "llm_cache": cache, "llm_retries": 0}
        return config.load(overrides={**named, **others}, environment={})

    return settings
