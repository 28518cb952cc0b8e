"""Reads the tables of `type_tables.toml`, which hold what differs by entity type."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

TABLES: Final[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
"""Name of a section → its table; shared by all callers, nobody changes it."""
