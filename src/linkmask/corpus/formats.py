"""Loads the module that reads, and the one that writes, each kind of file."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from linkmask.corpus.file_kinds import KINDS


class Format(NamedTuple):
    """The modules of a kind of file; `file_kinds.FileKind` says what they have."""

    reader: ModuleType
    writer: ModuleType


def _module(name: str) -> ModuleType:
    return import_module(f"{__package__}.{name}")


FORMATS = {
    name: Format(_module(kind.format), _module(kind.writer or kind.format))
    for name, kind in KINDS.items()
}
"""Name of a kind → its modules."""
