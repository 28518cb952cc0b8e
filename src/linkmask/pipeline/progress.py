"""Counts documents while a corpus is read, and reports progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from linkmask.records import Document, Origin, SetAside

Progress = Callable[[str, int, int | None], None]
"""Called with a step's name, how many documents are through, and how many there are."""

Source = Callable[[], Iterator[Document | SetAside]]
"""A corpus that can be read more than once, in the same order each time."""


def silent(step: str, done: int, total: int | None) -> None:
    """Show no progress."""


@dataclass(slots=True)
class CorpusCounts:
    """What is counted on the way: sizes, what was dropped, and what was set aside and why.

    `unread`: what the source itself set aside; `aside`: documents that a step failed on, by id;
    `unwritable`: files that can't be written back, with the reason; `unwritable_documents`: such
    documents of files whose others can be.
    """

    documents: int = 0
    characters: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    unread: list[SetAside] = field(default_factory=list)
    aside: dict[str, SetAside] = field(default_factory=dict)
    unwritable: dict[str, str] = field(default_factory=dict)
    unwritable_documents: dict[Origin, str] = field(default_factory=dict)

    def set_aside(self, document: Document, step: str, reason: str) -> SetAside:
        """Keep a document from being released, and say at which step and why."""
        self.aside[document.id] = SetAside(document.id, step, reason, document.origin)
        return self.aside[document.id]
