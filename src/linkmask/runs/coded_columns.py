"""Defines the rows of a mentions file as codes into distinct names."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

PERSON = ("person_value", "person_type")
"""Columns of the person whom a value also names; that entity is a row of its own here."""


class Columns(msgspec.Struct):
    """Codes into distinct names, row by row, as read; nothing dropped yet but broken rows."""

    documents: list[str]
    values: list[str]
    types: list[str]
    document: Any
    value: Any
    type: Any
    relevance: Any
    dropped: Counter[str]


class Codes(dict[Any, int]):
    """Numbers names in the order in which they are asked for."""

    def __missing__(self, name: Any) -> int:
        """Give a new name the next number."""
        number = self[name] = len(self)
        return number
