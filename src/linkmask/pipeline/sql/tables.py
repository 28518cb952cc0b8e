"""Defines what planning in SQL asks of an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pyarrow as pa


class Tables(Protocol):
    """What is asked of an engine: tables by name, made from Arrow or by a SELECT."""

    def put(self, name: str, rows: pa.Table) -> None:
        """Make a table, in place of one of that name."""

    def keep(self, name: str, select: str) -> int:
        """Make a table of what a statement selects, in place of one of that name; its rows."""

    def read(self, select: str) -> pa.Table:
        """Return what a statement selects."""

    def drop(self, *names: str) -> None:
        """Drop tables that are needed no more."""
