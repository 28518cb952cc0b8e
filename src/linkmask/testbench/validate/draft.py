"""Defines a cluster as its file has it, and a check of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from linkmask.schema import Schema


@dataclass(frozen=True, slots=True)
class ClusterDraft:
    """A cluster as its file has it, nothing promised: the JSON, the schema, the file's stem."""

    raw: Mapping[str, Any]
    schema: Schema
    stem: str

    @property
    def documents(self) -> Any:
        """What stands under `documents`."""
        return self.raw["documents"]

    @property
    def metadata(self) -> Any:
        """What stands under `metadata`."""
        return self.raw["metadata"]

    @property
    def risk(self) -> Any:
        """The risk level."""
        return self.metadata["cluster_risk"]

    @property
    def questions(self) -> Any:
        """The questions."""
        return self.metadata["questions"]

    @property
    def entities(self) -> Any:
        """The person's entities."""
        return self.metadata["person"]["entities"]


Check = Callable[[ClusterDraft], Iterator[str]]
