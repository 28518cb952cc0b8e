"""Marks the documents that a run has forgotten, to recognize them if they are read again.

A mark is a keyed hash of all that a document holds. It confirms a document to who has it, and tells
nobody anything of a person.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any

from linkmask.runs.folder import Run

FORGOTTEN = "forgotten_documents"
"""Field of `run.json`: a key, and the marks made with it."""
SIZE = 16
"""Bytes of a mark."""


def mark_forgotten(run: Run, digests: Iterable[str]) -> None:
    """Note the marks of forgotten documents in a run, given the digests of their contents."""
    held = run.about.get(FORGOTTEN) or {"key": token_hex(SIZE), "marks": []}
    marks = {*held["marks"], *(_mark(one, held["key"]) for one in digests)}
    run.note(**{FORGOTTEN: {"key": held["key"], "marks": sorted(marks)}})


def marks_in(folder: Path) -> Mapping[str, Any]:
    """Return what the run in a folder marked, to be noted in the run that takes its place."""
    if not (folder / "run.json").is_file():
        return {}
    with Run.open(folder) as run:
        return marks_of(run)


def marks_of(run: Run) -> Mapping[str, Any]:
    """Return the field of a run with its marks; empty where it has forgotten nobody."""
    return {FORGOTTEN: run.about[FORGOTTEN]} if run.about.get(FORGOTTEN) else {}


def is_forgotten(run: Run) -> Callable[[str], bool] | None:
    """Return what tells by a document's digest whether it was forgotten; None if none was."""
    held = run.about.get(FORGOTTEN)
    if not held:
        return None
    marks: Collection[str] = frozenset(held["marks"])
    return lambda digest: _mark(digest, held["key"]) in marks


def _mark(digest: str, key: str) -> str:
    return blake2b(digest.encode(), key=bytes.fromhex(key), digest_size=SIZE).hexdigest()
