"""Small runs, and mentions to keep in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkmask import schema
from linkmask.config import Settings
from linkmask.records import CONTENT, Mention, Why
from linkmask.runs import Run

SETTINGS = Settings()
TYPE_OF = schema.load("insurance").type_of


def made(path: Path, **changes: Any) -> Run:
    given = {"source": path.parent, "digest": "d1", **changes}
    return Run.create(path, SETTINGS, **given)


def mention(document: str, value: str = "Jane Doe", start: int = 0) -> Mention:
    why = Why("patterns", "title", 0.9)
    return Mention(
        document, CONTENT, start, start + len(value), "NAME", value, value.lower(), 0.5, why
    )
