"""Fixtures of the tests that write a corpus."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the tests the wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
