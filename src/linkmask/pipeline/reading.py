"""Reads the corpus again, beside what a run holds of each document."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from typing import Any, Generic, TypeVar

from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.records import Document, Mention, SetAside
from linkmask.runs import Run
from linkmask.runs.mentions import mentions_in
from linkmask.workers import ordered

Pair = tuple[Document, list[Mention]]
Item = TypeVar("Item", bound=tuple[Any, ...])
Held = TypeVar("Held")

NOT_MASKED = "it was not there when the documents were masked"
"""Why a document is set aside that was read now, and not when the corpus was masked."""


class ByDocument(Generic[Held]):
    """What is kept of each document, in about the order of the input, taken out by id.

    A document that failed once and was logged by a later run comes after the others. What is read
    before its turn is held until then.
    """

    def __init__(self, rows: Iterator[tuple[str, Held]], documents: Container[str]) -> None:
        self._rows, self._documents = rows, documents
        self._waiting: dict[str, Held] = {}

    def __contains__(self, document: str) -> bool:
        return document in self._documents

    def take(self, document: str) -> Held:
        """Return what is kept of a document, which can be taken once; the rows must hold it."""
        while document not in self._waiting:
            name, row = next(self._rows)
            self._waiting[name] = row
        return self._waiting.pop(document)


def readable(source: Source, counted: CorpusCounts) -> Iterator[Pair]:
    """Yield the readable documents of a corpus, without mentions; count these and the others."""
    for item in source():
        if isinstance(item, SetAside):
            counted.unread.append(item)
        else:
            counted.characters += sum(len(text) for _, text in item.fields())
            yield item, []


def expected(source: Source, counted: CorpusCounts) -> Iterator[Document | SetAside]:
    """Yield the corpus in input order; what a step or a writer failed on is set aside."""
    for item in source():
        if isinstance(item, SetAside):
            yield item
        elif item.id in counted.aside:
            yield replace(counted.aside[item.id], origin=item.origin)
        elif item.origin.file in counted.unwritable:
            yield SetAside(item.id, "write", counted.unwritable[item.origin.file], item.origin)
        elif item.origin in counted.unwritable_documents:
            reason = counted.unwritable_documents[item.origin]
            yield SetAside(item.id, "write", reason, item.origin)
        else:
            yield item


def with_mentions(
    source: Source,
    run: Run,
    log: str,
    counted: CorpusCounts,
    names: Container[str] | None = None,
) -> Iterator[Pair | SetAside]:
    """Yield the corpus in input order: documents with their mentions in a log, or set aside.

    Args:
        names: ids of the documents that are yielded; by default, all.
    """
    lines = run.lines_by_document(log)
    for item in expected(source, counted):
        if isinstance(item, SetAside):
            yield item
        elif names is not None and item.id not in names:
            continue
        elif item.id not in lines:
            yield counted.set_aside(item, "detect", "the run holds no detection of it: scan again")
        else:
            yield item, mentions_in(lines[item.id])


def worked(
    work: Callable[[Item], Any], items: Iterator[Item], workers: int
) -> Iterator[tuple[Document, Any]]:
    """Yield each document, the first of its item, with what the work made of it, in order."""
    waiting: list[Document] = []

    def remembered() -> Iterator[Item]:
        for item in items:
            waiting.append(item[0])
            yield item

    for result in ordered(work, remembered(), workers):
        yield waiting.pop(0), result
