"""Stores decisions by entity in the run, and the steps by which they were made."""

from __future__ import annotations

from pathlib import Path

import msgspec

from linkmask.errors import RunError
from linkmask.review.sampling import Sample


class Decision(msgspec.Struct, frozen=True):
    """What was decided of one entity, why, by whom, when."""

    choice: str
    reason: str = ""
    words: str = ""
    by: str = ""
    time: str = ""


Changes = dict[str, tuple[Decision | None, Decision | None]]
"""Entity → what was decided of it before, and what is now."""


class ReviewStep(msgspec.Struct):
    """One thing done: decisions of entities, what entities are, or limits, before and after it."""

    number: int = 0
    by: str = ""
    time: str = ""
    entities: Changes = {}
    corrections: Changes = {}
    limits: tuple[dict[str, float], dict[str, float]] | None = None
    undone: bool = False


class ReviewState(msgspec.Struct):
    """The content of `review.json`.

    `looked`: the documents that were read, by number, with the digest of the plan then.
    """

    version: int = 0
    decisions: dict[str, Decision] = {}
    corrections: dict[str, Decision] = {}
    limits: dict[str, float] = {}
    steps: list[ReviewStep] = []
    sample: Sample | None = None
    looked: dict[int, str] = {}


def put(held: dict[str, Decision], name: str, decision: Decision | None) -> None:
    """Keep a decision under a name, or none."""
    held.pop(name, None)
    if decision is not None:
        held[name] = decision


def read_kept(path: Path) -> ReviewState:
    """Return what a file keeps; nothing where there is none.

    Raises:
        RunError: it is damaged.
    """
    try:
        return (
            msgspec.json.decode(path.read_bytes(), type=ReviewState)
            if path.exists()
            else ReviewState()
        )
    except (OSError, msgspec.DecodeError):
        raise RunError(f"{path} is damaged: move it away to decide anew") from None
