"""A command that is killed loses nothing: what was there stands, or what was to come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import kills


def spread(changes: int) -> Iterator[int]:
    """The first change, one on the way, the last but two, where files move, and the last."""
    return iter(sorted({1, changes // 2, changes - 3, changes}))


@pytest.mark.parametrize("name", kills.COMMANDS)
def test_a_killed_command_leaves_the_old_or_the_new_and_goes_on_where_it_was(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python tests/kills.py` kills it at every change of a file."""
    monkeypatch.setenv("LINKMASK_KEY", "k" * 32)
    counts = kills.kill(kills.Place(tmp_path / "place"), name, spread)
    assert counts.killed == 4
    assert counts.wrong == []
