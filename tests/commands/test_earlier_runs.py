"""Runs of earlier versions, which stored the text field "content" if none was named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linkmask import commands
from linkmask.config import Settings
from linkmask.masker import Masker

TABLE = "id,note,reply\n1,Mr. Okonkwo asked for the plan he has had since May.,Dear Mr. Okonkwo\n"
ADDED = "2,Ms. Tanaka asked for the plan that she has had since June.,Dear Ms. Tanaka\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the folder that holds `a.csv`, `out` and `out.run`, all settings as stored earlier."""
    (tmp_path / "a.csv").write_text(TABLE)
    commands.mask_files(tmp_path / "a.csv", tmp_path / "out", Settings(workers=1))
    for path in (tmp_path / "out.run").rglob("*.json"):
        path.write_text(json.dumps(as_earlier(json.loads(path.read_text()))))
    return tmp_path


def as_earlier(table: Any) -> Any:
    if isinstance(table, dict):
        table = {name: as_earlier(value) for name, value in table.items()}
        return table | {"text_field": "content"} if "text_field" in table else table
    return [as_earlier(one) for one in table] if isinstance(table, list) else table


def verified(place: Path) -> int:
    return len(commands.verify_files(place / "out"))


def applied(place: Path) -> int:
    commands.plan_run(place / "out.run", {})
    return len(commands.apply_run(place / "out.run", place / "again", {}).set_aside)


def updated(place: Path) -> int:
    (place / "a.csv").write_text(TABLE + ADDED)
    audit = commands.update_files(place / "out.run", place / "a.csv", place / "out", {})
    return len(audit.set_aside)


@pytest.mark.parametrize("command", [verified, applied, updated])
def test_a_command_reads_the_fields_that_the_run_read(
    place: Path, command: Callable[[Path], int]
) -> None:
    """Not one row of a table without the column `content` is set aside, or readable after it."""
    assert command(place) == 0
    for written in place.glob("*/documents/a.csv"):
        assert "Okonkwo" not in written.read_text() and "Tanaka" not in written.read_text()


def test_an_opened_run_reads_them_too(place: Path) -> None:
    frame = [{"id": "1", "note": "Mr. Okonkwo asked for the plan.", "reply": "Dear Mr. Okonkwo"}]
    masked = Masker(place / "out.run").mask_documents(frame, on_unknown="mask_all")
    assert "Okonkwo" not in str(list(masked))
