"""What is read of a small corpus: its items, their ids, and the reason where one is set aside."""

from __future__ import annotations

import json
from pathlib import Path

from linkmask.config import Settings
from linkmask.corpus import read
from linkmask.records import Document, SetAside

SETTINGS = Settings()
SECRET = "Zebulon Quist"
"""A text that no reason for setting aside may hold."""


def items(source: Path, settings: Settings = SETTINGS) -> list[Document | SetAside]:
    return list(read(source, settings))


def ids(source: Path, settings: Settings = SETTINGS) -> list[str]:
    return [item.id for item in items(source, settings) if isinstance(item, Document)]


def reason(source: Path, settings: Settings = SETTINGS) -> str:
    """The one reason for which the one thing in a corpus is set aside."""
    found = [item for item in items(source, settings) if isinstance(item, SetAside)]
    assert len(found) == 1
    assert found[0].step == "read"
    assert SECRET not in found[0].reason
    return found[0].reason


def lines(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def folder_with_one(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ok.txt").write_text("fine")
    return tmp_path / "in"
