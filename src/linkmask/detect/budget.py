"""Counts how much work a document takes; one that takes more than `max_work` is set aside.

Seconds would differ from machine to machine and with the number of workers; counts do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from linkmask.errors import TooMuchWork
from linkmask.records import Document

Item = TypeVar("Item")

FOUND = 20
"""The work of a span that is found, in characters read: it is merged, scored and looked up."""
FIELD = 300
"""The work that each field takes, however short it is, in characters read."""


class Budget:
    """The work that one reading of a document may take; its length is counted first.

    Raises:
        TooMuchWork: now or when more is spent than `most`.
    """

    def __init__(self, document: Document, most: int) -> None:
        self.most = most
        self.spent = 0
        self.spend(sum(FIELD + len(text) for _, text in document.fields()))

    def spend(self, work: int) -> None:
        """Count work that is done or about to be done.

        Raises:
            TooMuchWork: it is more than the budget.
        """
        self.spent += work
        if self.spent > self.most:
            raise TooMuchWork(
                f"takes more work than max_work ({self.most}) allows: raise it, or split the text"
            )

    def found(self, spans: Iterable[Item]) -> Iterator[Item]:
        """Yield spans as they are found, each counted."""
        for one in spans:
            self.spend(FOUND)
            yield one

    def listed(self, spans: Sized) -> None:
        """Count spans that were found before."""
        self.spend(FOUND * len(spans))
